import type { FastifyInstance, FastifyReply } from 'fastify';
import { HttpError } from '../errors/http-error.ts';
import { ADMIN } from '../access/allows.ts';
import { pickHeaders } from './pick-headers.ts';
import type { Cluster } from './cluster.ts';
import { EXPECT_PATH, LOOK_PATH, STOP_PATH } from './internal-paths.ts';
import { bodyHash, INTERNAL_HEADER, type InternalClaims } from './internal-requests.ts';
import type { NodeAnswer } from './node-client.ts';
import type { Engine } from '../../engine/ports.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What another node says of this request; null: it comes from a client. */
    forwarded: InternalClaims | null;
  }
}

/** Headers of answers that clients get; the others are this node's own. */
const ANSWERED = ['content-type', 'retry-after', 'cache-control'] as const;

/** The route on which an operator lets a node hand its sessions over. */
const DRAIN_PATH = '/internal/drain';
/** What operators ask of each node. */
const OF_OPERATORS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', DRAIN_PATH]);

/**
 * Recognizes requests of other nodes. What claims to be one and is not counts as one of a client.
 * @param isForNodes whether clients get nothing here.
 */
export function recognizeNodes(app: FastifyInstance, cluster: Cluster | null, isForNodes: boolean): void {
  app.decorateRequest('forwarded', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, method } = request.raw;
    if (cluster !== null) request.forwarded = cluster.read(headers[INTERNAL_HEADER], method ?? '', request.url);
    delete headers[INTERNAL_HEADER];
    if (isForNodes && request.forwarded === null && !OF_OPERATORS.has(request.routeOptions.url ?? ''))
      return done(new HttpError('notFound', { message: 'This process works for others, and answers only them.' }));
    done();
  });
  // What another node signed is this body, and no other.
  app.addHook('preValidation', (request, _reply, done) => {
    const signed = request.forwarded?.body;
    done(signed === undefined || signed === bodyHash(request.body) ? undefined : new HttpError('notFound'));
  });
}

/**
 * What nodes ask of each other besides requests of clients, and what operators ask of one node.
 * @param drain begins to hand the sessions of this node over.
 */
export function internalRoutes(
  app: FastifyInstance,
  engine: Pick<Engine, 'stopSession'>,
  cluster: Cluster,
  drain: () => void,
): void {
  app.post(DRAIN_PATH, { schema: { hide: true }, config: { access: { scope: ADMIN } } }, async (_request, reply) => {
    drain();
    return reply.status(202).send({});
  });
  app.post(LOOK_PATH, { schema: { hide: true }, config: { access: 'open' } }, async (request) => {
    if (request.forwarded === null) throw new HttpError('notFound');
    const { session } = request.forwarded;
    if (session === undefined) cluster.look();
    else await cluster.take(session);
    return {};
  });
  app.post(EXPECT_PATH, { schema: { hide: true }, config: { access: 'open' } }, async (request) => {
    const session = request.forwarded?.session;
    if (session === undefined) throw new HttpError('notFound');
    await cluster.expect(session);
    return {};
  });
  app.post(STOP_PATH, { schema: { hide: true }, config: { access: 'open' } }, async (request) => {
    const stop = request.forwarded?.stop;
    if (stop === undefined || !engine.stopSession(stop.sessionId, stop.reason)) throw new HttpError('notFound');
    return {};
  });
}

/** Gives a client the answer of another node. */
export function sendAnswer(reply: FastifyReply, { status, headers, body }: NodeAnswer): FastifyReply {
  return reply.headers(pickHeaders(headers, ANSWERED)).status(status).send(body);
}

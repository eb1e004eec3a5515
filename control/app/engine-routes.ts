import type { FastifyInstance, FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../errors/http-error.ts';
import { forwardedClient } from '../sessions/start/forward-request.ts';
import { sessionErrors } from '../errors/session-errors.ts';
import { NodeUnreachable } from '../cluster/node-client.ts';
import type { PublicUrlParts } from '../http/public-url.ts';
import type { Cluster } from '../cluster/cluster.ts';

/** What these routes take of the service. */
export type EngineRoutesParts = PublicUrlParts & {
  readonly cluster: Cluster | null;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request needs faces, voices or browsers, which only a node with an engine has. */
    needsEngine?: (request: FastifyRequest) => boolean;
  }
}

/** Headers of an answer that this node writes itself. */
const OWN = /^(?:connection|keep-alive|transfer-encoding|date|vary|access-control-.*)$/;

/** On a node without an engine: forwards requests that need one to a node that has one, bodies and answers as they come. */
export function forwardToEngines(app: FastifyInstance, control: EngineRoutesParts): void {
  const { cluster } = control;
  if (cluster === null || cluster.lease !== null) return;
  // Key, scope and rate were checked, and the body was not read.
  app.addHook('preParsing', async (request, reply, payload) => {
    if (request.routeOptions.config.needsEngine?.(request) !== true) return payload;
    const node = await cluster.placement.anyEngine();
    if (node === null) throw new HttpError(sessionErrors.noEngines);
    const answer = await cluster.stream(request, forwardedClient(control, request), node).catch((error: unknown) => {
      throw error instanceof NodeUnreachable ? new HttpError(sessionErrors.noEngines) : error;
    });
    send(reply, answer);
    return reply as never;
  });
}

function send(reply: FastifyReply, answer: IncomingMessage): void {
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !OWN.test(name)) reply.header(name, value);
  void reply.status(answer.statusCode ?? 502).send(answer);
}

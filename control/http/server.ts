import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from '../../runtime/log.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Settings } from '../settings/settings.ts';
import { warnUntrustedProxy, trustProxyOption } from './client-address.ts';
import { compileSchemas } from './compile-schemas.ts';
import {
  CONNECTION_CHECKS_MS,
  HEADERS_TIMEOUT_MS,
  limitConnections,
  STALLED_CONNECTION_MS,
} from './connection-limits.ts';
import { limitContent } from './content-policy.ts';
import { continueWhenAllowed } from './expect-continue.ts';
import { answerBrokenConnection, answerErrors, sendError } from './error-handler.ts';
import { acceptJson, JSON_BODY_LIMIT } from './json-body.ts';
import { addSlashAfterPrefix, pathPrefixOf, stripPrefixFromUpgrades, withoutPrefix } from './path-prefix.ts';
import { endSlowBodies, MAX_REQUEST_MS } from './slow-bodies.ts';

/** Headers that pages of other sites may send: those that clients and the proxies before them use. */
const CORS_HEADERS = [
  'Authorization',
  'Content-Type',
  'X-Upload-Token',
  'X-Anam-Target-Url',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Original-URI',
];

/**
 * An HTTP server without routes: its limits, how it reads and how it refuses.
 * @param checkAnswers also against their schemas.
 */
export async function openServer(settings: Settings, log: Logger, checkAnswers: boolean): Promise<FastifyInstance> {
  const prefix = pathPrefixOf(settings);
  const app = Fastify({
    rewriteUrl: ({ url = '/' }: { url?: string }) => withoutPrefix(url, prefix),
    loggerInstance: log as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOption(settings.PARLEY_TRUST_PROXY),
    bodyLimit: JSON_BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    // A path that cannot be decoded names no route.
    frameworkErrors: (_error, request, reply) =>
      void sendError(new HttpError('notFound'), request as never, reply as never),
    clientErrorHandler: answerBrokenConnection,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CONNECTION_CHECKS_MS },
    requestTimeout: MAX_REQUEST_MS,
    connectionTimeout: STALLED_CONNECTION_MS,
    forceCloseConnections: true,
  }) as unknown as FastifyInstance;
  const { PARLEY_MAX_CONNECTIONS: most } = settings;
  limitConnections(app.server, { most, perAddress: isDirect(settings) ? Math.ceil(most / 2) : null }, log);
  stripPrefixFromUpgrades(app, prefix);
  addSlashAfterPrefix(app, prefix);
  endSlowBodies(app);
  limitContent(app);
  compileSchemas(app, checkAnswers);
  acceptJson(app);
  continueWhenAllowed(app);
  answerErrors(app);
  await app.register(cors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    allowedHeaders: CORS_HEADERS,
    maxAge: 86_400,
    strictPreflight: false,
  });
  warnUntrustedProxy(app, settings);
  return app;
}

/** Whether every connection is a client's own: not one of a proxy, nor of a node that forwards clients. */
function isDirect({ PARLEY_TRUST_PROXY: proxies, PARLEY_NODE_URL: node }: Settings): boolean {
  return proxies === false && node === undefined;
}

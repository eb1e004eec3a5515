import type { FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from '../../runtime/log.ts';
import type { Caller } from '../access/caller.ts';

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  Logger & FastifyInstance['log'],
  ZodTypeProvider
>;

/** The caller of a route that needs an API key. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('This route was reached without a caller');
  return request.caller;
}

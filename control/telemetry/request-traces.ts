import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readTraceparent, type TraceContext } from '../../engine/index.ts';
import { traceRequest, type RequestTrace, type TraceTools } from './traces.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its span, or what the caller said that it belongs to (`traceparent`). */
    trace: TraceContext | null;
  }
}

/** Requests of the API. Others say little and are many. */
const TRACED = /^\/v1\//;

/** Reads `traceparent` of each request, and makes a span of each request to the API. @param tools null: no spans. */
export function traceRequests(app: FastifyInstance, tools: TraceTools | null): void {
  const running = new WeakMap<FastifyRequest, RequestTrace>();
  app.decorateRequest('trace', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    request.trace = readTraceparent(Array.isArray(traceparent) ? undefined : traceparent);
    if (tools !== null && TRACED.test(request.url)) {
      const trace = traceRequest(tools, request.method, request.trace);
      running.set(request, trace);
      request.trace = trace.context;
    }
    done();
  });
  if (tools === null) return;
  app.addHook('onResponse', (request, reply, done) => {
    running.get(request)?.end(request.routeOptions.url ?? 'unknown', reply.statusCode);
    done();
  });
}

import type { FastifyInstance, HTTPMethods } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

/** A known address with an unsupported method gets 405 and an Allow header. Call `add()` once every route is added. */
export function methodNotAllowed(app: FastifyInstance): { add(): void } {
  const allowed = new Map<string, Set<HTTPMethods>>();
  app.addHook('onRoute', (route) => {
    const methods = allowed.get(route.url) ?? new Set<HTTPMethods>();
    for (const method of [route.method].flat()) methods.add(method as HTTPMethods);
    allowed.set(route.url, methods);
  });
  return {
    add() {
      // Wildcards serve files. Parameters have different names in routes of the same shape, so shapes are compared.
      const routes = [...allowed].filter(([url]) => !url.includes('*'));
      for (const alike of Map.groupBy(routes, ([url]) => shapeOf(url)).values()) {
        const present = new Set(alike.flatMap(([, methods]) => [...methods]));
        const missing = METHODS.filter((method) => !present.has(method));
        if (missing.length === 0) continue;
        const allow = [...present].filter((method) => METHODS.includes(method)).join(', ');
        app.route({
          method: missing,
          url: alike[0]![0],
          schema: { hide: true },
          config: { access: 'open' },
          handler: async () => {
            throw new HttpError('methodNotAllowed', { headers: { allow } });
          },
        });
      }
    },
  };
}

function shapeOf(url: string): string {
  return url.replaceAll(/:\w+/g, ':').replace(/\/+$/, '');
}

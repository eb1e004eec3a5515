import type { FastifyInstance } from 'fastify';
import type { App } from './app.ts';
import type { Resource } from './resource.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The resource whose routes are being added. */
    resource?: Resource;
  }
}

/** Gives each route what its resource declares once. Call it before other code that processes new routes. */
export function describeByResource(app: FastifyInstance): void {
  app.addHook('onRoute', function describe(route) {
    const { resource } = this;
    if (resource === undefined) return;
    const [first] = resource.scopes;
    const access = route.config?.access ?? (first === undefined ? undefined : { scope: first.name });
    if (typeof access === 'object' && !resource.scopes.some(({ name }) => name === access.scope))
      throw new Error(`${route.url} asks for the scope "${access.scope}", which its resource does not have`);
    if (access !== undefined) route.config = { ...route.config, access };
    if (route.schema !== undefined && route.schema.hide !== true)
      route.schema = { ...route.schema, tags: [resource.tag] };
  });
}

export async function addResource<Parts>(app: FastifyInstance, resource: Resource<Parts>, parts: Parts): Promise<void> {
  const addRoutes = async (routes: FastifyInstance): Promise<void> => {
    routes.decorate('resource', resource);
    resource.routes(routes as unknown as App, parts);
  };
  // For one without a name, Fastify looks through all modules that are loaded.
  await app.register(Object.assign(addRoutes, { [Symbol.for('fastify.display-name')]: resource.tag }));
}

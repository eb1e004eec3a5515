import swagger from '@fastify/swagger';
import apiReference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

/** Serves `/openapi.json`, made from the schemas that check the requests, and `/docs`, made from that. */
export async function serveOpenApi(app: FastifyInstance, version: string): Promise<void> {
  const transform = createJsonSchemaTransform({ skipList: ['/docs', '/docs/*', '/openapi.json', '/*'] });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Parley', version, description: 'Live conversations with AI personas.', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: '/' }],
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, or a session token where a route says so.' } } },
    },
    transform(route) {
      const transformed = transform(route);
      const access = route.route.config?.access;
      return access === undefined || access === 'open' ? { ...transformed, schema: { ...transformed.schema, security: [] } } : { ...transformed, schema: { ...transformed.schema, security: [{ apiKey: [] }] } };
    },
    // Adds every schema that has an id, with `Input` behind its name where it describes a request.
    transformObject: jsonSchemaTransformObject,
  });
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'open' } }, async () => app.swagger());
  await app.register(apiReference, { routePrefix: '/docs', configuration: { url: '/openapi.json', title: 'Parley API', withDefaultFonts: false, telemetry: false } });
}

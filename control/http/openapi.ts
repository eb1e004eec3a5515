import swagger from '@fastify/swagger';
import apiReference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { startWithKey, startWithToken } from '../sessions/persona-config.ts';

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
    transformObject: (document) => withBodySchemas(createJsonSchemaTransformObject({})(document) as object),
  });
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'open' } }, async () => app.swagger());
  await app.register(apiReference, { routePrefix: '/docs', configuration: { url: '/openapi.json', title: 'Parley API', withDefaultFonts: false, telemetry: false } });
}

/** The body of `POST /v1/engine/session` depends on the credential, so no route carries its schemas. */
function withBodySchemas(document: object): Record<string, unknown> {
  const described = document as { components?: { schemas?: Record<string, unknown> } };
  const input = (schema: z.ZodType): object => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', reused: 'inline', target: 'draft-2020-12' }) as Record<string, unknown>;
    return rest;
  };
  return {
    ...described,
    components: { ...described.components, schemas: { ...described.components?.schemas, StartSessionInput: input(startWithKey), StartSessionWithTokenInput: input(startWithToken) } },
  };
}

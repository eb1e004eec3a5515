import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { Refusal } from '../errors/http-error.ts';
import type { Resource } from './resource.ts';
import { foreignPagePolicy } from './content-policy.ts';
import { describeAnswers, type RouteNotes } from './describe-answers.ts';
import { sortDocument } from './sort-document.ts';

/** Serves `/openapi.json`, made from the resources and the schemas that check requests, and `/docs`, made from that. @param prefix path before all others. */
export async function serveOpenApi(
  app: FastifyInstance,
  version: string,
  resources: readonly Resource[],
  prefix = '',
): Promise<void> {
  const transform = createJsonSchemaTransform({ skipList: ['/docs', '/docs/*', '/openapi.json', '/*'] });
  /** What each route answers to an unknown id. */
  const missing = new Map<string, Refusal>();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        version,
        description: 'Live conversations with AI personas.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: prefix === '' ? '/' : prefix }],
      tags: resources.map(({ tag, description }) => ({ name: tag, description })),
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, the token of a sign-in, or a session token where a route says so.',
          },
        },
      },
    },
    transform(route) {
      const transformed = transform(route);
      const { access, pathId } = route.route.config ?? {};
      if (pathId !== undefined)
        for (const method of [route.route.method].flat())
          missing.set(`${method} ${route.url.replaceAll(/:(\w+)/g, '{$1}')}`, pathId.missing);
      return access === undefined || access === 'open'
        ? { ...transformed, schema: { ...transformed.schema, security: [] } }
        : { ...transformed, schema: { ...transformed.schema, security: [{ apiKey: [] }] } };
    },
    // Adds every schema that has an id, with `Input` after its name if it describes a request.
    transformObject: (document) =>
      sortDocument(describeAnswers(jsonSchemaTransformObject(document), notesOf(resources, missing))),
  });
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'open' } }, async () => app.swagger());
  await serveReference(app);
}

/** `/docs`. The page's library is loaded with the first request: 4 MB in 250 files, which took each start 0.2 s. */
async function serveReference(app: FastifyInstance): Promise<void> {
  let reference: Promise<FastifyInstance> | undefined;
  let policy: string | undefined;
  for (const path of ['/docs', '/docs/js/scalar.js'])
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      // Relative, as everything on the page: there may be a path before it.
      if (request.url.split('?', 1)[0] === '/docs') return reply.redirect('docs/', 301);
      const page = await (await (reference ??= openReference())).inject(request.url);
      const type = String(page.headers['content-type']);
      // The page is always the same.
      if (type.startsWith('text/html'))
        reply.header('content-security-policy', (policy ??= foreignPagePolicy(page.payload)));
      return reply.type(type).send(page.payload);
    });
}

/** The icon and the colors of the console: see `web/src/styles/tokens.css`. */
const OURS = {
  title: 'Parley API',
  pageTitle: 'Parley API',
  favicon: '../icon.svg',
  customCss: '.light-mode, .dark-mode { --scalar-color-accent: #c8431d; --scalar-background-accent: #c8431d1f; }',
} as const;

async function openReference(): Promise<FastifyInstance> {
  // This page must not send to its makers what is read or tried here.
  const withoutServices = {
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
  };
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(apiReference, {
    routePrefix: '/docs',
    configuration: { url: '../openapi.json', ...OURS, ...withoutServices },
  });
  return app;
}

/** What is known of each route beside its schemas, by `METHOD /path`. */
function notesOf(
  resources: readonly Resource[],
  missing: ReadonlyMap<string, Refusal>,
): ReadonlyMap<string, RouteNotes> {
  const notes = new Map<string, RouteNotes>();
  for (const [name, refusal] of missing) notes.set(name, { missing: refusal });
  for (const { examples } of resources)
    for (const [name, example] of Object.entries(examples)) notes.set(name, { ...notes.get(name), ...example });
  return notes;
}

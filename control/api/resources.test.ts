import type { RouteOptions } from 'fastify';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { HttpError, type Refusals } from '../errors/http-error.ts';
import type { Resource } from '../http/resource.ts';
import type { Control } from '../app/control.ts';
import { RESOURCES } from './resources.ts';
import { errorAnswers, idPath } from '../http/schemas.ts';
import { misfit, openApiDocument, operationsOf } from '../testing/openapi-document.ts';
import { startTestService } from '../testing/service.ts';
import { describeOnSqlite } from '../testing/stores.ts';

/** Of an answer: JSON, or the one of its only other content type. */
type AnswerSchema = z.ZodType | { readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>> };

function schemaOf(answer: AnswerSchema): z.ZodType {
  return 'content' in answer ? Object.values(answer.content)[0]!.schema : answer;
}

const toyErrors = { toyNotFound: [404, 'Toy not found', 'No toy has this id.'] } as const satisfies Refusals;
const toy = z.object({ id: z.string(), name: z.string() });
const ball = { id: '7d0c7b7e-7f0c-4a39-9a53-0b8f3a0a7f11', name: 'Ball' };

/** Everything that a new resource has to provide. */
const toys: Resource<Control> = {
  tag: 'Toys',
  description: 'What children play with.',
  scopes: [{ name: 'toys', byDefault: true }],
  errors: toyErrors,
  examples: {
    'POST /v1/toys': { request: { name: 'Ball' }, answer: ball },
    'GET /v1/toys/{id}': { answer: ball },
  },
  routes(app) {
    app.post(
      '/v1/toys',
      {
        schema: {
          summary: 'Make a toy',
          body: z.object({ name: z.string() }),
          response: { 201: toy, ...errorAnswers(400) },
        },
      },
      async (request, reply) => reply.status(201).send({ id: ball.id, name: request.body.name }),
    );
    app.get(
      '/v1/toys/:id',
      {
        config: { pathId: { status: 404, missing: toyErrors.toyNotFound } },
        schema: { summary: 'Read a toy', params: idPath, response: { 200: toy, ...errorAnswers(404) } },
      },
      async (request) => {
        if (request.params.id !== ball.id) throw new HttpError(toyErrors.toyNotFound);
        return ball;
      },
    );
  },
};

describeOnSqlite('a resource', (stores) => {
  it('is guarded and documented by what its folder says', async () => {
    const service = await startTestService(await stores.open(), { resources: [...RESOURCES, toys] });
    const make = (key: string | null) => service.send('POST', '/v1/toys', { name: 'Ball' }, key);
    expect((await make(null)).status).toBe(401);
    expect(await make(await service.keyWith(['personas', 'toys:read']))).toMatchObject({ status: 403 });
    const key = await service.keyWith(['toys']);
    expect(await make(key)).toMatchObject({ status: 201, body: ball });
    expect(await service.send('GET', '/v1/toys/nothing', undefined, key)).toMatchObject({
      status: 404,
      body: { error: 'Toy not found' },
    });

    const document = await openApiDocument(service);
    expect(document.tags).toContainEqual({ name: 'Toys', description: 'What children play with.' });
    const made = operationsOf(document).get('POST /v1/toys')!;
    expect(made).toMatchObject({ tags: ['Toys'], security: [{ apiKey: [] }] });
    const request = made.requestBody!.content['application/json']!;
    const answer = made.responses['201']!.content!['application/json']!;
    for (const [content, example] of [
      [request, { name: 'Ball' }],
      [answer, ball],
    ] as const) {
      expect(content.example).toEqual(example);
      expect(misfit(document, content.schema, example)).toBeNull();
      expect(misfit(document, content.schema, { ...example, name: 3 })).not.toBeNull();
    }
    expect(operationsOf(document).get('GET /v1/toys/{id}')!.responses['404']).toMatchObject({
      description: 'Toy not found: No toy has this id.',
      content: { 'application/json': { example: { error: 'Toy not found' } } },
    });
    await service.close();
  });

  it('cannot ask for a scope that it does not have, or for none without saying so', async () => {
    const store = await stores.open();
    const scoped = (scope: string): Resource<Control> => ({
      ...toys,
      routes: (app) => void app.get('/v1/toys', { config: { access: { scope } } }, async () => ({})),
    });
    await expect(startTestService(store, { resources: [scoped('personas')] })).rejects.toThrow(
      '/v1/toys asks for the scope "personas", which its resource does not have',
    );
    await expect(startTestService(store, { resources: [{ ...toys, scopes: [] }] })).rejects.toThrow(
      '/v1/toys does not say who may call it',
    );
  });

  it('shares no tag, error or example with another, and a scope only as it is', () => {
    const every = <T>(of: (resource: Resource) => readonly T[]) => RESOURCES.flatMap(of);
    for (const names of [
      every(({ tag }) => [tag]),
      // One object: who shares a scope takes it from the other resource.
      [...new Set(every(({ scopes }) => scopes))].map(({ name }) => name),
      // One resource may say the same for two reasons: a 429 has one name, and its message says which.
      every(({ errors }) => [...new Set(Object.values(errors).map(([, error]) => error))]),
      every(({ examples }) => Object.keys(examples)),
    ])
      expect(names).toEqual([...new Set(names)]);
  });

  it('has examples of its own routes only, and each one is what the schemas read and write', async () => {
    const routes: { readonly resource: Resource<Control>; readonly route: RouteOptions }[] = [];
    const all: readonly Resource<Control>[] = RESOURCES;
    const resources = all.map((resource) => ({
      ...resource,
      routes: (...[app, control]: Parameters<Resource<Control>['routes']>) => {
        app.addHook('onRoute', (route) => void routes.push({ resource, route }));
        resource.routes(app, control);
      },
    }));
    await (await startTestService(await stores.open(), { resources })).close();
    for (const resource of RESOURCES) {
      for (const [name, { request, answer, refusals = [], otherAnswers = {} }] of Object.entries(resource.examples)) {
        const found = routes.find(
          ({ resource: { tag }, route: { method, url } }) =>
            tag === resource.tag && `${String(method)} ${url.replaceAll(/:(\w+)/g, '{$1}')}` === name,
        );
        const { body, response = {} } = (found?.route.schema ?? {}) as {
          readonly body?: z.ZodType;
          readonly response?: Readonly<Record<string, AnswerSchema>>;
        };
        expect(Object.keys(response), `${resource.tag}: ${name} is no route`).not.toEqual([]);
        for (const example of request === undefined
          ? ((body?.meta()?.examples as object[]) ?? [])
          : [request as object])
          // Schemas add and convert fields. A field that they drop is useless in an example.
          expect(Object.keys(body!.parse(example) as object), name).toEqual(
            expect.arrayContaining(Object.keys(example)),
          );
        const [success] = Object.entries(response).filter(([status]) => status.startsWith('2'));
        if (answer !== undefined) expect(schemaOf(success![1]).parse(answer), name).toEqual(answer);
        for (const [status] of refusals) expect(response, name).toHaveProperty([String(status)]);
        for (const [status, other] of Object.entries(otherAnswers))
          expect(schemaOf(response[status]!).parse(other.body), name).toEqual(other.body);
      }
    }
  });
});

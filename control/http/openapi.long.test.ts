import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  examplesOf,
  misfit,
  type OpenApiDocument,
  openApiDocument,
  type Operation,
  operationsOf,
} from '../testing/openapi-document.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { describeOnSqlite } from '../testing/stores.ts';

describeOnSqlite('the OpenAPI document', (stores) => {
  let service: TestService;
  let document: OpenApiDocument;
  let operations: ReadonlyMap<string, Operation>;
  beforeAll(async () => {
    service = await startTestService(await stores.open());
    document = await openApiDocument(service);
    operations = operationsOf(document);
  });
  afterAll(async () => service.close());

  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(await new Validator().validate({ ...document })).toEqual({ valid: true });
  });

  it('resolves every reference that it makes', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\/components\/schemas\//);
      expect(document.components.schemas, reference).toHaveProperty([reference.split('/').at(-1)!]);
    }
  });

  it('describes every route of the API, in words, with its answers', () => {
    expect(operations.size).toBeGreaterThan(60);
    const headings = document.tags.map(({ name }) => name);
    for (const [name, operation] of operations) {
      expect(operation.summary, name).toEqual(expect.any(String));
      expect(operation.tags, name).toEqual([expect.toBeOneOf(headings)]);
      expect(operation.security, name).toBeDefined();
      const statuses = Object.keys(operation.responses);
      expect(
        // A WebSocket is opened by 101.
        statuses.some((status) => status.startsWith('2') || status === '101'),
        name,
      ).toBe(true);
      if (name.includes('/v1/'))
        expect(
          statuses.some((status) => status.startsWith('4')),
          name,
        ).toBe(true);
    }
  });

  it('gives an example of every request and every answer, and the examples fit', () => {
    for (const [name, { requestBody, responses }] of operations) {
      const request = requestBody?.content['application/json'];
      if (request !== undefined) {
        const examples = examplesOf(document, request);
        expect(examples, `${name}: request`).not.toEqual([]);
        for (const example of examples)
          expect(misfit(document, request.schema, example), `${name}: request`).toBeNull();
      }
      for (const [status, { description, content }] of Object.entries(responses)) {
        expect(description, `${name}: ${status}`).not.toBe('Default Response');
        const answer = content?.['application/json'];
        if (answer === undefined) continue;
        expect(answer.example, `${name}: ${status}`).toBeDefined();
        expect(misfit(document, answer.schema, answer.example), `${name}: ${status}`).toBeNull();
      }
    }
  });

  /** Three routes said so, though every body has a limit. */
  it('says of every route with a JSON body that it may be too large', () => {
    for (const [name, { requestBody, responses }] of operations)
      if (requestBody?.content['application/json'] !== undefined)
        expect(responses['413']?.description, name).toMatch(/^Payload too large: /);
  });

  it('does not depend on the order in which things are loaded', () => {
    for (const names of [Object.keys(document.paths), Object.keys(document.components.schemas)])
      expect(names).toEqual(names.toSorted());
    for (const [path, methods] of Object.entries(document.paths)) {
      const usual = ['get', 'post', 'put', 'delete'].filter((method) => method in methods);
      expect(Object.keys(methods), path).toEqual(usual);
    }
  });

  it('serves a page to read it, without anything from elsewhere', async () => {
    const page = await service.send('GET', '/docs/', undefined, null);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    for (const match of page.text.matchAll(/<(?:script|link)[^>]+(?:src|href)="(https?:[^"]+)"/g))
      expect.fail(`the page loads ${match[1]}`);
  });
});

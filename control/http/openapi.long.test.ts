import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openStore, type Store } from '../store/open.ts';
import { startTestService, type TestService } from '../testing/service.ts';

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
}
interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly responses: Record<string, { readonly description: string; readonly content?: Record<string, Content> }>;
  readonly security?: readonly unknown[];
}

describe('the OpenAPI document', () => {
  let service: TestService;
  let store: Store;
  let document: {
    openapi: string;
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-openapi-'));
  beforeAll(async () => {
    store = await openStore({ dataDir });
    service = await startTestService(store, { dataDir });
    document = (await service.send('GET', '/openapi.json', undefined, null)).body;
  });
  afterAll(async () => {
    await service.close();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(await new Validator().validate(document)).toEqual({ valid: true });
  });

  it('resolves every reference that it makes', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\/components\/schemas\//);
      expect(document.components.schemas, reference).toHaveProperty([reference.split('/').at(-1)!]);
    }
  });

  it('describes every route of the API, in words, with its answers', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    expect(operations.length).toBeGreaterThan(60);
    for (const { path, method, operation } of operations.filter((one) => one.path.startsWith('/v1'))) {
      expect(operation.summary, `${method} ${path}`).toEqual(expect.any(String));
      expect(operation.tags, `${method} ${path}`).toHaveLength(1);
      expect(
        Object.keys(operation.responses).some((status) => status.startsWith('2')),
        `${method} ${path}`,
      ).toBe(true);
      expect(
        Object.keys(operation.responses).some((status) => status.startsWith('4')),
        `${method} ${path}`,
      ).toBe(true);
      expect(operation.security, `${method} ${path}`).toBeDefined();
    }
  });

  /** The examples of a schema, or of those that it refers to. */
  const examplesOf = ({ $ref, anyOf = [], examples = [] }: Schema): readonly unknown[] =>
    $ref === undefined
      ? [...examples, ...anyOf.flatMap(examplesOf)]
      : examplesOf(document.components.schemas[$ref.split('/').at(-1)!]!);

  it('gives an example of every request and every answer, and the examples fit', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
    );
    const fits = (schema: object, example: unknown): string | null => {
      const selfContained = JSON.stringify({ ...schema, $defs: document.components.schemas }).replaceAll(
        '#/components/schemas/',
        '#/$defs/',
      );
      const checked = z.fromJSONSchema(JSON.parse(selfContained)).safeParse(example);
      return checked.success ? null : checked.error.message;
    };
    for (const { name, operation } of operations) {
      const request = operation.requestBody?.content['application/json'];
      if (request !== undefined) {
        const examples = request.example === undefined ? examplesOf(request.schema) : [request.example];
        expect(examples, `${name}: request`).not.toEqual([]);
      }
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect(description, `${name}: ${status}`).not.toBe('Default Response');
        const answer = content?.['application/json'];
        if (answer === undefined) continue;
        expect(answer.example, `${name}: ${status}`).toBeDefined();
        expect(fits(answer.schema, answer.example), `${name}: ${status}`).toBeNull();
      }
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

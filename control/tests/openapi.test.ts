import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/open.ts';
import { startTestService, type TestService } from '../testing/service.ts';

interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly responses: Record<string, unknown>;
  readonly security?: readonly unknown[];
}

describe('the OpenAPI document', () => {
  let service: TestService;
  let store: Store;
  let document: { openapi: string; paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, unknown> } };
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
    const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
    expect(operations.length).toBeGreaterThan(60);
    for (const { path, method, operation } of operations.filter((one) => one.path.startsWith('/v1'))) {
      expect(operation.summary, `${method} ${path}`).toEqual(expect.any(String));
      expect(operation.tags, `${method} ${path}`).toHaveLength(1);
      expect(Object.keys(operation.responses).some((status) => status.startsWith('2')), `${method} ${path}`).toBe(true);
      expect(Object.keys(operation.responses).some((status) => status.startsWith('4')), `${method} ${path}`).toBe(true);
      expect(operation.security, `${method} ${path}`).toBeDefined();
    }
  });

  it('serves a page to read it, without anything from elsewhere', async () => {
    const page = await service.send('GET', '/docs/', undefined, null);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    for (const match of page.text.matchAll(/<(?:script|link)[^>]+(?:src|href)="(https?:[^"]+)"/g)) expect.fail(`the page loads ${match[1]}`);
  });
});

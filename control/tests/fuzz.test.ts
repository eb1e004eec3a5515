import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, STOCK, type TestService } from '../testing/service.ts';

type Schema = { type?: string | string[]; properties?: Record<string, Schema>; items?: Schema; enum?: unknown[]; const?: unknown; anyOf?: Schema[]; allOf?: Schema[]; oneOf?: Schema[]; $ref?: string; required?: string[]; format?: string; minimum?: number; maximum?: number; minLength?: number; maxLength?: number };

interface Target {
  readonly method: string;
  readonly path: string;
  readonly parameters: { name: string; in: string; schema: Schema }[];
  readonly body: Schema | null;
}

/** Requests for each route; the number of all is in the thousands. */
const RUNS = 40;

describeOnBothDatabases('mutated requests', (stores) => {
  let service: TestService;
  let targets: Target[];
  let schemas: Record<string, Schema>;
  let ids: string[];

  beforeAll(async () => {
    service = await startTestService(await stores.open(), { settings: { PARLEY_MEETING_INVITES_PER_MINUTE: '10000', PARLEY_MEETING_INVITES_PER_HOUR: '100000' }, ports: { meetings: { async invite() {}, async cancel() {} }, videos: { wake() {} } } });
    service.engine.capacity = 1_000_000;
    const { body } = await service.send('GET', '/openapi.json', undefined, null);
    schemas = body.components.schemas;
    targets = Object.entries(body.paths as Record<string, Record<string, { parameters?: Target['parameters']; requestBody?: { content: Record<string, { schema: Schema }> } }>>)
      .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, parameters: operation.parameters ?? [], body: operation.requestBody?.content['application/json']?.schema ?? null })));
    const persona = await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar });
    const group = await service.send('POST', '/v1/knowledge/groups', { name: 'g' });
    const tool = await service.send('POST', '/v1/tools', { name: 't', description: 'd', type: 'CLIENT' });
    ids = [...Object.values(STOCK), persona.body.id, group.body.id, tool.body.id, 'CUSTOMER_CLIENT_V1'];
  });
  afterAll(async () => service.close());

  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\0', '\u{d800}', 'a'.repeat(300), '%', "'; drop table x", '../../etc/passwd', 'https://example.com', 'http://127.0.0.1', '2026-01-01T00:00:00Z', '9'.repeat(40), '__proto__', 'constructor'));
  const junk = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, fc.double(), fc.constantFrom(null, true, {}, [], -1, 1e308));

  /** Values that mostly fit a schema; `noise` says how often they do not, in percent. */
  function fitting(schema: Schema, noise: number, depth = 0): fc.Arbitrary<unknown> {
    const fit = (): fc.Arbitrary<unknown> => {
      if (depth > 6) return junk;
      if (schema.$ref !== undefined) return fitting(schemas[schema.$ref.split('/').at(-1)!] ?? {}, noise, depth + 1);
      if (schema.const !== undefined) return fc.constant(schema.const);
      if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
      const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
      if (choices !== undefined && choices.length > 0) return fc.oneof(...choices.map((choice) => fitting(choice, noise, depth + 1)));
      const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
      if (type === 'object' || schema.properties !== undefined) {
        const fields = Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, fitting(field, noise, depth + 1)]));
        return fc.tuple(fc.record(fields, { requiredKeys: (schema.required ?? []).filter((name) => name in fields) }), fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.dictionary(text, junk, { maxKeys: 2 }) })).map(([known, extra]) => ({ ...known, ...extra }));
      }
      if (type === 'array') return fc.array(fitting(schema.items ?? {}, noise, depth + 1), { maxLength: 3 });
      if (type === 'string') return schema.format === 'uuid' || schema.format === 'guid' ? fc.oneof(fc.constantFrom(...ids), fc.uuid()) : fc.oneof(text, fc.constantFrom(...ids, 'openai', 'https://llm.example.com/v1', 'meet.google.com/abc', 'CLIENT', 'client', 'en'));
      if (type === 'number' || type === 'integer') return fc.oneof(fc.integer({ min: schema.minimum === undefined ? -5 : Math.ceil(schema.minimum), max: Math.max(Math.ceil(schema.minimum ?? -5), Math.min(schema.maximum ?? 5000, 1e9)) }), fc.double({ noNaN: true }));
      if (type === 'boolean') return fc.boolean();
      if (type === 'null') return fc.constant(null);
      return junk;
    };
    return fc.oneof({ weight: 100 - noise, arbitrary: fit() }, { weight: noise, arbitrary: junk });
  }

  const segment = () => fc.oneof(fc.constantFrom(...ids), fc.uuid(), text.map((value) => encodeURIComponent(value.toWellFormed())), fc.constantFrom('%00', '%E0', '..', '*', 'concurrency'));
  const header = fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.record({ 'x-upload-token': fc.constantFrom('a.b', 'e30.x', '...', ''), origin: fc.constantFrom('null', 'https://x.example'), 'content-type': fc.constantFrom('text/plain', 'multipart/form-data; boundary=x', 'multipart/form-data', 'application/json; charset=utf-16', ''), 'x-forwarded-host': fc.constant('evil example'), host: fc.constantFrom('', 'a b', '[::1]:80') }, { requiredKeys: [] }) });

  it('never meet an internal error, a hang or an answer that cannot be read', async () => {
    let sent = 0;
    let accepted = 0;
    for (const target of targets) {
      const path = fc.array(segment(), { minLength: 4, maxLength: 4 }).map((values) => target.path.replaceAll(/\{\w+\}/g, () => values.pop() ?? 'x'));
      const query = fc.record(Object.fromEntries(target.parameters.filter((parameter) => parameter.in === 'query').map((parameter) => [parameter.name, fc.oneof(fitting(parameter.schema, 20).map((value) => (typeof value === 'string' ? value : JSON.stringify(value) ?? '')), text)])), { requiredKeys: [] });
      const body = target.body === null ? fc.constant(undefined) : fc.oneof({ weight: 8, arbitrary: fitting(target.body, 6).map((value) => JSON.stringify(value)) }, { weight: 1, arbitrary: junk.map((value) => JSON.stringify(value)) }, { weight: 1, arbitrary: text });
      await fc.assert(fc.asyncProperty(path, query, body, header, async (url, values, payload, headers) => {
        const search = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, (value ?? '').toWellFormed()])).toString();
        const answer = await service.send(target.method, search === '' ? url : `${url}?${search}`, payload, service.key, headers);
        sent += 1;
        if (answer.status < 300) accepted += 1;
        // 502 and 503 are answers of the contract; 500 is not.
        if (answer.status >= 500 && answer.status !== 503) throw new Error(`${answer.status} ${answer.text} for ${payload ?? ''}; ${service.logged.at(-1)}`);
        if (answer.status >= 400 && (typeof answer.body?.error !== 'string' || typeof answer.body?.message !== 'string')) throw new Error(`not an error body: ${answer.text}`);
      }), { numRuns: RUNS, seed: 20_260_101, endOnFailure: true });
    }
    expect(sent).toBeGreaterThan(2000);
    // Otherwise the fuzzing would only ever knock at the door.
    expect(accepted / sent).toBeGreaterThan(0.05);
  }, 300_000);
});

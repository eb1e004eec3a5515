import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiRoutes, type ApiRoutes } from '../testing/api-routes.ts';
import type { JsonSchema } from '../testing/openapi-document.ts';
import { fittingValues, junk, oddText } from '../testing/fitting-values.ts';
import { FakeCloner } from '../testing/fake-cloner.ts';
import { FakeMeetings } from '../testing/fake-meetings.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';

/** Requests for each route, the same in every run. */
const AMOUNTS = [
  { amount: 'some', runs: 8, tags: [] },
  { amount: 'thousands', runs: 40, tags: ['nightly'] },
];

describeOnBothDatabases('mutated requests', (stores) => {
  let service: TestService;
  let api: ApiRoutes;
  let ids: string[];

  beforeAll(async () => {
    service = await startTestService(await stores.open(), {
      settings: { PARLEY_MEETING_INVITES_PER_MINUTE: '10000', PARLEY_MEETING_INVITES_PER_HOUR: '100000' },
      ports: {
        meetings: new FakeMeetings(),
        videos: { wake() {} },
        voiceCloners: [new FakeCloner()],
        voiceSpeaker: { speak: async () => Buffer.from('RIFF') },
      },
    });
    service.engine.capacity = 1_000_000;
    api = await apiRoutes(service);
    const persona = await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar });
    const group = await service.send('POST', '/v1/knowledge/groups', { name: 'g' });
    const tool = await service.send('POST', '/v1/tools', { name: 't', description: 'd', type: 'CLIENT' });
    ids = [...Object.values(STOCK), persona.body.id, group.body.id, tool.body.id, 'CUSTOMER_CLIENT_V1'];
  });
  afterAll(async () => service.close());

  const segment = () =>
    fc.oneof(
      fc.constantFrom(...ids),
      fc.uuid(),
      oddText.map((value) => encodeURIComponent(value.toWellFormed())),
      fc.constantFrom('%00', '%E0', '..', '*', 'concurrency'),
    );
  const header = fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          'x-upload-token': fc.constantFrom('a.b', 'e30.x', '...', ''),
          origin: fc.constantFrom('null', 'https://x.example'),
          'content-type': fc.constantFrom(
            'text/plain',
            'multipart/form-data; boundary=x',
            'multipart/form-data',
            'application/json; charset=utf-16',
            '',
          ),
          'x-forwarded-host': fc.constant('evil example'),
          host: fc.constantFrom('', 'a b', '[::1]:80'),
        },
        { requiredKeys: [] },
      ),
    },
  );

  describe.for(AMOUNTS)('($amount)', ({ runs, tags }) => {
    it('never meet an internal error, a hang or an answer that cannot be read', { tags }, async () => {
      let sent = 0;
      let accepted = 0;
      for (const target of api.routes) {
        const fitting = (schema: JsonSchema, noise: number) =>
          fittingValues(schema, { resolve: api.resolve, ids, noise });
        const path = fc
          .array(segment(), { minLength: 4, maxLength: 4 })
          .map((values) => target.path.replaceAll(/\{\w+\}/g, () => values.pop() ?? 'x'));
        const query = fc.record(
          Object.fromEntries(
            target.parameters
              .filter((parameter) => parameter.in === 'query')
              .map((parameter) => [
                parameter.name,
                fc.oneof(
                  fitting(parameter.schema, 20).map((value) =>
                    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
                  ),
                  oddText,
                ),
              ]),
          ),
          { requiredKeys: [] },
        );
        const body =
          target.body === null
            ? fc.constant(undefined)
            : fc.oneof(
                { weight: 8, arbitrary: fitting(target.body, 6).map((value) => JSON.stringify(value)) },
                { weight: 1, arbitrary: junk.map((value) => JSON.stringify(value)) },
                { weight: 1, arbitrary: oddText },
              );
        await fc.assert(
          fc.asyncProperty(path, query, body, header, async (url, values, payload, headers) => {
            const search = new URLSearchParams(
              Object.entries(values).map(([name, value]) => [name, (value ?? '').toWellFormed()]),
            ).toString();
            const answer = await service.send(
              target.method,
              search === '' ? url : `${url}?${search}`,
              payload,
              service.key,
              headers,
            );
            sent += 1;
            if (answer.status < 300) accepted += 1;
            // 502 and 503 are answers of the contract; 500 is not.
            if (answer.status >= 500 && answer.status !== 503)
              throw new Error(`${answer.status} ${answer.text} for ${payload ?? ''}; ${service.logged.at(-1)}`);
            if (
              answer.status >= 400 &&
              (typeof answer.body?.error !== 'string' || typeof answer.body?.message !== 'string')
            )
              throw new Error(`not an error body: ${answer.text}`);
          }),
          { numRuns: runs, seed: 20_260_101, endOnFailure: true },
        );
      }
      expect(sent).toBe(runs * api.routes.length);
      // Otherwise the fuzzing would only reach the access checks.
      expect(accepted / sent).toBeGreaterThan(0.05);
    });
  });
});

import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHORT_TEXTS, SHORT_VALUES } from '../../actors/testing/hostile-values.ts';
import { apiRoutes, type ApiRoutes } from '../testing/api-routes.ts';
import { expectContract } from '../testing/expect-contract.ts';
import { hostileBodies } from '../testing/hostile-bodies.ts';
import { Form } from '../testing/form.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { IMAGE, STOCK } from '../testing/stock.ts';
import { FakeCloner } from '../testing/fake-cloner.ts';
import { FakeMeetings } from '../testing/fake-meetings.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';

/** Requests of each kind, the same in every run. */
const AMOUNTS = [
  { amount: 'hundreds', runs: { bodies: 300, addresses: 120, forms: 50 }, tags: [] },
  { amount: 'thousands', runs: { bodies: 1_500, addresses: 600, forms: 150 }, tags: ['nightly'] },
];
const SEED = 20_260_101;

describeOnBothDatabases('hostile values', (stores) => {
  let service: TestService;
  let api: ApiRoutes;
  let ids: { persona: string; group: string; all: readonly string[] };

  beforeAll(async () => {
    const settings = { PARLEY_MEETING_INVITES_PER_MINUTE: '10000', PARLEY_MEETING_INVITES_PER_HOUR: '100000' };
    service = await startTestService(await stores.open(), {
      settings,
      ports: {
        meetings: new FakeMeetings(),
        videos: { wake() {} },
        voiceCloners: [new FakeCloner()],
        voiceSpeaker: { speak: async () => Buffer.from('RIFF') },
      },
    });
    service.engine.capacity = 1_000_000;
    api = await apiRoutes(service);
    const persona = (await service.send('POST', '/v1/personas', { avatarId: STOCK.avatar })).body.id as string;
    const group = (await service.send('POST', '/v1/knowledge/groups', { name: 'g' })).body.id as string;
    ids = { persona, group, all: [...Object.values(STOCK), persona, group] };
  });
  afterAll(async () => service.close());

  describe.for(AMOUNTS)('($amount)', ({ runs, tags }) => {
    it('in every field get an answer of the contract', { tags }, async () => {
      await fc.assert(
        fc.asyncProperty(hostileBodies(api, SHORT_VALUES, ids), async ({ named, request }) => {
          const { method, path, body } = request();
          expectContract(service, await service.send(method, path, body), JSON.stringify(named));
        }),
        { numRuns: runs.bodies, seed: SEED, endOnFailure: true },
      );
      expect(Object.keys(Object.prototype)).toEqual([]);
    });

    it('in addresses get an answer of the contract', { tags }, async () => {
      const text = fc.constantFrom(...SHORT_TEXTS, ...ids.all);
      const addresses = fc.constantFrom(...api.routes).chain((route) => {
        const query = route.parameters
          .filter((parameter) => parameter.in === 'query')
          .map(({ name }) => [name, text] as const);
        return fc
          .tuple(
            fc.infiniteStream(text),
            fc.record(Object.fromEntries(query), { requiredKeys: [] }),
            fc.dictionary(text, text, { maxKeys: 1 }),
          )
          .map(([segments, known, unknown]) => {
            const path = route.path.replaceAll(/\{\w+\}/g, () => encoded(segments.next().value));
            const search = Object.entries({ ...known, ...unknown })
              .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
              .join('&');
            return { method: route.method, url: search === '' ? path : `${path}?${search}` };
          });
      });
      await fc.assert(
        fc.asyncProperty(addresses, async ({ method, url }) => {
          expectContract(service, await service.send(method, url), `${method} ${url.slice(0, 200)}`);
        }),
        { numRuns: runs.addresses, seed: SEED, endOnFailure: true },
      );
    });

    it('in forms get an answer of the contract', { tags }, async () => {
      const text = fc.constantFrom(...SHORT_TEXTS, 'true', '100', 'en');
      const forms = fc.record({
        to: fc.constantFrom(
          { path: '/v1/voices', file: 'audioFile' },
          { path: '/v1/avatars', file: 'imageFile' },
          { path: `/v1/knowledge/groups/${ids.group}/documents`, file: 'file' },
        ),
        fields: fc.array(
          fc.tuple(
            fc.oneof(
              text,
              fc.constantFrom(
                'name',
                'displayName',
                'language',
                'enhance',
                'imageUrl',
                'chunkSize',
                'chunkOverlap',
                '__proto__',
                'constructor',
              ),
            ),
            text,
          ),
          { maxLength: 25 },
        ),
        filename: fc.oneof(text, fc.constantFrom('a.txt', 'a.pdf', 'a.docx', '../a.txt', 'a.png')),
        contentType: fc.oneof(text, fc.constantFrom('text/plain', 'image/png', 'audio/wav', 'application/pdf')),
        content: fc.oneof(fc.constant(IMAGE), fc.uint8Array({ maxLength: 500 })),
      });
      await fc.assert(
        fc.asyncProperty(forms, async ({ to, fields, filename, contentType, content }) => {
          const form = new Form();
          for (const [name, value] of fields) form.field(name, value);
          form.file(to.file, filename, contentType, content);
          expectContract(
            service,
            await service.send('POST', to.path, form),
            `a form to ${to.path} with ${JSON.stringify({ fields, filename, contentType }).slice(0, 500)}`,
          );
        }),
        { numRuns: runs.forms, seed: SEED, endOnFailure: true },
      );
    });
  });
});

/** As a client puts text into an address. A lone surrogate is not possible there. */
function encoded(text: string | undefined): string {
  return encodeURIComponent((text ?? '').toWellFormed());
}

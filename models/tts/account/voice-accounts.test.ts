import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type AccountRequest, type AccountServer, json, startAccountServer } from '../testing/account-server.ts';
import { cartesiaAccount } from './cartesia-account.ts';
import { deepgramAccount } from './deepgram-account.ts';
import { elevenLabsAccount } from './elevenlabs-account.ts';
import type { VoiceAccount, WantedCopy } from './voice-account.ts';

const open: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

const makers = {
  ElevenLabs: elevenLabsAccount,
  Cartesia: cartesiaAccount,
  Deepgram: deepgramAccount,
};

async function start(
  name: keyof typeof makers,
  answer: (request: AccountRequest, response: ServerResponse) => void,
): Promise<{ account: VoiceAccount; server: AccountServer }> {
  const server = await startAccountServer(answer);
  const account = makers[name]({ apiKey: 'key-of-test', baseUrl: server.url });
  open.push(server.close, account.close);
  return { account, server };
}
const signal = new AbortController().signal;

function recording(text = 'a recording'): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-recording-'));
  open.push(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'me.wav');
  writeFileSync(path, text);
  return path;
}
const copy = (more: Partial<WantedCopy> = {}): WantedCopy => ({
  name: 'Me',
  description: 'My own voice',
  organizationId: '26a04c41-32c5-4a32-8e20-b2b960c2755e',
  language: 'de',
  enhance: true,
  recording: { path: recording(), filename: 'me.wav', contentType: 'audio/wav' },
  ...more,
});

describe('the voices of an ElevenLabs account', () => {
  const page = (voices: object[], next: string | null = null) => ({
    voices,
    has_more: next !== null,
    total_count: 3,
    next_page_token: next,
  });

  it('are read page by page, with what is told of them', async () => {
    const { account, server } = await start('ElevenLabs', ({ query }, response) => {
      json(
        response,
        query.get('next_page_token') === null
          ? page(
              [
                {
                  voice_id: '21m00Tcm4TlvDq8ikWAM',
                  name: 'Rachel',
                  category: 'premade',
                  description: null,
                  labels: {
                    accent: 'american',
                    descriptive: 'calm',
                    use_case: 'narration',
                    gender: 'female',
                    language: 'en',
                  },
                  preview_url: 'https://files.example.com/rachel.mp3',
                  verified_languages: [
                    { language: 'en', model_id: 'm', accent: 'american', locale: 'en-US', preview_url: null },
                    { language: 'fr', model_id: 'm', accent: null, locale: 'fr-FR', preview_url: null },
                  ],
                },
              ],
              'second',
            )
          : page([
              { voice_id: 'own', name: 'Night\u0000 shift\n', description: 'Deep', labels: { gender: 'non-binary' } },
            ]),
      );
    });
    expect(await account.list(signal)).toEqual([
      {
        providerVoiceId: '21m00Tcm4TlvDq8ikWAM',
        displayName: 'Rachel',
        gender: 'female',
        languages: ['en', 'fr'],
        country: 'US',
        description: 'American, calm, narration',
        sampleUrl: 'https://files.example.com/rachel.mp3',
      },
      {
        providerVoiceId: 'own',
        displayName: 'Night shift',
        gender: 'neutral',
        languages: null,
        country: null,
        description: 'Deep',
        sampleUrl: null,
      },
    ]);
    expect(server.seen.map(({ path, query }) => `${path}?${query}`)).toEqual([
      '/v2/voices?page_size=100',
      '/v2/voices?page_size=100&next_page_token=second',
    ]);
    expect(server.seen[0]?.headers['xi-api-key']).toBe('key-of-test');
  });

  it('get a copy of a recording, which is sent from disk, and lose it again', async () => {
    const { account, server } = await start('ElevenLabs', ({ method }, response) =>
      json(response, method === 'POST' ? { voice_id: 'copy-1', requires_verification: false } : { status: 'ok' }),
    );
    expect(await account.cloning!.clone(copy(), signal)).toBe('copy-1');
    const { method, path, form } = server.seen[0]!;
    expect(`${method} ${path}`).toBe('POST /v1/voices/add');
    expect(Object.fromEntries([...form!].filter(([name]) => name !== 'files'))).toEqual({
      name: 'Me',
      description: 'Parley organization 26a04c41-32c5-4a32-8e20-b2b960c2755e: My own voice',
      labels: '{"language":"de"}',
      remove_background_noise: 'true',
    });
    const file = form!.get('files') as File;
    expect([file.name, file.type, await file.text()]).toEqual(['me.wav', 'audio/wav', 'a recording']);
    await account.cloning!.remove('copy-1', signal);
    expect(`${server.seen[1]?.method} ${server.seen[1]?.path}`).toBe('DELETE /v1/voices/copy-1');
  });

  it.each([
    [400, { status: 'voice_limit_reached', message: 'secret' }, 'plan', 'holds as many voices as the plan'],
    [
      400,
      { type: 'payment_required', code: 'paid_plan_required', message: 'secret' },
      'plan',
      'does not include voice cloning',
    ],
    [401, { status: 'missing_permissions', message: 'secret' }, 'key', 'does not allow this to the API key'],
    [400, { code: 'invalid_content', message: 'secret' }, 'request', 'did not accept the request'],
  ])('say in words why a copy is refused: %i %j', async (status, detail, problem, words) => {
    const { account } = await start('ElevenLabs', (_, response) => json(response, { detail }, status));
    const failure = await account.cloning!.clone(copy(), signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ problem });
    expect((failure as Error).message).toContain(`ElevenLabs ${words}`);
    expect((failure as Error).message).not.toContain('secret');
  });
});

describe('the voices of Cartesia', () => {
  it('are read page by page, with what is told of them', async () => {
    const { account, server } = await start('Cartesia', ({ query }, response) => {
      const first = query.get('starting_after') === null;
      json(response, {
        has_more: first,
        data: [
          first
            ? {
                id: '694f9389-aac1-45b6-b726-9d9369183238',
                name: 'Barbershop Man',
                description: 'A neutral male voice',
                language: 'en',
                gender: 'masculine',
                is_owner: false,
                is_public: true,
                created_at: '2024-01-01T00:00:00Z',
                preview_file_url: `${server.url}/files/one`,
              }
            : { id: 'second', name: '', language: 'de', gender: null, preview_file_url: null },
        ],
      });
    });
    expect(await account.list(signal)).toEqual([
      {
        providerVoiceId: '694f9389-aac1-45b6-b726-9d9369183238',
        displayName: 'Barbershop Man',
        gender: 'male',
        languages: ['en'],
        country: null,
        description: 'A neutral male voice',
        sampleUrl: `${server.url}/files/one`,
      },
      {
        providerVoiceId: 'second',
        displayName: 'second',
        gender: null,
        languages: ['de'],
        country: null,
        description: null,
        sampleUrl: null,
      },
    ]);
    expect(server.seen.map(({ path, query }) => `${path}?${query}`)).toEqual([
      '/voices?limit=100&expand%5B%5D=preview_file_url',
      '/voices?limit=100&expand%5B%5D=preview_file_url&starting_after=694f9389-aac1-45b6-b726-9d9369183238',
    ]);
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer key-of-test',
      'cartesia-version': '2025-04-16',
    });
    expect(account.sampleHeaders).toMatchObject({ authorization: 'Bearer key-of-test' });
  });

  it('get a copy of a recording, which is sent from disk, and lose it again', async () => {
    const { account, server } = await start('Cartesia', ({ method }, response) => {
      if (method === 'POST') json(response, { id: 'copy-2', name: 'Me', language: 'de', is_public: false });
      else response.writeHead(204).end();
    });
    expect(await account.cloning!.clone(copy({ description: null, enhance: false }), signal)).toBe('copy-2');
    const { method, path, form } = server.seen[0]!;
    expect(`${method} ${path}`).toBe('POST /voices/clone');
    expect(Object.fromEntries([...form!].filter(([name]) => name !== 'clip'))).toEqual({
      name: 'Me',
      description: 'Parley organization 26a04c41-32c5-4a32-8e20-b2b960c2755e',
      language: 'de',
      enhance: 'false',
    });
    const file = form!.get('clip') as File;
    expect([file.name, file.type, await file.text()]).toEqual(['me.wav', 'audio/wav', 'a recording']);
    await account.cloning!.remove('copy-2', signal);
    expect(`${server.seen[1]?.method} ${server.seen[1]?.path}`).toBe('DELETE /voices/copy-2');
  });

  it('say in words why a copy is refused, although older versions of the API answer with text', async () => {
    const { account } = await start('Cartesia', (_, response) =>
      response.writeHead(402, { 'content-type': 'text/plain' }).end('Quota exceeded: secret'),
    );
    await expect(account.cloning!.clone(copy(), signal)).rejects.toMatchObject({
      problem: 'plan',
      message: 'Cartesia does not include this in the plan of this deployment.',
    });
  });
});

describe('the voices of Deepgram', () => {
  it('are its models, with what is told of them; they cannot be copied', async () => {
    const { account, server } = await start('Deepgram', (_, response) =>
      json(response, {
        stt: [{ name: 'general', canonical_name: 'nova-3-general' }],
        tts: [
          {
            name: 'thalia',
            canonical_name: 'aura-2-thalia-en',
            architecture: 'aura-2',
            languages: ['en', 'en-US'],
            version: '2025-04-07.0',
            uuid: '2baf189d-91ac-481d-b6d1-750888667b31',
            metadata: {
              accent: 'American',
              age: 'Adult',
              sample: 'https://static.example.com/thalia.wav',
              tags: ['feminine', 'Clear', 'Confident'],
              use_cases: ['IVR'],
            },
          },
          { canonical_name: 'aura-2-nestor-es', languages: ['es'] },
        ],
      }),
    );
    expect(await account.list(signal)).toEqual([
      {
        providerVoiceId: 'aura-2-thalia-en',
        displayName: 'Thalia',
        gender: 'female',
        languages: ['en'],
        country: 'US',
        description: 'American, Clear, Confident',
        sampleUrl: 'https://static.example.com/thalia.wav',
      },
      {
        providerVoiceId: 'aura-2-nestor-es',
        displayName: 'aura-2-nestor-es',
        gender: null,
        languages: ['es'],
        country: null,
        description: null,
        sampleUrl: null,
      },
    ]);
    expect(server.seen[0]).toMatchObject({ path: '/v1/models', headers: { authorization: 'Token key-of-test' } });
    expect(account.cloning).toBeUndefined();
  });
});

describe.each(['ElevenLabs', 'Cartesia', 'Deepgram'] as const)('the account at %s', (name) => {
  const lists = (entries: unknown[]) =>
    ({
      ElevenLabs: { voices: entries, has_more: true, next_page_token: 'again' },
      Cartesia: { data: entries, has_more: true },
      Deepgram: { stt: [], tts: entries },
    })[name];

  it.each([
    [401, 'key', 'did not accept the API key'],
    [403, 'plan', 'does not allow this'],
    [429, 'busy', 'too many requests'],
    [500, 'down', 'answered with status 500'],
    [302, 'down', 'answered with status 302'],
  ] as const)('explains status %i without the service’s own words', async (status, problem, words) => {
    const { account } = await start(name, (_, response) =>
      response
        .writeHead(status, { location: 'http://127.0.0.1:9/' })
        .end('{"detail":{"message":"secret"},"message":"secret"}'),
    );
    const failure = await account.list(signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ problem, message: expect.stringContaining(words) });
    expect((failure as Error).message).toContain(name);
    expect((failure as Error).message).not.toContain('secret');
  });

  it('says that it cannot be reached, or sends nonsense', async () => {
    const { account, server } = await start(name, (_, response) => response.end('<html>'));
    await expect(account.list(signal)).rejects.toMatchObject({
      problem: 'down',
      message: `${name} sent something unexpected.`,
    });
    server.down();
    await expect(account.list(signal)).rejects.toMatchObject({
      problem: 'down',
      message: expect.stringContaining(`${name} could not be reached: `),
    });
  });

  it('leaves out what it does not understand, and reads no more than 2000 voices', async () => {
    let asked = 0;
    const { account } = await start(name, (_, response) => {
      asked += 1;
      const entries = Array.from({ length: name === 'Deepgram' ? 2_500 : 100 }, (__, k) => {
        const id = `voice-${asked}-${k}`;
        return { id, voice_id: id, canonical_name: id };
      });
      json(response, lists([null, 'x', { id: 'a b', voice_id: '../x', canonical_name: '' }, ...entries.slice(3)]));
    });
    const voices = await account.list(signal);
    expect(voices.length).toBeLessThanOrEqual(2_000);
    expect(voices.length).toBeGreaterThan(1_900);
    expect(asked).toBeLessThanOrEqual(20);
    expect(voices.every(({ providerVoiceId }) => providerVoiceId.startsWith('voice-'))).toBe(true);
  });

  it('ends an answer that is too large', async () => {
    const { account } = await start(name, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`"${'x'.repeat(9 * 1024 * 1024)}"`);
    });
    await expect(account.list(signal)).rejects.toMatchObject({ problem: 'down' });
  });
});

describe.each(['ElevenLabs', 'Cartesia'] as const)('copies at %s', (name) => {
  it('never appear in the list of the account, because it is offered to every organization', async () => {
    const { account } = await start(name, (_, response) => {
      const entries = [
        { description: 'Parley organization 26a04c41-32c5-4a32-8e20-b2b960c2755e: My own voice' },
        { description: 'Parley organization 26a04c41-32c5-4a32-8e20-b2b960c2755e' },
        { description: 'Made by the operator' },
      ].map((entry, k) => ({ ...entry, id: `v${k}`, voice_id: `v${k}` }));
      json(response, { voices: entries, data: entries, has_more: false });
    });
    expect((await account.list(signal)).map(({ providerVoiceId }) => providerVoiceId)).toEqual(['v2']);
  });

  it('that are gone already count as deleted; while the service is down they do not', async () => {
    const { account, server } = await start(name, (_, response) => json(response, {}, 404));
    await account.cloning!.remove('gone', signal);
    server.down();
    await expect(account.cloning!.remove('gone', signal)).rejects.toMatchObject({ problem: 'down' });
  });

  it('can be given up while they are made', async () => {
    const abort = new AbortController();
    const { account } = await start(name, () => abort.abort());
    await expect(account.cloning!.clone(copy(), abort.signal)).rejects.toMatchObject({ problem: 'down' });
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { readSettings } from '../../control/index.ts';
import type { RunningEngine } from '../../engine/index.ts';
import { type AccountServer, json, startAccountServer } from '../../models/tts/testing/account-server.ts';
import { stockCatalogue } from '../catalogue/catalogue.ts';
import { openVoiceAccounts, type VoiceAccounts } from './voice-accounts.ts';

const TEN_MINUTES = 600_000;
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe('the voices of an account', () => {
  let dataDir: string;
  let server: AccountServer;
  let voices: object[];
  let clock: SimulatedClock;
  let logged: string[];
  const open: VoiceAccounts[] = [];
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'parley-accounts-'));
    clock = new SimulatedClock();
    logged = [];
    voices = [
      { voice_id: 'heidi', name: 'Heidi', labels: { gender: 'female', language: 'de' }, preview_url: null },
      { voice_id: 'rachel', name: 'Rachel', labels: { gender: 'female', language: 'en' }, preview_url: null },
    ];
    server = await startAccountServer((_, response) => json(response, { voices, has_more: false }));
  });
  afterEach(async () => {
    for (const accounts of open.splice(0)) await accounts.close();
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function start(more: Record<string, string> = {}) {
    const settings = readSettings({
      PARLEY_DATA_DIR: dataDir,
      PARLEY_TTS_PROVIDER: 'elevenlabs',
      PARLEY_TTS_API_KEY: 'key-of-test',
      PARLEY_TTS_BASE_URL: server.url,
      ...more,
    });
    const log = { warn: (_: object, message?: string) => void logged.push(message ?? ''), info() {} };
    const accounts = await openVoiceAccounts(settings, dataDir, log as never, clock as never);
    open.push(accounts);
    return { accounts, catalogue: stockCatalogue(settings, {} as RunningEngine, undefined, [], accounts) };
  }
  type Started = Awaited<ReturnType<typeof start>>;
  const remote = ({ catalogue }: Started) =>
    catalogue.voices.filter(({ provider }) => provider !== 'LOCAL').map(({ displayName }) => displayName);
  const defaultOf = ({ catalogue }: Started) =>
    catalogue.voices.find(({ id }) => id === catalogue.defaultVoiceId)?.displayName;
  const afterTenMinutes = async (names: () => string[], wanted: string[]): Promise<void> => {
    clock.increment(TEN_MINUTES);
    await expect.poll(names).toEqual(wanted);
  };

  it('stand before those of this machine, with what the service tells of them', async () => {
    const started = await start();
    expect(remote(started)).toEqual(['Heidi', 'Rachel']);
    expect(started.catalogue.voices[0]).toMatchObject({
      provider: 'ELEVENLABS',
      family: 'elevenlabs',
      providerVoiceId: 'heidi',
      gender: 'female',
      ownLanguages: ['de'],
      isZdr: false,
    });
    expect(started.catalogue.voices[0]?.languages).toContain('fr');
    expect(started.catalogue.voices.at(-1)?.provider).toBe('LOCAL');
    // Nobody prefers one, so it is one that speaks English.
    expect(defaultOf(started)).toBe('Rachel');
  });

  it('are those that the operator names, if there are any, and the first of these is the default', async () => {
    const started = await start({ PARLEY_TTS_VOICES: 'heidi,secret,rachel' });
    expect(remote(started)).toEqual(['Heidi', 'secret', 'Rachel']);
    expect(defaultOf(started)).toBe('Heidi');
  });

  it('appear and go without a restart', async () => {
    const started = await start();
    const { id } = started.catalogue.voices[0]!;
    voices.push({ voice_id: 'ben', name: 'Ben' });
    await afterTenMinutes(() => remote(started), ['Heidi', 'Rachel', 'Ben']);
    expect(started.catalogue.voices[0]?.id).toBe(id);
    voices.splice(0, 1);
    await afterTenMinutes(() => remote(started), ['Rachel', 'Ben']);
  });

  it('stay while the service is down, also over a restart, and the key is not written down', async () => {
    const before = await start();
    server.down();
    // A request may still hang on a connection that is just being closed: then its time is up before the next one.
    const asked = (): string[] => {
      clock.increment(TEN_MINUTES);
      return logged;
    };
    await expect.poll(asked).toContainEqual(expect.stringContaining('the last known ones stay'));
    expect(remote(before)).toEqual(['Heidi', 'Rachel']);
    await before.accounts.close();
    expect(remote(await start())).toEqual(['Heidi', 'Rachel']);
    expect(readFileSync(join(dataDir, 'voices.json'), 'utf8')).not.toContain('key-of-test');
    // Another account has other voices.
    expect(remote(await start({ PARLEY_TTS_API_KEY: 'another-key' }))).toEqual([]);
  });

  it('are asked for anew when what was kept cannot be read', async () => {
    writeFileSync(join(dataDir, 'voices.json'), '{"elevenlabs": 3');
    expect(remote(await start())).toEqual(['Heidi', 'Rachel']);
  });

  it('do not hold up the start for long', async () => {
    const silent = await startAccountServer(() => {});
    const starting = start({ PARLEY_TTS_BASE_URL: silent.url });
    await expect.poll(() => silent.seen.length).toBe(1);
    clock.increment(5_000);
    const started = await starting;
    expect(remote(started)).toEqual([]);
    expect(defaultOf(started)).toBe('Clara');
    await silent.close();
  });

  it('stand beside those of another service, and keep the order that a provider publishes', async () => {
    const deepgram = await startAccountServer((_, response) =>
      json(response, {
        tts: ['aura-2-zeus-en', 'aura-2-apollo-en', 'aura-2-thalia-en'].map((name) => ({ canonical_name: name })),
      }),
    );
    const started = await start({ PARLEY_TTS_DEEPGRAM_API_KEY: 'k', PARLEY_TTS_DEEPGRAM_BASE_URL: deepgram.url });
    expect(started.catalogue.voices.slice(0, 5).map(({ providerVoiceId }) => providerVoiceId)).toEqual([
      'heidi',
      'rachel',
      'aura-2-thalia-en',
      'aura-2-apollo-en',
      'aura-2-zeus-en',
    ]);
    expect(started.catalogue.voices[2]?.languages).toEqual(['en']);
    await deepgram.close();
  });
});

describe('the recording of a voice that a service has', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).toReversed()) await each.close();
    await settled();
  });

  /** @param where the address of the recording, from those of the service and of another server. */
  async function start(where: (service: string, other: string) => string, allowed: (other: string) => string) {
    const other = await startAccountServer((_, response) => response.end('from elsewhere'));
    const server: AccountServer = await startAccountServer(({ path }, response) => {
      if (path === '/voices')
        json(response, { data: [{ id: 'a', preview_file_url: where(server.url, other.url) }], has_more: false });
      else if (path === '/moved') response.writeHead(302, { location: `${other.url}/x` }).end();
      else if (path === '/large') response.end(Buffer.alloc(6 * 1024 * 1024));
      else if (path === '/own') response.end('from the service');
      else response.writeHead(404).end();
    });
    const dataDir = mkdtempSync(join(tmpdir(), 'parley-accounts-'));
    const settings = readSettings({
      PARLEY_DATA_DIR: dataDir,
      PARLEY_TTS_PROVIDER: 'cartesia',
      PARLEY_TTS_API_KEY: 'key-of-test',
      PARLEY_TTS_BASE_URL: server.url,
      PARLEY_ALLOWED_PRIVATE_HOSTS: allowed(other.url),
    });
    const accounts = await openVoiceAccounts(settings, dataDir, { warn() {}, info() {} });
    open.push(other, server, accounts, { close: async () => rmSync(dataDir, { recursive: true, force: true }) });
    const [voice] = stockCatalogue(settings, {} as RunningEngine, undefined, [], accounts).voices;
    const read = async () => Buffer.from(await voice!.sample!.read(new AbortController().signal)).toString();
    return { read, server, other, voice: voice! };
  }
  const hostOf = (url: string): string => new URL(url).host;

  it('is read from the service with its key', async () => {
    const { read, server } = await start(
      (service) => `${service}/own?x=1`,
      () => '',
    );
    expect(await read()).toBe('from the service');
    expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer key-of-test');
  });

  it.each([
    ['from another server', (_: string, other: string) => `${other}/x`],
    ['where the service sends to', (service: string) => `${service}/moved`],
  ])('is read %s without the key', async (_name, where) => {
    const { read, other } = await start(where, hostOf);
    expect(await read()).toBe('from elsewhere');
    expect(JSON.stringify(other.seen.at(-1)?.headers)).not.toContain('key-of-test');
  });

  it.each([
    ['another server inside the network', (_: string, other: string) => `${other}/x`],
    ['where the service sends to, inside the network', (service: string) => `${service}/moved`],
  ])('is not read from %s', async (_name, where) => {
    const { read, other } = await start(where, () => '');
    await expect(read()).rejects.toThrow('not on the public internet');
    expect(other.seen).toEqual([]);
  });

  it('is not read when it is too large or missing, and does not exist without an address', async () => {
    await expect(
      (
        await start(
          (service) => `${service}/large`,
          () => '',
        )
      ).read(),
    ).rejects.toThrow('5 MiB');
    await expect(
      (
        await start(
          (service) => `${service}/none`,
          () => '',
        )
      ).read(),
    ).rejects.toThrow('status 404');
    expect(
      (
        await start(
          () => 'no address',
          () => '',
        )
      ).voice.sample,
    ).toBeNull();
  });
});

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareEnvironment } from '../runtime/testing/bare-environment.ts';
import { openBenchClient, type BenchClient } from '../bench/lib/bench-client.ts';
import { signalingUrl, startSession, typed } from '../bench/lib/conversation.ts';
import { readSpeechText } from '../bench/lib/speech-text.ts';
import { speakSentence } from '../bench/lib/spoken-sentence.ts';
import { filesBelow, sha256, tarBz2 } from '../models/testing/archives.ts';
import { serveFiles, type FileServer } from '../models/testing/file-server.ts';
import { installedEspeakData, writeTinyEspeakVoice } from '../models/testing/tiny-espeak-voice.ts';
import { tinyPackages } from '../models/testing/tiny-packages.ts';
import { startService, type RunningService } from './support/service.ts';

const PUBLISHED = 'tiny-piper-en';
const list = (dir: string): string => join(dir, 'list.json');

/** A voice as its publisher packs it, with some four hundred files of pronunciation data. */
async function voicePackage(dir: string): Promise<{ archive: Buffer; row: (url: string) => object }> {
  const engine = writeTinyEspeakVoice(join(dir, PUBLISHED), 'vits', installedEspeakData()!);
  const archive = await tarBz2(filesBelow(join(dir, PUBLISHED), PUBLISHED));
  const row = (url: string): object => ({
    id: PUBLISHED,
    kind: 'voice',
    title: 'Tiny Piper voice',
    languages: ['en'],
    license: 'CC0-1.0',
    home: 'https://example.com',
    url: `${url}/${PUBLISHED}.tar.bz2`,
    sha256: sha256(archive),
    bytes: archive.length,
    archive: { root: PUBLISHED, keep: ['model.onnx', 'tokens.txt', 'espeak-ng-data'], mostBytes: 1e8 },
    engine,
    voices: [{ id: 'tina', displayName: 'Tina', gender: 'female', country: 'US' }],
  });
  return { archive, row };
}

/** The whole way: fetched from a server, measured at the start, heard and understood in a conversation. */
describe.skipIf(installedEspeakData() === null)('neural models that were fetched', () => {
  let dir: string;
  let server: FileServer;
  let service: RunningService;
  let client: BenchClient;
  let heard = 0;
  const texts: Record<string, string> = { user: '', persona: '' };

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'parley-local-models-e2e-'));
    const tiny = await tinyPackages([]);
    const { archive, row } = await voicePackage(dir);
    server = await serveFiles({ ...tiny.files, [`${PUBLISHED}.tar.bz2`]: archive });
    const [recognizer] = tiny.packages(server.url);
    writeFileSync(list(dir), JSON.stringify([recognizer, row(server.url)]));
    server.breakOffAfter(1_000);
    expect(await fetchModels('tiny-en', PUBLISHED)).toMatchObject({ status: 0 });
    service = await startService({
      env: { PARLEY_MODELS_LIST: list(dir), PARLEY_MODELS_DIR: join(dir, 'models') },
    });
    const { sessionId } = await startSession(service, { skipGreeting: true });
    client = await openBenchClient(signalingUrl(service), sessionId, {
      onAudio: ({ payload }) => (heard += payload.length > 20 ? 1 : 0),
      onMessage(text) {
        const speech = readSpeechText(text);
        if (speech !== null) texts[speech.role] += ` ${speech.content}`;
      },
    });
    await client.ready;
  });
  afterAll(async () => {
    client?.close();
    await service?.stop();
    await server?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  function fetchModels(...names: string[]): Promise<{ status: number | null; output: string }> {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'scripts/models.ts', 'fetch', ...names],
      {
        env: bareEnvironment({ PARLEY_MODELS_LIST: list(dir), PARLEY_MODELS_DIR: join(dir, 'models') }),
      },
    );
    let output = '';
    child.stderr.on('data', (text) => (output += String(text)));
    return new Promise((resolve) => child.once('close', (status) => resolve({ status, output })));
  }

  it('were fetched although the connection broke off', () => {
    expect(server.asked.filter((asked) => asked.includes('bytes='))).toHaveLength(1);
  });

  it('are named at the start, with their speed', () => {
    expect(service.output()).toContain('Neural models on this machine');
    expect(service.output()).toMatch(/Tiny Piper voice: \d\.\d\d s for a second of sound/);
    expect(service.output()).not.toContain('PocketSphinx');
  });

  it('are offered, the first one as the default', async () => {
    const { data } = await service.api<{ data: { displayName: string; provider: string }[] }>('GET', '/v1/voices');
    expect(data[0]).toMatchObject({ displayName: 'Tina', provider: 'LOCAL' });
  });

  it('speak', async () => {
    client.sendMessage(typed('Hello there!'));
    await expect.poll(() => texts['persona']).not.toBe('');
    await expect.poll(() => heard).toBeGreaterThan(20);
  });

  it('understand what is said', async () => {
    await client.say(speakSentence('Good morning everybody, how are you today?'));
    // The tiny model knows three words, and takes each vowel for one of them.
    await expect.poll(() => texts['user']).toMatch(/good|morning|everybody/i);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serveFiles, type FileServer } from '../../models/testing/file-server.ts';
import { tinyPackages, type TinyPackages } from '../../models/testing/tiny-packages.ts';
import type { ModelPackage } from '../../models/packages/model-package.ts';
import { ModelLibrary, type FetchReport } from './model-library.ts';

/** Nobody listens there. */
const closedSource = {
  type: 'publisher' as const,
  url: 'http://127.0.0.1:1/tiny.tar.bz2',
  sha256: 'a'.repeat(64),
  bytes: 10,
  archive: { root: 'tiny', keep: ['model.onnx'], mostBytes: 1e6 },
} satisfies ModelPackage['sources'][number];

describe('models that are fetched while the service runs', () => {
  let tiny: TinyPackages;
  let server: FileServer;
  let modelsDir: string;
  let library: ModelLibrary;
  let restarts: number;
  let idle: boolean;

  beforeAll(async () => {
    tiny = await tinyPackages([]);
    server = await serveFiles(tiny.files);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    modelsDir = mkdtempSync(join(tmpdir(), 'parley-library-'));
    [restarts, idle] = [0, true];
    library = open();
  });
  afterEach(() => {
    library.close();
    rmSync(modelsDir, { recursive: true, force: true });
  });

  function open(change: Pick<Partial<ModelPackage>, 'sources' | 'leastCores'> = {}, cores = 2): ModelLibrary {
    return new ModelLibrary({
      modelsDir,
      known: tiny.packages(server.url).map((each) => ({ ...each, ...change })),
      notes: [],
      noiseFilter: 'rnnoise',
      cores,
      isIdle: () => idle,
      measure: () => Promise.resolve(),
      restart: () => (restarts += 1),
      log: pino({ level: 'silent' }),
    });
  }
  const states = async (of = library) => Object.fromEntries((await of.list()).map(({ id, state }) => [id, state]));

  it('are listed with size, license and state', async () => {
    const [first] = await library.list();
    expect(first).toMatchObject({
      id: 'tiny-en',
      license: 'CC0-1.0',
      state: 'absent',
      suggested: true,
      received: null,
    });
    expect(first?.bytes).toBe(tiny.files['tiny-en.tar.bz2']?.length);
    expect(library.restart()).toBe('none');
  });

  it('come one after the other, and then the service starts again', async () => {
    await library.fetch('tiny-en');
    expect(await library.fetch('tiny-voice-en')).toMatchObject({ state: expect.stringMatching(/waiting|fetching/) });
    await expect.poll(() => restarts).toBe(1);
    expect(await states()).toEqual({ 'tiny-en': 'here', 'tiny-final-en': 'absent', 'tiny-voice-en': 'here' });
    expect(await states(open())).toMatchObject({ 'tiny-en': 'used' });
  });

  it('wait until nobody is talking', async () => {
    idle = false;
    await library.fetch('tiny-en');
    await expect.poll(() => library.restart()).toBe('when idle');
    expect(restarts).toBe(0);
    idle = true;
    await expect.poll(() => restarts).toBe(1);
  });

  it('say why one could not be fetched, and can be tried again', async () => {
    const [first] = tiny.packages(server.url);
    const sources = first!.sources.map((source) => ({ ...source, sha256: 'f'.repeat(64) }));
    const other = open({ sources });
    await other.fetch('tiny-en');
    await expect.poll(() => states(other)).toMatchObject({ 'tiny-en': 'failed' });
    expect((await other.list())[0]?.problem).toMatch(/checksum|SHA-256/i);
    expect(restarts).toBe(0);
    expect(await other.fetch('tiny-en')).toMatchObject({ state: expect.stringMatching(/waiting|fetching/) });
    // Else it would still write into the folder while that is removed.
    await expect.poll(() => states(other)).toMatchObject({ 'tiny-en': 'failed' });
    other.close();
  });

  it('are not fetched twice, and unknown ones not at all', async () => {
    await library.fetch('tiny-en');
    await library.fetch('tiny-en');
    await expect.poll(() => restarts).toBe(1);
    const before = server.asked.length;
    expect(before).toBeGreaterThan(0);
    expect(await library.fetch('tiny-en')).toMatchObject({ state: 'here' });
    expect(server.asked.length).toBe(before);
    expect(await library.fetch('absent')).toBeNull();
  });

  it('are not offered to a machine with too few cores, but one that is here is shown', async () => {
    await library.fetch('tiny-en');
    await expect.poll(() => restarts).toBe(1);
    const [small, large] = [open({ leastCores: 4 }), open({ leastCores: 4 }, 4)];
    expect(Object.keys(await states(small))).toEqual(['tiny-en']);
    expect(await small.fetch('tiny-voice-en')).toBeNull();
    expect(Object.keys(await states(large))).toEqual(['tiny-en', 'tiny-final-en', 'tiny-voice-en']);
  });

  it('come all behind a start, in their order, and somebody hears how it goes', async () => {
    const heard: string[] = [];
    await library.fetchAll(['tiny-voice-en', 'tiny-en', 'absent'], report(heard));
    expect(heard).toEqual(['begins tiny-voice-en tiny-en', 'done tiny-voice-en tiny-en']);
    await expect.poll(() => restarts).toBe(1);
    expect(await states()).toEqual({ 'tiny-en': 'here', 'tiny-final-en': 'absent', 'tiny-voice-en': 'here' });
  });

  it('are not asked for one after the other when the first cannot be had', async () => {
    const heard: string[] = [];
    const other = open({ sources: [{ ...closedSource }] });
    await other.fetchAll(['tiny-en', 'tiny-voice-en'], report(heard));
    expect(heard).toEqual(['begins tiny-en tiny-voice-en', 'failed tiny-en']);
    expect(await states(other)).toMatchObject({ 'tiny-en': 'failed', 'tiny-voice-en': 'absent' });
    expect(restarts).toBe(0);
    other.close();
  });

  function report(heard: string[]): FetchReport {
    const ids = (wanted: readonly { readonly id: string }[]): string => wanted.map(({ id }) => id).join(' ');
    return {
      begins: (wanted) => void heard.push(`begins ${ids(wanted)}`),
      progress: () => {},
      failed: ({ id }) => void heard.push(`failed ${id}`),
      done: (wanted) => void heard.push(`done ${ids(wanted)}`),
    };
  }
});

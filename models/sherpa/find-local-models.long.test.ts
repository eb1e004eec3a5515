import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installPackage } from '../packages/install.ts';
import type { ModelPackage } from '../packages/model-package.ts';
import { serveFiles, type FileServer } from '../testing/file-server.ts';
import { filesBelow, sha256, tarBz2 } from '../testing/archives.ts';
import { tinyPackages } from '../testing/tiny-packages.ts';
import { writeTinyWhisper } from '../testing/tiny-whisper.ts';
import { findLocalModels } from './find-local-models.ts';

describe('the neural models of a machine', () => {
  let modelsDir: string;
  let server: FileServer;
  let known: ModelPackage[];
  let measured: string[];
  beforeEach(async () => {
    modelsDir = mkdtempSync(join(tmpdir(), 'parley-local-models-'));
    const tiny = await tinyPackages(['the', 'next', 'train', 'leaves']);
    server = await serveFiles(tiny.files);
    known = tiny.packages(server.url);
    measured = [];
  });
  afterEach(async () => {
    await server.close();
    rmSync(modelsDir, { recursive: true, force: true });
  });

  const install = () => Promise.all(known.map((each) => installPackage(modelsDir, each)));
  const find = (choose: 'fast' | 'all' = 'fast', cores = 2) =>
    findLocalModels(modelsDir, known, { choose, cores, measuring: (id) => measured.push(id) });
  const speedsFile = () => join(modelsDir, 'measured.json');
  /** As if the machine were so much slower. */
  const slowDown = (id: string, realTimeFactor: number): void => {
    const content = JSON.parse(readFileSync(speedsFile(), 'utf8')) as {
      speeds: Record<string, { realTimeFactor: number }>;
    };
    content.speeds[id]!.realTimeFactor = realTimeFactor;
    writeFileSync(speedsFile(), JSON.stringify(content));
  };

  it('are none before anything is fetched', async () => {
    expect(await find()).toEqual({ recognizers: [], voices: [], speeds: {}, notes: [] });
    expect(measured).toEqual([]);
  });

  it('are measured once and used', async () => {
    await install();
    const found = await find();
    expect(measured).toEqual(['tiny-en', 'tiny-final-en', 'tiny-voice-en']);
    expect(found.recognizers).toMatchObject([
      { language: 'en', streaming: { id: 'tiny-en' }, finalPass: { id: 'tiny-final-en' } },
    ]);
    expect(found.voices).toMatchObject([{ name: 'tiny-voice-en/tester', languages: ['en'], gender: 'female' }]);
    for (const { state, realTimeFactor } of found.notes) {
      expect(state).toBe('used');
      expect(realTimeFactor).toBeGreaterThan(0);
    }
    expect(await find()).toEqual(found);
    expect(measured).toHaveLength(3);
  });

  it('are not chosen when the machine is too slow for them, unless all are wanted', async () => {
    await install();
    await find();
    slowDown('tiny-voice-en', 0.9);
    slowDown('tiny-final-en', 0.3);
    const found = await find();
    expect(found.voices).toEqual([]);
    expect(found.recognizers[0]!.finalPass).toBeNull();
    expect(found.notes.map(({ id, state }) => [id, state])).toEqual([
      ['tiny-en', 'used'],
      ['tiny-final-en', 'too slow'],
      ['tiny-voice-en', 'too slow'],
    ]);
    expect((await find('all')).voices).toHaveLength(1);
  });

  it('are neither measured nor chosen on a machine with too few cores, unless all are wanted', async () => {
    await install();
    const voice = known[2]!;
    known[2] = { ...voice, leastCores: 4 };
    const found = await find();
    expect(found.voices).toEqual([]);
    expect(found.notes.at(-1)).toMatchObject({ id: 'tiny-voice-en', state: 'too few cores', realTimeFactor: null });
    expect(measured).not.toContain('tiny-voice-en');
    expect((await find('all')).voices).toHaveLength(1);
    expect((await find('fast', 4)).voices).toHaveLength(1);
  });

  it('that speak have a language of their own, where the package has voices of several', async () => {
    await install();
    const voice = known[2]!;
    const spanish = { ...voice.voices[0]!, id: 'probador', language: 'es', lang: 'es' };
    known[2] = { ...voice, languages: ['en', 'es'], voices: [...voice.voices, spanish] };
    expect((await find()).voices).toMatchObject([
      { name: 'tiny-voice-en/tester', languages: ['en', 'es'], lang: null },
      { name: 'tiny-voice-en/probador', languages: ['es'], lang: 'es' },
    ]);
  });

  it('are measured again on another machine', async () => {
    await install();
    await find();
    const content = JSON.parse(readFileSync(speedsFile(), 'utf8')) as object;
    writeFileSync(speedsFile(), JSON.stringify({ ...content, machine: 'another' }));
    await find();
    expect(measured).toHaveLength(6);
  });

  it('understand whole utterances only in languages without a streaming model', async () => {
    const folder = join(modelsDir, 'made', 'tiny-whisper');
    writeTinyWhisper(folder);
    const bytes = await tarBz2(filesBelow(folder, 'tiny-whisper'));
    const publisher = await serveFiles({ 'tiny-whisper.tar.bz2': bytes });
    const files = { encoder: 'encoder.onnx', decoder: 'decoder.onnx', tokens: 'tokens.txt' };
    known.push({
      id: 'tiny-whisper',
      kind: 'recognizer',
      title: 'Tiny whisper',
      languages: ['en', 'it', 'pt'],
      license: 'CC0-1.0',
      home: 'https://example.com',
      sources: [
        {
          type: 'publisher',
          url: `${publisher.url}/tiny-whisper.tar.bz2`,
          sha256: sha256(bytes),
          bytes: bytes.length,
          archive: { root: 'tiny-whisper', keep: Object.values(files), mostBytes: 1e6 },
        },
      ],
      engine: { type: 'whisper', ...files },
      voices: [],
    });
    await install();
    await publisher.close();
    const found = await find('all');
    expect(found.notes.map(({ id, state }) => [id, state])).toContainEqual(['tiny-whisper', 'used']);
    expect(found.recognizers).toMatchObject([
      { language: 'en', streaming: { id: 'tiny-en' } },
      { language: 'it', streaming: null, finalPass: { id: 'tiny-whisper' } },
      { language: 'pt', streaming: null, finalPass: { id: 'tiny-whisper' } },
    ]);
  });

  it('are told apart from one that cannot be loaded, which hurts nothing', async () => {
    await install();
    // Of the same size: only whoever loads it finds out.
    const path = join(modelsDir, 'tiny-voice-en', 'model.onnx');
    writeFileSync(
      path,
      readFileSync(path).map((byte) => byte ^ 0xff),
    );
    const found = await find();
    expect(found.recognizers).toHaveLength(1);
    expect(found.notes.find(({ id }) => id === 'tiny-voice-en')).toMatchObject({
      state: 'unusable',
      problem: expect.stringContaining('The model tiny-voice-en ended') as string,
    });
    // Tried again at the next start: it may have been mended.
    await installPackage(modelsDir, known[2]!);
    expect((await find()).voices).toHaveLength(1);
  });

  it('are told apart from one whose files are missing', async () => {
    await install();
    rmSync(join(modelsDir, 'tiny-en', 'tokens.txt'));
    const found = await find();
    expect(found.recognizers).toEqual([]);
    expect(found.notes[0]).toMatchObject({ id: 'tiny-en', state: 'damaged' });
    expect(measured).not.toContain('tiny-en');
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KOKORO } from '../packages/kokoro.ts';
import { toneWords, writeTinyRecognizer } from '../testing/tiny-recognizer.ts';
import { TINY_FINAL_TEXT, writeTinyFinalPass } from '../testing/tiny-final-pass.ts';
import { installedEspeakData, writeTinyEspeakVoice } from '../testing/tiny-espeak-voice.ts';
import { TINY_LETTER_SAMPLES, TINY_VOICE_RATE, writeTinyVoice } from '../testing/tiny-voice.ts';

/** The library in a process of its own, as it is always used. */
const script = (body: string) => `
  import * as sherpa from ${JSON.stringify(new URL('sherpa-onnx.ts', import.meta.url).href)};
  const [folder, pcm] = process.argv.slice(1);
  const options = { folder, provider: 'cpu', threads: 1 };
  const zipformer = { type: 'zipformer', encoder: 'encoder.onnx', decoder: 'decoder.onnx', joiner: 'joiner.onnx', tokens: 'tokens.txt' };
  ${body}`;

function run(body: string, folder: string, pcmFile = ''): { status: number | null; stdout: string; stderr: string } {
  const result = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', script(body), folder, pcmFile],
    { encoding: 'utf8' },
  );
  return { ...result, stdout: result.stdout.trim() };
}

describe('sherpa-onnx, with models of the real form', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'parley-sherpa-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const readPcm = `
    const { readFileSync } = await import('node:fs');
    const bytes = readFileSync(pcm);
    const sound = Float32Array.from(new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2), (v) => v / 32768);`;
  const sound = (words: string[]): string => {
    const path = join(folder, 'sound.raw');
    const pcm = toneWords(words, 800);
    writeFileSync(path, Buffer.from(pcm.buffer));
    return path;
  };

  it('understands words one after the other while they are spoken', () => {
    const models = join(folder, 'recognizer');
    writeTinyRecognizer(models);
    const { stdout } = run(
      `${readPcm}
      const utterance = sherpa.loadStreaming(zipformer, options)();
      const told = [];
      for (let at = 0; at < sound.length; at += 320) told.push(utterance.write(sound.subarray(at, at + 320)));
      told.push(utterance.write(new Float32Array(12_800)));
      console.log(JSON.stringify([...new Set(told)]));`,
      models,
      sound(['GOOD', 'MORNING', 'EVERYBODY']),
    );
    expect(JSON.parse(stdout)).toEqual(['', 'GOOD', 'GOOD MORNING', 'GOOD MORNING EVERYBODY']);
  });

  it('understands a whole utterance', () => {
    const models = join(folder, 'final-pass');
    writeTinyFinalPass(models);
    const { stdout } = run(
      `${readPcm}
      const engine = { type: 'moonshine', encoder: 'encoder_model.onnx', decoder: 'decoder_model_merged.onnx', tokens: 'tokens.txt' };
      console.log(await sherpa.loadFinalPass(engine, options)(sound, { language: 'en', care: 'usual' }));`,
      models,
      sound(['GOOD', 'MORNING', 'EVERYBODY']),
    );
    expect(stdout).toBe(TINY_FINAL_TEXT);
  });

  it('speaks', () => {
    const models = join(folder, 'voice');
    writeTinyVoice(models, ['hello']);
    const { stdout } = run(
      `const voice = sherpa.loadVoice({ type: 'vits', model: 'model.onnx', tokens: 'tokens.txt', lexicon: 'lexicon.txt' }, options);
      const { samples, sampleRate } = await voice.speak('Hello', 0, 1);
      console.log(JSON.stringify([voice.speakers, sampleRate, samples.length, Math.max(...samples) > 0.2]));`,
      models,
    );
    expect(JSON.parse(stdout)).toEqual([1, TINY_VOICE_RATE, 5 * TINY_LETTER_SAMPLES, true]);
  });

  const espeakData = installedEspeakData();
  it.skipIf(espeakData === null).each(['vits', 'kitten', 'kokoro'] as const)(
    'speaks with a model of the form %s and the pronunciation data of espeak-ng',
    (type) => {
      const models = join(folder, type);
      const engine = writeTinyEspeakVoice(models, type, espeakData!);
      const { stdout } = run(
        `const voice = sherpa.loadVoice(${JSON.stringify(engine)}, options);
        const { samples, sampleRate } = await voice.speak('How are you today?', voice.speakers - 1, 1);
        console.log(JSON.stringify([voice.speakers, sampleRate, samples.length > 8_000, Math.max(...samples) > 0.2]));`,
        models,
      );
      expect(JSON.parse(stdout)).toEqual([type === 'vits' ? 1 : 8, type === 'vits' ? 22_050 : 24_000, true, true]);
    },
  );

  it.skipIf(espeakData === null)('pronounces each text in the language that it is told', () => {
    const models = join(folder, 'languages');
    const engine = writeTinyEspeakVoice(models, 'kokoro', espeakData!);
    const { stdout } = run(
      `const voice = sherpa.loadVoice(${JSON.stringify(engine)}, options);
      const lengths = [];
      // As long as the word has phonemes: "ʃˈeɪɾɔːks", "tʃˌateˈaʊks", "ʃatˈo".
      for (const lang of [null, 'en-us', 'es', 'fr', 'en-us'])
        lengths.push((await voice.speak('chateaux', 1, 1, lang)).samples.length);
      console.log(JSON.stringify(lengths));`,
      models,
    );
    const [unsaid, english, spanish, french, again] = JSON.parse(stdout) as [number, number, number, number, number];
    expect([unsaid, again]).toEqual([english, english]);
    expect(french).toBeLessThan(english);
    expect(spanish).toBeGreaterThan(english);
  });

  it.skipIf(espeakData === null)('knows how each voice of Kokoro pronounces', () => {
    const models = join(folder, 'accents');
    const engine = writeTinyEspeakVoice(models, 'kokoro', espeakData!);
    const accents = new Set(KOKORO.voices?.map(({ lang }) => lang));
    const { stdout } = run(
      `const voice = sherpa.loadVoice(${JSON.stringify(engine)}, options);
      const lengths = [];
      for (const lang of ${JSON.stringify([...accents])}) lengths.push((await voice.speak('hola', 0, 1, lang)).samples.length);
      console.log(JSON.stringify(lengths));`,
      models,
    );
    // Nothing is said where espeak-ng does not know the name.
    for (const length of JSON.parse(stdout) as number[]) expect(length).toBeGreaterThan(0);
    expect(accents.size).toBeGreaterThan(5);
  });

  it('ends the process over a bad model file: the reason for processes of their own', () => {
    const models = join(folder, 'damaged');
    writeTinyRecognizer(models);
    writeFileSync(join(models, 'encoder.onnx'), 'damaged');
    const { status } = run(
      `try { sherpa.loadStreaming(zipformer, options); } catch {} finally { process.exit(0); }`,
      models,
    );
    expect(status).not.toBe(0);
  });
});

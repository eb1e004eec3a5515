import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isArpabet } from './arpabet.ts';
import { createOfflineSynthesizer } from './offline.ts';
import { FLITE_VOICES } from './flite-voices.ts';
import { writeTinyVoice } from '../testing/tiny-voice.ts';
import { level, speak, type Spoken } from './testing/collect.ts';
import type { SpeechSynthesizer } from '../ports.ts';

let voice: SpeechSynthesizer;
beforeAll(() => {
  voice = createOfflineSynthesizer();
});
afterAll(() => voice.close());

function expectTimed(spoken: Spoken, text: string): void {
  expect(spoken.words.map((word) => word.text).join(' ')).toBe(text);
  for (const units of [spoken.words, spoken.phonemes]) {
    let reached = 0;
    for (const { startMs, endMs } of units) {
      expect(startMs).toBeGreaterThanOrEqual(reached - 0.001);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      expect(endMs).toBeLessThanOrEqual(spoken.durationMs + 1);
      reached = endMs;
    }
  }
  expect(spoken.phonemes.length).toBeGreaterThan(text.length / 3);
  expect(spoken.phonemes.every((phoneme) => isArpabet(phoneme.text))).toBe(true);
}

describe('with a neural voice', () => {
  let dir: string;
  let voices: SpeechSynthesizer;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'parley-offline-neural-'));
    writeTinyVoice(dir, ['hello', 'hallo']);
    voices = createOfflineSynthesizer([
      {
        name: 'tiny/anna',
        model: {
          id: 'tiny',
          folder: dir,
          engine: { type: 'vits', model: 'model.onnx', tokens: 'tokens.txt', lexicon: 'lexicon.txt' },
          provider: 'cpu',
          threads: 1,
        },
        speaker: 0,
        lang: null,
        languages: ['de'],
        displayName: 'Anna',
        gender: 'female',
        country: 'DE',
      },
    ]);
  });
  afterAll(async () => {
    await voices.close();
    rmSync(dir, { recursive: true, force: true });
  });
  /** The neural one reports no phonemes. */
  const speaksNeurally = async (voice: string, language: string): Promise<boolean> =>
    (await speak(voices, { text: 'Hallo.', voice, language })).phonemes.length === 0;

  it('it speaks its language, also for a voice that does not have it', async () => {
    expect(await speaksNeurally('tiny/anna', 'de')).toBe(true);
    expect(await speaksNeurally('slt', 'de')).toBe(true);
  });

  it('the others speak theirs, and who chose espeak-ng hears it', async () => {
    expect(await speaksNeurally('slt', 'en')).toBe(false);
    expect(await speaksNeurally('tiny/anna', 'fr')).toBe(false);
    expect(await speaksNeurally('espeak-female', 'de')).toBe(false);
  });
});

describe('the voice of an installation without any account', () => {
  it.each(FLITE_VOICES)('speaks English as %s, with words and phonemes in time', async (name) => {
    const text = 'Hello, I am “Parley” and this costs $12.50 – really.';
    const spoken = await speak(voice, { text, voice: name });
    expectTimed(spoken, text);
    expect(spoken.sampleRate).toBe(16_000);
    expect(spoken.chunks).toBeGreaterThan(5);
    const hello = spoken.words[0]!;
    expect(level(spoken, hello.startMs, hello.endMs)).toBeGreaterThan(500);
  });

  it('does not begin with a silence', async () => {
    const spoken = await speak(voice, { text: 'Yes, of course.' });
    expect(spoken.words[0]!.startMs).toBeLessThan(30);
    expect(level(spoken, 0, 120)).toBeGreaterThan(200);
  });

  it.each([
    ['de', 'Schöne Grüße aus Köln, 12 Euro!'],
    ['fr', 'Bonjour, comment allez-vous ?'],
    ['es', '¿Cómo está usted hoy?'],
    ['ru', 'Добрый день, как дела?'],
    ['ar', 'مرحبا كيف حالك'],
    ['hi', 'नमस्ते, आप कैसे हैं'],
    ['no', 'God dag, hvordan har du det?'],
  ])('speaks %s, with words and phonemes in time', async (language, text) => {
    const spoken = await speak(voice, { text, language });
    expectTimed(spoken, text);
    expect(level(spoken, 0, spoken.durationMs)).toBeGreaterThan(500);
  });

  it('finds words in a language without spaces', async () => {
    const spoken = await speak(voice, { text: '你好，今天天气怎么样？', language: 'zh' });
    expect(spoken.words.map(({ text }) => text).join('')).toBe('你好，今天天气怎么样？');
    expect(spoken.words.length).toBeGreaterThan(2);
  });

  it('keeps places right across emoji', async () => {
    const spoken = await speak(voice, { text: 'Hallo 😀😀 Welt', language: 'de' });
    expect(spoken.words.map(({ text }) => text)).toEqual(['Hallo', '😀😀', 'Welt']);
    const world = spoken.words[2]!;
    expect(world.endMs - world.startMs).toBeGreaterThan(200);
  });

  it('speaks faster and louder when told to', async () => {
    const text = 'We can meet at half past ten.';
    for (const language of ['en', 'de']) {
      const normal = await speak(voice, { text, language });
      const quick = await speak(voice, { text, language, tuning: { speed: 1.5 } });
      const quiet = await speak(voice, { text, language, tuning: { volume: 0.5 } });
      expect(quick.durationMs / normal.durationMs).toBeLessThan(0.8);
      expect(level(quiet, 0, quiet.durationMs) / level(normal, 0, normal.durationMs)).toBeCloseTo(0.5, 1);
    }
  });

  it('says nothing where there is nothing to say', async () => {
    for (const language of ['en', 'de']) {
      const spoken = await speak(voice, { text: '…', language });
      expect(spoken.words.every(({ text }) => text === '…')).toBe(true);
    }
  });

  it('names a voice that does not exist', async () => {
    await expect(async () => speak(voice, { text: 'Hello.', voice: 'nobody' })).rejects.toMatchObject({
      code: 'bad-request',
    });
    await expect(async () => speak(voice, { text: 'Hello.', language: 'xx' })).rejects.toMatchObject({
      code: 'bad-request',
    });
    await expect(speak(voice, { text: 'Hello again.' })).resolves.toBeDefined();
  });

  it('stops when it is told to', async () => {
    const abort = new AbortController();
    const running = speak(
      voice,
      { text: 'A rather long sentence that nobody will hear to its end. '.repeat(20) },
      abort.signal,
    );
    abort.abort();
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    await expect(speak(voice, { text: 'Hello.' })).resolves.toBeDefined();
  });
});

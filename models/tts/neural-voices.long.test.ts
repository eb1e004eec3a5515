import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SpeechSynthesizer } from '../ports.ts';
import type { LocalVoice } from '../sherpa/local-model.ts';
import { childProcesses } from '../testing/child-processes.ts';
import { TINY_LETTER_SAMPLES, TINY_VOICE_RATE, writeTinyVoice } from '../testing/tiny-voice.ts';
import { createNeuralVoices } from './neural-voices.ts';
import { level, speak } from './testing/collect.ts';

const WORDS = ['hello', 'everybody', 'how', 'are', 'you', 'today', 'my', 'friends'];
const LETTER_MS = (TINY_LETTER_SAMPLES * 1000) / TINY_VOICE_RATE;
const SENTENCE = 'Hello everybody, how are you today?';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parley-neural-voices-'));
  writeTinyVoice(join(dir, 'voice'), WORDS);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const opened: SpeechSynthesizer[] = [];
afterEach(() => Promise.all(opened.splice(0).map((voices) => voices.close())));

function voice(id = 'tiny', folder = join(dir, 'voice')): LocalVoice {
  return {
    name: `${id}/tester`,
    speaker: 0,
    lang: null,
    languages: ['en'],
    displayName: 'Tester',
    gender: 'neutral',
    country: 'US',
    model: {
      id,
      folder,
      engine: { type: 'vits', model: 'model.onnx', tokens: 'tokens.txt', lexicon: 'lexicon.txt' },
      provider: 'cpu',
      threads: 1,
    },
  };
}

function open(...voices: LocalVoice[]): SpeechSynthesizer {
  const synthesizer = createNeuralVoices(voices);
  opened.push(synthesizer);
  return synthesizer;
}

const unaborted = new AbortController().signal;
const request = { text: SENTENCE, voice: 'tiny/tester', language: 'en', tuning: {} };
const voiceProcesses = () => childProcesses('neural-process');

describe('neural voices on this machine', () => {
  it('speak, piece by piece, with word times inside of the sound', async () => {
    const spoken = await speak(open(voice()), request);
    expect(spoken.sampleRate).toBe(TINY_VOICE_RATE);
    expect(spoken.chunks).toBe(2);
    expect(spoken.words.map(({ text }) => text)).toEqual(SENTENCE.split(' '));
    const letters = WORDS.slice(0, 6).join('').length;
    expect(spoken.durationMs).toBeGreaterThanOrEqual(letters * LETTER_MS);
    let reached = 0;
    for (const { startMs, endMs } of spoken.words) {
      expect(startMs).toBeGreaterThanOrEqual(reached - 0.001);
      expect(endMs).toBeGreaterThan(startMs);
      reached = endMs;
    }
    expect(reached).toBeLessThanOrEqual(spoken.durationMs);
    expect(spoken.words[0]!.startMs).toBeLessThan(30);
    expect(level(spoken, 0, 500)).toBeGreaterThan(2_000);
  });

  it('speak louder and softer', async () => {
    const voices = open(voice());
    const soft = await speak(voices, { ...request, tuning: { volume: 0.5 } });
    const loud = await speak(voices, request);
    expect(level(soft, 0, 500) / level(loud, 0, 500)).toBeCloseTo(0.5, 1);
  });

  it('pass over what they cannot pronounce', async () => {
    const text = '日本語日本語日本語日本語, hello everybody.';
    const spoken = await speak(open(voice()), { ...request, text });
    expect(spoken.words.map((word) => word.text)).toEqual(text.split(' '));
    expect(spoken.durationMs).toBeGreaterThanOrEqual('helloeverybody'.length * LETTER_MS);
  });

  it('stop in mid-sentence, and are free for the next one', async () => {
    const voices = open(voice());
    const stop = new AbortController();
    const long = `${Array.from({ length: 200 }, () => 'hello everybody,').join(' ')} hello.`;
    const chunks: number[] = [];
    const speaking = (async () => {
      for await (const { pcm } of voices.synthesize({ ...request, text: long }, stop.signal)) {
        chunks.push(pcm.length);
        stop.abort();
      }
    })();
    await expect(speaking).rejects.toMatchObject({ name: 'ProviderError', code: 'aborted' });
    expect(chunks.length).toBeLessThan(200);
    expect((await speak(voices, request)).words).toHaveLength(6);
  });

  it('take turns, so that a long sentence keeps nobody silent', async () => {
    const voices = open(voice());
    const order: string[] = [];
    const long = Array.from({ length: 40 }, () => 'hello everybody,').join(' ');
    await Promise.all([
      speak(voices, { ...request, text: long }).then(() => order.push('long')),
      speak(voices, request).then(() => order.push('short')),
    ]);
    expect(order).toEqual(['short', 'long']);
  });

  it('say a sentence again whose process was killed before it was heard', async () => {
    const voices = open(voice());
    await speak(voices, request);
    const [pid] = voiceProcesses();
    process.kill(pid!, 'SIGKILL');
    expect((await speak(voices, request)).words).toHaveLength(6);
  });

  it('start the process of a model when one of its voices speaks', async () => {
    const voices = open(voice(), voice('second'));
    expect(voiceProcesses()).toHaveLength(1);
    await speak(voices, { ...request, voice: 'second/tester' });
    expect(voiceProcesses()).toHaveLength(2);
  });

  it('say which model cannot be loaded; the others speak on', async () => {
    const damaged = join(dir, 'damaged');
    writeTinyVoice(damaged, WORDS);
    writeFileSync(join(damaged, 'model.onnx'), 'damaged');
    const voices = open(voice(), voice('broken', damaged));
    await expect(speak(voices, { ...request, voice: 'broken/tester' })).rejects.toMatchObject({
      name: 'ProviderError',
      code: 'unavailable',
      message: expect.stringContaining('The voice model broken could not start') as string,
    });
    expect((await speak(voices, request)).words).toHaveLength(6);
  });

  it('leave no process behind', async () => {
    const voices = open(voice());
    await speak(voices, request);
    await voices.close();
    expect(voiceProcesses()).toEqual([]);
  });

  it('refuse a voice that is not here', () => {
    expect(() => open(voice()).synthesize({ ...request, voice: 'other/one' }, unaborted)).toThrow('no voice');
  });
});

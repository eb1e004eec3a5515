import { expect, it } from 'vitest';
import type { SpeechSynthesizer, SynthesisChunk, TimedUnit } from '../../ports.ts';
import { withTextNormalization } from './with-text-normalization.ts';

const RATE = 16_000;
const WORD_MS = 100;

/** Says a word in 100 ms and gives its time with its sound. */
function voice(said: string[]): SpeechSynthesizer {
  return {
    name: 'test',
    family: 'local',
    async *synthesize({ text }) {
      said.push(text);
      let at = 0;
      for (const word of text.split(' ')) {
        const words: TimedUnit[] = [{ text: word, startMs: at, endMs: at + WORD_MS }];
        yield { pcm: new Int16Array((RATE * WORD_MS) / 1_000), sampleRate: RATE, words };
        at += WORD_MS;
      }
    },
    close: async () => {},
  };
}

async function timesOf(text: string, said: string[] = []): Promise<TimedUnit[]> {
  const chunks: SynthesisChunk[] = [];
  const request = { text, voice: 'v', language: 'en', tuning: {} };
  for await (const chunk of withTextNormalization(voice(said)).synthesize(request, new AbortController().signal))
    chunks.push(chunk);
  return chunks.flatMap(({ words }) => words ?? []);
}

it('the voice gets words, and the times are those of what is written', async () => {
  const said: string[] = [];
  expect(await timesOf('It costs $12.50 now.', said)).toEqual([
    { text: 'It', startMs: 0, endMs: 100 },
    { text: 'costs', startMs: 100, endMs: 200 },
    { text: '$12.50', startMs: 200, endMs: 700 },
    { text: 'now.', startMs: 700, endMs: 800 },
  ]);
  expect(said).toEqual(['It costs twelve dollars and fifty cents now.']);
});

it('a sentence without digits and signs goes through as it is', async () => {
  const said: string[] = [];
  const words = await timesOf('Nothing to change.', said);
  expect(said).toEqual(['Nothing to change.']);
  expect(words.map(({ text }) => text)).toEqual(['Nothing', 'to', 'change.']);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ResponseSpeech, SPEECH_RATE, type SpokenPart } from './response-speech.ts';
import { spokenWords } from './testing/spoken-tones.ts';

const SENTENCES = ['Hello there.', 'How are you today?', 'It is a fine morning, is it not?', 'Yes.'];
const WORDS = spokenWords(SENTENCES.join(' '));
const ALL = Int16Array.from(WORDS.flatMap(({ pcm }) => [...pcm]));
const never = new AbortController().signal;

function joined(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const pcm of pieces) {
    all.set(pcm, at);
    at += pcm.length;
  }
  return all;
}

async function say(speech: ResponseSpeech, text: string | null, part: (part: SpokenPart) => void = () => {}) {
  const pieces: Int16Array[] = [];
  for await (const pcm of speech.say(text, never, part)) pieces.push(pcm);
  return joined(pieces);
}

it('says all of the sound once, in order, however it comes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 400, max: 30_000 }), { minLength: 1 }),
      fc.boolean(),
      async (sizes, textFirst) => {
        const speech = new ResponseSpeech();
        const spoken = (async () => {
          const heard: Int16Array[] = [];
          for (const sentence of SENTENCES) heard.push(await say(speech, sentence));
          return heard;
        })();
        if (textFirst) speech.addText(SENTENCES.join(' '));
        for (let at = 0, piece = 0; at < ALL.length; piece += 1) {
          const size = sizes[piece % sizes.length]!;
          speech.addAudio(ALL.slice(at, at + size));
          at += size;
          await Promise.resolve();
        }
        if (!textFirst) speech.addText(SENTENCES.join(' '));
        speech.complete();
        expect(Buffer.from(joined(await spoken).buffer).equals(Buffer.from(ALL.buffer))).toBe(true);
      },
    ),
    { numRuns: 15 },
  );
});

it('cuts the sound of an answer that is here between its sentences', async () => {
  const speech = new ResponseSpeech();
  speech.addText(SENTENCES.join(' '));
  speech.addAudio(ALL);
  speech.complete();
  const ends = [1, 5, 13].map((last) => WORDS[last]!.endMs);
  let at = 0;
  for (const [index, end] of ends.entries()) {
    at += (await say(speech, SENTENCES[index]!)).length / (SPEECH_RATE / 1000);
    // In the pause of 300 ms that follows the sentence, or the next gap between words.
    expect(Math.abs(at - (end - 150))).toBeLessThan(500);
  }
});

it('begins before the end of a sentence is known, and goes on after it was stopped from where it was heard', async () => {
  const speech = new ResponseSpeech();
  speech.addText(SENTENCES.join(' '));
  speech.addAudio(ALL.slice(0, SPEECH_RATE / 2));
  const stopped = new AbortController();
  let part: SpokenPart | null = null;
  const first = await speech.say(SENTENCES[0]!, stopped.signal, (told) => (part = told)).next();
  expect(first.value!.length).toBeGreaterThan(0);
  stopped.abort();
  speech.rewind(100, part);
  speech.addAudio(ALL.slice(SPEECH_RATE / 2));
  speech.complete();
  const rest = await say(speech, null);
  expect(rest.length).toBe(ALL.length - (100 * SPEECH_RATE) / 1000);
});

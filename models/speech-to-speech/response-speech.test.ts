import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ResponseSpeech, SPEECH_RATE, type SpokenPart } from './response-speech.ts';
import { spokenWords } from './testing/spoken-tones.ts';

const TEXT = 'Hello there. How are you today? It is a fine morning, is it not? Yes.';
const ALL = Int16Array.from(spokenWords(TEXT).flatMap(({ pcm }) => [...pcm]));
const never = new AbortController().signal;

async function say(speech: ResponseSpeech, part: (part: SpokenPart) => void = () => {}): Promise<Int16Array> {
  const samples: number[] = [];
  for await (const pcm of speech.say(never, part)) for (const sample of pcm) samples.push(sample);
  return Int16Array.from(samples);
}

it('says all of the sound once, in order, however it comes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 400, max: 30_000 }), { minLength: 1 }), async (sizes) => {
      const speech = new ResponseSpeech();
      const spoken = say(speech);
      for (let at = 0, piece = 0; at < ALL.length; piece += 1) {
        const size = sizes[piece % sizes.length]!;
        speech.addAudio(ALL.slice(at, at + size));
        at += size;
        await Promise.resolve();
      }
      speech.complete();
      expect(Buffer.from((await spoken).buffer).equals(Buffer.from(ALL.buffer))).toBe(true);
    }),
    { numRuns: 15 },
  );
});

it('gives out each piece of sound before the next one and before any word is here', async () => {
  const speech = new ResponseSpeech();
  const spoken = speech.say(never, () => {});
  await spoken.next();
  for (let at = 0; at < 4 * 480; at += 480) {
    const next = spoken.next();
    speech.addAudio(ALL.slice(at, at + 480));
    expect(Buffer.from((await next).value!.buffer).equals(Buffer.from(ALL.slice(at, at + 480).buffer))).toBe(true);
  }
});

it('goes on after it was stopped from where it was heard', async () => {
  const speech = new ResponseSpeech();
  speech.addText(TEXT);
  speech.addAudio(ALL.slice(0, SPEECH_RATE / 2));
  const stopped = new AbortController();
  const first = await speech.say(stopped.signal, () => {}).next();
  expect(first.value!.length).toBe(SPEECH_RATE / 2);
  stopped.abort();
  speech.rewind(100);
  speech.addAudio(ALL.slice(SPEECH_RATE / 2));
  speech.complete();
  expect((await say(speech)).length).toBe(ALL.length - (100 * SPEECH_RATE) / 1000);
});

it('knows its words by their letters, and where they begin', () => {
  const speech = new ResponseSpeech();
  speech.addText(TEXT);
  expect([speech.has('how ARE you'), speech.has('nobody'), speech.has('')]).toEqual([true, false, true]);
  expect(speech.placeOf('How are you today? It is')).toBe(TEXT.indexOf('How'));
  expect(speech.placeOf('fine morning, is it not?')).toBe(TEXT.indexOf('fine'));
});

import { expect, it } from 'vitest';
import type { SpeechSynthesizer } from '../../models/ports.ts';
import { audioOf, openTestAudioOut } from './testing/open-test-voice.ts';

const RATE = 48_000;
const say = (segmentId: string, text: string) => ({ segmentId, text, language: 'en', pauseMs: 0 });
/** A tenth of a second, all of one value. */
const piece = (value: number): Int16Array => new Int16Array(RATE / 10).fill(value);

/**
 * One stream of sound, of which each sentence takes what comes next, as a speech-to-speech model has it. The first
 * sentence is of six pieces.
 */
function oneStream() {
  const pieces: Int16Array[] = [];
  let more = Promise.withResolvers<void>();
  const asked: string[] = [];
  const synthesizer: SpeechSynthesizer = {
    name: 'one stream',
    family: 'local',
    saysOnce: true,
    async *synthesize({ text }) {
      asked.push(text);
      for (let left = text === 'One.' ? 6 : 3; left > 0; left -= 1) {
        while (pieces.length === 0) await more.promise;
        yield { pcm: pieces.shift()!, sampleRate: RATE };
      }
    },
    close: async () => {},
  };
  const arrive = (value: number): void => {
    pieces.push(piece(value));
    more.resolve();
    more = Promise.withResolvers();
  };
  return { synthesizer, asked, arrive };
}

/**
 * Two sentences of a speech-to-speech model took turns in taking its sound: the second was asked for while the first
 * was heard and still arriving, and what was heard was in disorder.
 */
it('a voice that says everything once is asked for a sentence when it has all of the one before', async () => {
  const { synthesizer, asked, arrive } = oneStream();
  const { output, timers, record } = openTestAudioOut(synthesizer);
  output.start();
  output.say(say('a', 'One.'));
  output.say(say('b', 'Two.'));
  for (let value = 1; value <= 9; value += 1) {
    arrive(value * 1_000);
    await timers.advance(60);
    if (value === 3) expect(asked).toEqual(['One.']);
  }
  await timers.advance(1_000);
  const heard = audioOf(record.frames).filter((sample) => sample % 1_000 === 0 && sample !== 0);
  expect([...new Set(heard)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((value) => value * 1_000));
  expect(asked).toEqual(['One.', 'Two.']);
  output.close();
});

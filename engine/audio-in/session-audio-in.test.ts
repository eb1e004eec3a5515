import { expect, it } from 'vitest';
import type { SpeechRecognizer } from '../../models/ports.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { SessionAudioIn } from './session-audio-in.ts';

const [RAW, FILTERED] = [0.25, 0.125];

/** @param roomDb level of the room. @returns the first sample that recognition got of each window of speech. */
function recognized(roomDb: number): number[] {
  const { session, written } = hearing();
  for (let i = 0; i < 60; i += 1) session.takeResult(window(roomDb), 0.02);
  for (let i = 0; i < 20; i += 1) session.takeResult(window(-15), 0.95);
  session.close();
  return written.slice(-20);
}

const window = (levelDb: number) => ({
  raw: new Float32Array(512).fill(RAW),
  filtered: new Float32Array(512).fill(FILTERED),
  levelDb,
  endsAt: 0,
  follows: 'previous' as const,
});

/** @returns a session, and what its recognizer is given. */
function hearing() {
  const written: number[] = [];
  const voices: string[] = [];
  const recognizer: SpeechRecognizer = {
    name: 'fake',
    languages: 'any',
    open: () => ({
      write: (pcm) => written.push((pcm[0] as number) / 32_768),
      setVoice: (voice) => voices.push(voice),
      finish() {},
      reset() {},
      setLanguage() {},
      close() {},
    }),
    close: async () => undefined,
  };
  const session = new SessionAudioIn(
    {
      type: 'open',
      session: 1,
      language: 'en',
      keyTerms: [],
      preferred: null,
      enhancementLevel: 0.8,
      wantsAudio: false,
      words: 'here',
    },
    { noise: 'off', recognizer, keyTerms: [], endOfTurn: null, timers: systemTimers, warn() {} },
    () => undefined,
  );
  return { session, written, voices };
}

/** A recording with noise ended with its last word: no window without a voice came, and the last words were not read ahead. */
it('recognition is told that the voice has stopped also where no more sound comes', () => {
  const { session, voices } = hearing();
  for (let i = 0; i < 20; i += 1) session.takeResult(window(-15), 0.95);
  expect(voices).toEqual([]);
  session.askEndOfTurn();
  expect(voices).toEqual(['off']);
  session.close();
});

it('recognition gets the unfiltered sound in a quiet room', () => {
  expect(new Set(recognized(-60))).toEqual(new Set([RAW]));
});

it('recognition gets the filtered sound beside loud steady noise', () => {
  expect(new Set(recognized(-25))).toEqual(new Set([FILTERED]));
});

import { expect, it } from 'vitest';
import { FRAME_MS, FRAME_SAMPLES, SAMPLES_PER_MS } from '../../media/audio-format.ts';
import type { MouthShape } from './coarticulation.ts';
import { MouthLookahead } from './mouth-lookahead.ts';
import { MouthFromAudio } from './mouth-from-audio.ts';
import { MouthSchedule } from './mouth-schedule.ts';

const SECONDS = 10;
const SOUND = Int16Array.from({ length: SECONDS * 1_000 * SAMPLES_PER_MS }, (_, at) =>
  Math.round(9_000 * Math.sin(at / 40) * Math.sin(at / 9_000) * Math.sin(at / (7 + (at % 31_000) / 9_000))),
);

/** The mouth of a sound whose first sample is heard at 0. */
function listen(): { readonly ahead: MouthLookahead; readonly shapes: MouthShape[]; readonly heardMs: () => number } {
  const shapes: MouthShape[] = [];
  let soundMs = 0;
  const schedule = new MouthSchedule('one', {
    mouth: (track) => void shapes.push(...track.shapes),
    mouthStopped: () => {},
    speechSound: ({ pcm }) => void (soundMs += pcm.length / SAMPLES_PER_MS),
  });
  schedule.soundsAt(0, 0);
  return { ahead: new MouthLookahead(schedule), shapes, heardMs: () => soundMs };
}

const framesOf = (shapes: readonly MouthShape[]): readonly string[] =>
  shapes.flatMap(({ shape, startMs, endMs }) => Array.from({ length: (endMs - startMs) / FRAME_MS }, () => shape));

/** A client that sent minutes at once took the thread that paces everybody's sound for 650 ms, and a room's agent for 2.4 s. */
it('looks a second ahead of what is heard, however much has arrived, and 0.2 s in one go', () => {
  const { ahead, shapes, heardMs } = listen();
  ahead.add(SOUND, 0);
  expect(heardMs()).toBe(200);
  for (let frame = 0; frame < 10; frame += 1) ahead.upTo(0);
  expect(shapes.at(-1)!.endMs).toBeLessThanOrEqual(1_000);
  expect(heardMs()).toBe(1_000);
  for (let heard = 0; heard <= 2_000 * SAMPLES_PER_MS; heard += FRAME_SAMPLES) ahead.upTo(heard);
  expect(shapes.at(-1)!.endMs).toBeGreaterThan(2_900);
  expect(shapes.at(-1)!.endMs).toBeLessThanOrEqual(3_000);
});

it('shows the same mouth as if it had looked at all at once', () => {
  const whole = new MouthFromAudio();
  const expected = framesOf([...whole.add(SOUND), ...whole.finish()]);
  const { ahead, shapes, heardMs } = listen();
  ahead.add(SOUND, 0);
  ahead.finish(0);
  for (let heard = 0; heard <= SOUND.length; heard += FRAME_SAMPLES) ahead.upTo(heard);
  expect(framesOf(shapes)).toEqual(expected);
  expect(heardMs()).toBe(SECONDS * 1_000);
});

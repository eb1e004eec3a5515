import { describe, expect, it } from 'vitest';
import type { SpeechAudio } from '../../ports.ts';
import { MouthSchedule } from './mouth-schedule.ts';

/** 20 ms of sound that can be told apart by its value. */
const piece = (value: number) => new Int16Array(960).fill(value);

function listener() {
  const heard: { at: number; value: number | undefined }[] = [];
  const stops: number[] = [];
  const schedule = new MouthSchedule('s', {
    mouth: () => {},
    mouthStopped: (at) => stops.push(at),
    speechSound: ({ at, pcm }: SpeechAudio) => heard.push({ at, value: pcm[0] }),
  });
  return { schedule, heard, stops };
}

describe('A face that moves by sound', () => {
  it('hears what is queued once it is known when it sounds, and what comes later at once', () => {
    const { schedule, heard } = listener();
    schedule.hear(piece(1));
    schedule.hear(piece(2));
    expect(heard).toEqual([]);
    schedule.soundsAt(1000, 0);
    schedule.hear(piece(3));
    expect(heard).toEqual([
      { at: 1000, value: 1 },
      { at: 1020, value: 2 },
      { at: 1040, value: 3 },
    ]);
  });

  it('hears the rest again when the sound moves on the clock', () => {
    const { schedule, heard, stops } = listener();
    for (const value of [1, 2, 3]) schedule.hear(piece(value));
    schedule.soundsAt(1000, 0);
    heard.length = 0;
    schedule.skipped(100, 1130);
    expect(stops).toEqual([1030]);
    expect(heard).toEqual([
      { at: 1120, value: 2 },
      { at: 1140, value: 3 },
    ]);
  });

  it('is told nothing while the sound pauses', () => {
    const { schedule, heard, stops } = listener();
    schedule.hear(piece(1));
    schedule.soundsAt(1000, 0);
    schedule.ranDry(1020);
    schedule.hear(piece(2));
    expect(stops).toEqual([1020]);
    expect(heard).toHaveLength(1);
    schedule.soundsAt(1500, 20);
    expect(heard.at(-1)).toEqual({ at: 1500, value: 2 });
  });

  it('costs nothing when no face listens', () => {
    const schedule = new MouthSchedule('s', { mouth: () => {}, mouthStopped: () => {} });
    schedule.hear(piece(1));
    expect(() => schedule.soundsAt(0, 0)).not.toThrow();
  });
});

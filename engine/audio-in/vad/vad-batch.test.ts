import { describe, expect, test } from 'vitest';
import type { VadModel } from '../../../models/ports.ts';
import type { AudioWindow } from '../receive/user-audio.ts';
import { VadLanes, runVad } from './vad-batch.ts';

/** Its result is the first new sample of each window; its memory is the sum of all windows. */
function echoModel(runs: number[]): VadModel {
  return {
    run(batch) {
      runs.push(batch.length);
      return Float32Array.from(batch, ({ samples, state }) => {
        state[0] = (state[0] as number) + (samples[64] as number);
        return samples[64] as number;
      });
    },
    close: async () => undefined,
  };
}

function window(raw: number, filtered: number | null, follows: AudioWindow['follows'] = 'previous'): AudioWindow {
  return {
    raw: new Float32Array(512).fill(raw),
    filtered: filtered === null ? null : new Float32Array(512).fill(filtered),
    levelDb: -20,
    loudMs: 32,
    endsAt: 0,
    follows,
  };
}

describe('the judgment of windows', () => {
  test('runs all sessions at once and takes the lower of raw and filtered', () => {
    const runs: number[] = [];
    const due = [window(0.75, 0.25), window(0.5, null), window(0.125, 0.875)].map((w) => ({
      lanes: new VadLanes(),
      window: w,
    }));
    expect(runVad(echoModel(runs), due)).toEqual([0.25, 0.5, 0.125]);
    expect(runs).toEqual([5]);
  });

  test('gives the model 64 samples of the window before', () => {
    const lanes = new VadLanes();
    runVad(echoModel([]), [{ lanes, window: window(0.5, 0.25) }]);
    runVad(echoModel([]), [{ lanes, window: window(0.75, 0.125) }]);
    expect([...new Set(lanes.raw.samples.subarray(0, 64))]).toEqual([0.5]);
    expect([...new Set(lanes.filtered.samples.subarray(0, 64))]).toEqual([0.25]);
  });

  test('continues the filtered sound from the raw one where the filter rested', () => {
    const lanes = new VadLanes();
    runVad(echoModel([]), [{ lanes, window: window(0.5, null) }]);
    runVad(echoModel([]), [{ lanes, window: window(0.25, 0.125) }]);
    expect(lanes.raw.state[0]).toBe(0.75);
    expect(lanes.filtered.state[0]).toBe(0.625);
  });

  test('forgets what was before a pause', () => {
    const lanes = new VadLanes();
    runVad(echoModel([]), [{ lanes, window: window(0.5, 0.5) }]);
    runVad(echoModel([]), [{ lanes, window: window(0.25, 0.25, 'pause') }]);
    expect(lanes.raw.state[0]).toBe(0.25);
    expect([...new Set(lanes.raw.samples.subarray(0, 64))]).toEqual([0]);
  });
});

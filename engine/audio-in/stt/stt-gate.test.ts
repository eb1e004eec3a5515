import { describe, expect, test } from 'vitest';
import { SttGate } from './stt-gate.ts';

/** Windows of 32 ms, each marked with its number. */
function pass(gate: SttGate, probabilities: readonly number[], first = 0): number[] {
  return probabilities.flatMap((p, index) =>
    gate.push(new Int16Array(512).fill(first + index), p).map((pcm) => pcm[0] as number),
  );
}

const quiet = (count: number) => Array.from({ length: count }, () => 0);

describe('what reaches recognition', () => {
  test('is nothing while nobody speaks', () => {
    expect(pass(new SttGate(), quiet(1_000))).toEqual([]);
  });

  test('begins half a second before the first voiced window', () => {
    const passed = pass(new SttGate(), [...quiet(100), 0.4]);
    expect(passed).toEqual([...Array.from({ length: 15 }, (_, i) => 85 + i), 100]);
  });

  test('includes pauses inside a sentence, and stops after 1.5 s of silence', () => {
    const passed = pass(new SttGate(), [0.9, ...quiet(30), 0.9, ...quiet(100)]);
    expect(passed[0]).toBe(0);
    expect(passed).toHaveLength(32 + Math.floor(1_500 / 32));
  });

  test('has no sound twice and leaves none out when speech begins again soon after the gate closed', () => {
    const passed = pass(new SttGate(), [0.9, ...quiet(55), 0.9]);
    expect(passed).toEqual([...passed.keys()]);
  });

  test('tells the first sign of silence, and that the voice goes on', () => {
    const gate = new SttGate();
    const voices = [0.9, 0.1, 0.1, 0.1, 0.9].map((probability) => {
      gate.push(new Int16Array(512), probability);
      return gate.voice;
    });
    expect(voices).toEqual(['on', 'on', 'on', 'off', 'on']);
  });

  test('stops with the utterance, keeping the beginning of the next one', () => {
    const gate = new SttGate();
    pass(gate, [0.9, 0.1]);
    gate.close();
    expect(pass(gate, [0.1, 0.1], 2)).toEqual([]);
    expect(pass(gate, [0.9], 4)).toEqual([2, 3, 4]);
  });
});

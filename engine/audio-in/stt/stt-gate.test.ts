import { describe, expect, test } from 'vitest';
import { SttGate } from './stt-gate.ts';

const heard = (probability: number, levelDb = -25, loudMs = 32) => ({ probability, levelDb, loudMs });

/** Windows of 32 ms, each marked with its number. */
function pass(gate: SttGate, probabilities: readonly number[], first = 0): number[] {
  return probabilities.flatMap((p, index) =>
    gate.push(new Int16Array(512).fill(first + index), heard(p)).map((pcm) => pcm[0] as number),
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

  const voicesOf = (gate: SttGate, windows: readonly ReturnType<typeof heard>[]) =>
    windows.map((window) => {
      gate.push(new Int16Array(512), window);
      return gate.voice;
    });

  test('tells the first sign of silence, and that the voice goes on', () => {
    const windows = [0.9, 0.1, 0.1, 0.9].map((probability) => heard(probability));
    expect(voicesOf(new SttGate(), windows)).toEqual(['on', 'on', 'off', 'on']);
  });

  test('takes the soft beginning of a voice for no silence', () => {
    const windows = [0.32, 0.1, 0.1, 0.1, 0.9].map((probability) => heard(probability));
    expect(voicesOf(new SttGate(), windows)).toEqual(['on', 'on', 'on', 'on', 'on']);
  });

  test('counts the silence from the last loud sound, not from the end of its window', () => {
    expect(voicesOf(new SttGate(), [heard(0.9, -25, 32), heard(0.9, -30, 4), heard(0.2)])).toEqual(['on', 'on', 'on']);
    expect(voicesOf(new SttGate(), [heard(0.9, -25, 32), heard(0.9, -30, 0), heard(0.2)])).toEqual(['on', 'on', 'off']);
  });

  /**
   * A real conversation, 2026-11-27: "ask what you can do for your country" before an audience. 100 ms after the last word,
   * single windows of the hall had 0.44 and 0.47. The voice seemed to go on, and the reading of the last words began later:
   * they were known 1.5 s after the voice, where 0.4 s are enough. The VAD needs 0.5 to hear a voice again.
   */
  test('no voice goes on that the VAD does not hear either: the hall, and the reverberation of the last word', () => {
    const hall = [1, 0.48, 0.05, 0.18, 0.44, 0.13].map((probability) => heard(probability));
    expect(voicesOf(new SttGate(), hall).slice(3)).toEqual(['off', 'off', 'off']);
    const later = [0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.51, 0.1, 0.6, 0.6].map((probability) => heard(probability));
    expect(voicesOf(new SttGate(), later).slice(5)).toEqual(['off', 'off', 'off', 'off', 'on']);
    const reverberation = [heard(1, -14), heard(0.84, -56), heard(0.49, -48), heard(0.34, -49)];
    expect(voicesOf(new SttGate(), reverberation).slice(2)).toEqual(['off', 'off']);
  });

  test('stops with the utterance, keeping the beginning of the next one', () => {
    const gate = new SttGate();
    pass(gate, [0.9, 0.1]);
    gate.close();
    expect(pass(gate, [0.1, 0.1], 2)).toEqual([]);
    expect(pass(gate, [0.9], 4)).toEqual([2, 3, 4]);
  });
});

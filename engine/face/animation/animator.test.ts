import { describe, expect, it } from 'vitest';
import { FaceAnimator, restingFace } from './animator.ts';
import { expressionFor } from './expression.ts';
import { FACE_PARAMETERS, type FaceState } from './face-state.ts';
import { LOOP_FRAMES, LOOP_VARIATIONS, idleScript } from './idle-script.ts';
import { LoopChoice } from './loop-choice.ts';
import { seededRandom } from './random.ts';

/** The largest difference of any parameter. */
const faceDistance = (a: FaceState, b: FaceState): number =>
  Math.max(...FACE_PARAMETERS.map((parameter) => Math.abs(a[parameter] - b[parameter])));

function minuteOf(seed: number): FaceState[] {
  const animator = new FaceAnimator({ seed, startsAt: 0, mood: 'idle', tag: null, expressivity: 0.5 });
  return Array.from({ length: 1500 }, (_, i) => {
    if (i === 500) animator.show('listening', null);
    if (i === 1000) animator.show('speaking', 'happy');
    return animator.step(i * 40, []);
  });
}

describe('a living face', () => {
  it('is the same for the same seed and another for another', () => {
    expect(minuteOf(7)).toEqual(minuteOf(7));
    expect(minuteOf(7)).not.toEqual(minuteOf(8));
  });

  it('blinks, breathes, looks around and moves its head', () => {
    const states = minuteOf(3);
    const blinks = states.filter((s, i) => s.lids < 0.1 && (states[i - 1]?.lids ?? 1) >= 0.1).length;
    expect(blinks).toBeGreaterThanOrEqual(8);
    expect(blinks).toBeLessThanOrEqual(40);
    expect(Math.max(...states.map((s) => s.breath))).toBeGreaterThan(0.95);
    expect(new Set(states.map((s) => s.gazeX.toFixed(2))).size).toBeGreaterThan(10);
    expect(Math.max(...states.map((s) => s.yaw)) - Math.min(...states.map((s) => s.yaw))).toBeGreaterThan(0.3);
  });

  it('goes on from the pose that it is given', () => {
    const pose = idleScript('idle', null, 0.5, 2)[60]!;
    const animator = new FaceAnimator({ seed: 1, startsAt: 0, mood: 'idle', tag: null, expressivity: 0.5 });
    animator.takeOver(5000, pose, 60 * 40);
    expect(faceDistance(animator.step(5000, []), pose)).toBeLessThan(0.01);
  });

  it('shows cues more strongly the more expressive it may be', () => {
    const smile = (expressivity: number) => expressionFor('idle', 'happy', expressivity).smile;
    expect(smile(0)).toBeGreaterThan(expressionFor('idle', null, 0).smile);
    expect(smile(1)).toBeGreaterThan(smile(0.2));
    expect(expressionFor('idle', 'no such cue', 1)).toEqual({
      ...expressionFor('idle', null, 1),
      smile: expect.any(Number),
    });
  });
});

describe('idle loops', () => {
  it('all begin and end in the home pose of their mood', () => {
    for (const mood of ['idle', 'listening'] as const) {
      const home = restingFace(mood, null, 0.5);
      for (let variation = 0; variation < LOOP_VARIATIONS[mood]; variation++) {
        const poses = idleScript(mood, null, 0.5, variation);
        expect(poses).toHaveLength(LOOP_FRAMES);
        expect(faceDistance(poses[0]!, home)).toBeLessThan(0.02);
        expect(faceDistance(poses.at(-1)!, home)).toBeLessThan(0.05);
      }
    }
  });

  it('do not come back within a minute', () => {
    const choice = new LoopChoice(seededRandom(5));
    const loops = Array.from({ length: LOOP_VARIATIONS.idle }, (_, i) => i);
    const shown = Array.from({ length: 300 }, () => choice.next(loops));
    shown.forEach((loop, i) => {
      const last = shown.lastIndexOf(loop, i - 1);
      if (i > 0 && last >= 0) expect(i - last).toBeGreaterThanOrEqual(loops.length - 2);
    });
  });
});

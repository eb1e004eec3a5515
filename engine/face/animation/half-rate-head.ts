import { FRAME_MS } from '../frame-rate.ts';
import type { FaceState } from './face-state.ts';

/**
 * Head and chest move with every second frame only, lips and eyes with each: a head moves slowly enough for that, and a
 * frame in which it rests costs half (bench/face).
 */
const HEAD_MOVES_EVERY_MS = 2 * FRAME_MS;

type HeadPart = Pick<FaceState, 'yaw' | 'pitch' | 'roll' | 'breath'>;

export class HalfRateHead {
  #head: HeadPart = { yaw: 0, pitch: 0, roll: 0, breath: 0 };
  #movedAt = -Infinity;

  /** @param at of the frame; rising. */
  hold(state: FaceState, at: number): FaceState {
    if (at - this.#movedAt < HEAD_MOVES_EVERY_MS) return { ...state, ...this.#head };
    const { yaw, pitch, roll, breath } = state;
    this.#head = { yaw, pitch, roll, breath };
    this.#movedAt = at;
    return state;
  }
}

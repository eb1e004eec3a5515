import { FACE_PARAMETERS } from '../animation/face-state.ts';
import type { FaceState } from '../animation/face-state.ts';
import { PART_ATLASES } from './prepared-avatar.ts';
import type { FacePart } from './prepared-avatar.ts';

/** How differently two states look: squares, so that several small differences count less than a large one. */
export function poseDistance(a: FaceState, b: FaceState): number {
  let sum = 0;
  for (const parameter of FACE_PARAMETERS) sum += (a[parameter] - b[parameter]) ** 2;
  return sum;
}

/**
 * Which drawing replaces another one while the avatar is not complete. Another thread may be drawing: if a flag is
 * visible, its patch is visible too.
 * @param drawn flags of the part's patches; at least one is set. @returns `index` itself, or that of the most similar
 * one.
 */
export function nearestDrawn(part: FacePart, drawn: Uint8Array, index: number): number {
  if (Atomics.load(drawn, index) === 1) return index;
  const { states } = PART_ATLASES[part];
  let best = index;
  let least = Infinity;
  for (let i = 0; i < states.length; i++) {
    if (Atomics.load(drawn, i) === 0) continue;
    const distance = poseDistance(states[i]!, states[index]!);
    if (distance >= least) continue;
    least = distance;
    best = i;
  }
  return best;
}

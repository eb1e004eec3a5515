import { NEUTRAL_FACE } from '../animation/face-state.ts';
import type { FaceState } from '../animation/face-state.ts';
import { poseDistance } from '../rendering/nearest-drawn.ts';
import { FACE_PARTS, PART_ATLASES } from '../rendering/prepared-avatar.ts';
import type { FacePart } from '../rendering/prepared-avatar.ts';

export interface PatchName {
  readonly part: FacePart;
  /** In the part's atlas. */
  readonly index: number;
}

/** Faces speak and rest with about this much of a smile (`animation/expression.ts`: 0.2 to 0.3). */
const USUAL_SMILE = 0.25;

let order: readonly PatchName[] | null = null;

/**
 * All patches in the order in which a face needs them. The neutral ones come first. Then all parts are drawn at the
 * same pace, so that an unfinished face can blink, speak and look around. The usual smile comes before rarer ones, and
 * in each the coarse steps come before the fine ones.
 */
export function drawOrder(): readonly PatchName[] {
  order ??= FACE_PARTS.flatMap((part) => {
    const indices = partOrder(part);
    return indices.map((index, i) => ({ part, index, at: i / indices.length }));
  })
    .toSorted((a, b) => a.at - b.at)
    .map(({ part, index }) => ({ part, index }));
  return order;
}

function partOrder(part: FacePart): number[] {
  const { states, pick } = PART_ATLASES[part];
  const neutral = pick(NEUTRAL_FACE);
  const smiles = [...new Set(states.map(({ smile }) => smile))].toSorted(
    (a, b) => Math.abs(a - USUAL_SMILE) - Math.abs(b - USUAL_SMILE),
  );
  const rest = smiles.flatMap((smile) =>
    coarseFirst(
      states,
      states.flatMap((state, i) => (state.smile === smile ? [i] : [])),
    ),
  );
  return [neutral, ...rest.filter((index) => index !== neutral)];
}

/** The first is the one most similar to the neutral face. Each next one is the least similar to all before it. */
function coarseFirst(states: readonly FaceState[], indices: readonly number[]): number[] {
  const distances = new Map(indices.map((index) => [index, poseDistance(states[index]!, NEUTRAL_FACE)]));
  let next = indices.reduce((best, index) => (distances.get(index)! < distances.get(best)! ? index : best));
  for (const index of indices) distances.set(index, Infinity);
  const ordered: number[] = [];
  while (distances.size > 0) {
    ordered.push(next);
    distances.delete(next);
    let farthest = -1;
    let widest = -1;
    for (const [index, known] of distances) {
      const distance = Math.min(known, poseDistance(states[index]!, states[next]!));
      distances.set(index, distance);
      if (distance <= widest) continue;
      widest = distance;
      farthest = index;
    }
    next = farthest;
  }
  return ordered;
}

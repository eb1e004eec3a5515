import { NEUTRAL_FACE } from '../animation/face-state.ts';
import { ALL_PATCHES, FACE_PARTS, PART_ATLASES, patchOf } from '../rendering/prepared-avatar.ts';
import type { FacePart, PreparedAvatar } from '../rendering/prepared-avatar.ts';
import { blankAvatar, unpackAvatar } from '../rendering/prepared-file.ts';
import type { AvatarDrawing } from './avatar-source.ts';
import { drawOrder } from './draw-order.ts';

/** Draws the minimum that is needed to show a face: it can then move its head and breathe. @returns a packed avatar. */
export function beginAvatar(drawing: AvatarDrawing): SharedArrayBuffer {
  const shared = blankAvatar(drawing);
  const avatar = unpackAvatar(shared);
  avatar.base.set(drawing.base());
  for (const part of FACE_PARTS) drawPatch(drawing, avatar, part, PART_ATLASES[part].pick(NEUTRAL_FACE));
  return shared;
}

/**
 * Draws what is missing, in the order in which it is needed. Yields after each patch, with the share that is drawn
 * (0…1).
 */
export function* finishAvatar(drawing: AvatarDrawing, avatar: PreparedAvatar): Generator<number, void> {
  let drawn = FACE_PARTS.reduce((sum, part) => sum + avatar.parts[part].drawn.reduce((a, b) => a + b, 0), 0);
  for (const { part, index } of drawOrder()) {
    if (avatar.parts[part].drawn[index] === 1) continue;
    drawPatch(drawing, avatar, part, index);
    drawn++;
    yield drawn / ALL_PATCHES;
  }
}

/** Draws everything without a pause. Takes seconds. */
export function drawAvatar(drawing: AvatarDrawing): PreparedAvatar {
  const avatar = unpackAvatar(beginAvatar(drawing));
  for (const _share of finishAvatar(drawing, avatar));
  return avatar;
}

function drawPatch(drawing: AvatarDrawing, avatar: PreparedAvatar, part: FacePart, index: number): void {
  const prepared = avatar.parts[part];
  drawing.part(part, PART_ATLASES[part].states[index]!, patchOf(prepared, index));
  // Whoever sees the flag also sees the patch.
  Atomics.store(prepared.drawn, index, 1);
}

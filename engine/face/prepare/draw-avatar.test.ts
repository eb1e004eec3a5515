import { describe, expect, it } from 'vitest';
import { tinyAvatar } from '../../avatar-video/testing/tiny-avatar.ts';
import { NEUTRAL_FACE, type FaceState } from '../animation/face-state.ts';
import { packedFrame } from '../rendering/i420.ts';
import { nearestDrawn, poseDistance } from '../rendering/nearest-drawn.ts';
import { PatchRenderer } from '../rendering/patch-renderer.ts';
import { ALL_PATCHES, FACE_PARTS, isWhole, PART_ATLASES, patchOf } from '../rendering/prepared-avatar.ts';
import { packAvatar, unpackAvatar } from '../rendering/prepared-file.ts';
import type { AvatarDrawing } from './avatar-source.ts';
import { beginAvatar, drawAvatar, finishAvatar } from './draw-avatar.ts';
import { drawOrder } from './draw-order.ts';

/** Draws what the tiny avatar looks like. */
function tinyDrawing(): AvatarDrawing {
  const { width, height, anatomy, base, parts } = tinyAvatar();
  return {
    width,
    height,
    anatomy,
    rects: { brows: parts.brows.rect, eyes: parts.eyes.rect, mouth: parts.mouth.rect },
    base: () => base,
    part: (name, state, out) => out.set(patchOf(parts[name], PART_ATLASES[name].pick(state))),
  };
}

function frameOf(renderer: PatchRenderer, state: FaceState): Buffer {
  const frame = packedFrame(renderer.width, renderer.height);
  renderer.createPainter(frame).paint(state);
  return Buffer.concat(frame.planes);
}

describe('an avatar that is drawn while it is shown', () => {
  it('is drawn completely, once', () => {
    const order = drawOrder();
    expect(order).toHaveLength(ALL_PATCHES);
    expect(new Set(order.map(({ part, index }) => `${part} ${index}`)).size).toBe(ALL_PATCHES);
  });

  it('begins with the neutral face, which moves at once', () => {
    const avatar = unpackAvatar(beginAvatar(tinyDrawing()));
    for (const part of FACE_PARTS) {
      expect(avatar.parts[part].drawn.reduce((a, b) => a + b, 0)).toBe(1);
      expect(avatar.parts[part].drawn[PART_ATLASES[part].pick(NEUTRAL_FACE)]).toBe(1);
    }
    const renderer = new PatchRenderer(avatar);
    const whole = new PatchRenderer(tinyAvatar());
    expect(frameOf(renderer, NEUTRAL_FACE).equals(frameOf(whole, NEUTRAL_FACE))).toBe(true);
    // A missing patch is replaced by one that exists.
    const open = { ...NEUTRAL_FACE, mouthOpen: 1 };
    expect(frameOf(renderer, open).equals(frameOf(whole, open))).toBe(false);
    expect(nearestDrawn('mouth', avatar.parts.mouth.drawn, PART_ATLASES.mouth.pick(open))).toBe(
      PART_ATLASES.mouth.pick(NEUTRAL_FACE),
    );
  });

  it('can blink, and open its mouth in the usual smile, after a tenth of the drawings', () => {
    const drawing = tinyDrawing();
    const avatar = unpackAvatar(beginAvatar(drawing));
    for (const share of finishAvatar(drawing, avatar)) if (share >= 0.1) break;
    const shownFor = (part: 'eyes' | 'mouth', state: Partial<FaceState>) => {
      const index = PART_ATLASES[part].pick({ ...NEUTRAL_FACE, smile: 0.25, ...state });
      return PART_ATLASES[part].states[nearestDrawn(part, avatar.parts[part].drawn, index)]!;
    };
    expect(shownFor('eyes', { lids: 0 }).lids).toBe(0);
    expect(shownFor('mouth', { mouthOpen: 1 }).mouthOpen).toBeGreaterThan(0.5);
    expect(shownFor('mouth', { lipPress: 1 }).mouthOpen).toBe(0);
  });

  it('shows each detail as soon as it is drawn, and ends as the one that was drawn at once', () => {
    const drawing = tinyDrawing();
    const shared = beginAvatar(drawing);
    const avatar = unpackAvatar(shared);
    const renderer = new PatchRenderer(avatar);
    const open: FaceState = { ...NEUTRAL_FACE, smile: 0.3, mouthOpen: 1 };
    const wanted = PART_ATLASES.mouth.states[PART_ATLASES.mouth.pick(open)]!;
    let least = Infinity;
    for (const _share of finishAvatar(drawing, avatar)) {
      const index = nearestDrawn('mouth', avatar.parts.mouth.drawn, PART_ATLASES.mouth.pick(open));
      const now = poseDistance(PART_ATLASES.mouth.states[index]!, wanted);
      expect(now).toBeLessThanOrEqual(least);
      least = now;
    }
    expect(least).toBe(0);
    expect(isWhole(avatar)).toBe(true);
    expect(Buffer.from(shared).equals(Buffer.from(packAvatar(drawAvatar(drawing))))).toBe(true);
    expect(frameOf(renderer, open).equals(frameOf(new PatchRenderer(tinyAvatar()), open))).toBe(true);
  });

  it('goes on where drawing was broken off, and draws nothing twice', () => {
    const drawing = tinyDrawing();
    const shared = beginAvatar(drawing);
    for (const share of finishAvatar(drawing, unpackAvatar(shared))) if (share > 0.5) break;
    let again = 0;
    const counting: AvatarDrawing = {
      ...drawing,
      part(name, state, out) {
        again++;
        drawing.part(name, state, out);
      },
    };
    for (const _share of finishAvatar(counting, unpackAvatar(shared)));
    expect(isWhole(unpackAvatar(shared))).toBe(true);
    expect(again).toBeLessThan(ALL_PATCHES / 2);
    expect(again).toBeGreaterThan(ALL_PATCHES / 3);
  });
});

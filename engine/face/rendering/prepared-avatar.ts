import { EYE_ATLAS, pickEyes } from './eye-atlas.ts';
import { BROW_ATLAS, pickBrows } from './brow-atlas.ts';
import { MOUTH_ATLAS, pickMouth } from './mouth-atlas.ts';
import type { FaceState } from '../animation/face-state.ts';
import type { Rect } from './i420.ts';

/** The parts of a face that change by themselves. Their rectangles do not overlap. */
export const FACE_PARTS = ['brows', 'eyes', 'mouth'] as const;
export type FacePart = (typeof FACE_PARTS)[number];

/** Which states each part is drawn in, and which drawing stands for a state. */
export const PART_ATLASES: Readonly<
  Record<FacePart, { readonly states: readonly FaceState[]; readonly pick: (state: FaceState) => number }>
> = {
  brows: { states: BROW_ATLAS, pick: pickBrows },
  eyes: { states: EYE_ATLAS, pick: pickEyes },
  mouth: { states: MOUTH_ATLAS, pick: pickMouth },
};

/** Where things are in the frame, in pixels, for the head motion. Found by landmarks or known from the drawing. */
export interface Anatomy {
  /** Center of the face, between eyes and mouth. */
  readonly faceX: number;
  readonly faceY: number;
  /** Half the width between the cheeks, and half the height from hairline to chin. */
  readonly faceHalfWidth: number;
  readonly faceHalfHeight: number;
  /** The line between the lips. */
  readonly mouthY: number;
  readonly chinY: number;
  /** Half the width of everything that moves with the head (hair included), and its top. */
  readonly headHalfWidth: number;
  readonly headTop: number;
  /** Where the neck meets the body: the head turns about it. */
  readonly neckY: number;
  readonly shouldersY: number;
  readonly shoulderHalfWidth: number;
}

export interface PreparedPart {
  /** Multiples of 2 (chroma). */
  readonly rect: Rect;
  /** One packed I420 frame of the rectangle per state of the part's atlas, in its order. */
  readonly patches: Uint8Array;
  /** 1 for each patch that is drawn, else 0. The patch for the neutral face is always drawn. */
  readonly drawn: Uint8Array;
}

/** What is known of an avatar in one size before anything is drawn. */
export interface AvatarLayout {
  readonly width: number;
  readonly height: number;
  readonly anatomy: Anatomy;
  readonly rects: Readonly<Record<FacePart, Rect>>;
}

/**
 * An avatar that can be animated. Drawn or photographed, this is all that the patch renderer needs. The arrays may be
 * views of shared memory into which another thread still draws, so patches may be missing. Nobody else writes to them.
 */
export interface PreparedAvatar {
  readonly width: number;
  readonly height: number;
  /** The neutral face, packed I420. */
  readonly base: Uint8Array;
  readonly anatomy: Anatomy;
  readonly parts: Readonly<Record<FacePart, PreparedPart>>;
}

/** Drawings of all parts together. */
export const ALL_PATCHES = FACE_PARTS.reduce((sum, part) => sum + PART_ATLASES[part].states.length, 0);

/** @returns true when nothing is missing. */
export function isWhole(avatar: PreparedAvatar): boolean {
  return FACE_PARTS.every((part) => !avatar.parts[part].drawn.includes(0));
}

/** The bytes of one patch, as a view. */
export function patchOf({ rect, patches }: PreparedPart, index: number): Uint8Array {
  const size = patchBytes(rect);
  return patches.subarray(index * size, (index + 1) * size);
}

export function patchBytes(rect: Rect): number {
  return (rect.width * rect.height * 3) / 2;
}

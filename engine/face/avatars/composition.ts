import type { Anatomy } from '../rendering/prepared-avatar.ts';
import type { Rect } from '../rendering/i420.ts';
import { alignRect } from '../rendering/i420.ts';
import type { AvatarSpec } from './avatar-spec.ts';
import { MOUTH_Y } from './mouth.ts';
import { SHOULDERS_Y, SHOULDER_HALF_WIDTH, TORSO_LIFT } from './torso.ts';

/** Where a person is in a frame: face units → pixels. */
export interface Composition {
  readonly width: number;
  readonly height: number;
  readonly centerX: number;
  /** Height of the eyes. */
  readonly eyesY: number;
  /** Pixels per face unit. */
  readonly scale: number;
}

/** Head and shoulders: in a landscape the head fills half of the height, in a portrait half of the width. */
export function compose(width: number, height: number): Composition {
  const landscape = width >= height;
  return {
    width,
    height,
    centerX: width / 2,
    eyesY: landscape ? height * 0.45 : height * 0.41,
    scale: landscape ? height / 520 : width / 425,
  };
}

/** The rectangles of the changing parts, in face units. They hold every state of the part and do not overlap. */
const PART_BOXES = {
  brows: { x: -86, y: -76, width: 172, height: 46 },
  eyes: { x: -86, y: -30, width: 172, height: 56 },
  mouth: { x: -90, y: 48, width: 180, height: 114 },
} as const;

export function partRects(c: Composition): Readonly<Record<keyof typeof PART_BOXES, Rect>> {
  const toPixels = (part: keyof typeof PART_BOXES): Rect => {
    const box = PART_BOXES[part];
    const y0 = Math.round((c.eyesY + box.y * c.scale) / 2) * 2;
    const y1 = Math.round((c.eyesY + (box.y + box.height) * c.scale) / 2) * 2;
    return alignRect(
      { x: c.centerX + box.x * c.scale, y: y0, width: box.width * c.scale, height: y1 - y0 },
      2,
      c.width,
      c.height,
    );
  };
  return { brows: toPixels('brows'), eyes: toPixels('eyes'), mouth: toPixels('mouth') };
}

export function anatomyOf(spec: AvatarSpec, c: Composition): Anatomy {
  const y = (units: number) => c.eyesY + units * c.scale;
  const long = spec.hair.style === 'long-waves' || spec.hair.style === 'bob' || spec.hair.style === 'curls';
  return {
    faceX: c.centerX,
    faceY: y(20),
    faceHalfWidth: spec.face.cheek * c.scale,
    faceHalfHeight: 138 * c.scale,
    mouthY: y(MOUTH_Y),
    chinY: y(spec.face.chinY),
    headHalfWidth: (long ? 138 : 122) * c.scale,
    headTop: y(spec.hair.style === 'bun' ? -228 : -190),
    neckY: y(205 - TORSO_LIFT),
    shouldersY: y(SHOULDERS_Y),
    shoulderHalfWidth: SHOULDER_HALF_WIDTH * c.scale,
  };
}

import type { FaceState } from '../animation/face-state.ts';
import type { FacePainter, FaceRenderer } from '../renderer.ts';
import { alignRect, surrounding } from './i420.ts';
import type { FrameTarget, Rect } from './i420.ts';
import { fillField, jawRect, motionField, motionPose, movingRect } from './motion-field.ts';
import type { MotionField, MotionPose } from './motion-field.ts';
import { nearestDrawn } from './nearest-drawn.ts';
import { FACE_PARTS, PART_ATLASES, patchBytes } from './prepared-avatar.ts';
import type { FacePart, PreparedAvatar } from './prepared-avatar.ts';
import { Warp } from './warp.ts';

/** The kernel works in blocks of this many pixels. */
const BLOCK = 16;

/**
 * Shows a prepared avatar: copies the parts that fit the state into the neutral face, then moves head, chest and jaw by
 * one warp. Measured by bench/face.ts; a head at rest costs only the patches.
 */
export class PatchRenderer implements FaceRenderer {
  readonly width: number;
  readonly height: number;
  readonly #avatar: PreparedAvatar;
  readonly #warp: Warp;
  readonly #field: MotionField;
  readonly #moving: Rect;
  readonly #jaw: Rect;
  /** Where each part may be after the head has moved. */
  readonly #reaches: Readonly<Record<FacePart, Rect>>;
  /** The drawings of parts that are currently in the warp's source. */
  readonly #placed: Record<FacePart, number | Uint8Array> = { brows: -1, eyes: -1, mouth: -1 };
  #pose: MotionPose | null = null;

  constructor(avatar: PreparedAvatar) {
    this.width = avatar.width;
    this.height = avatar.height;
    this.#avatar = avatar;
    this.#warp = new Warp(avatar.width, avatar.height);
    this.#warp.source.set(avatar.base);
    this.#warp.result.set(avatar.base);
    this.#field = motionField(avatar.anatomy, avatar.width, avatar.height);
    this.#moving = this.#aligned(movingRect(this.#field));
    this.#jaw = this.#aligned(jawRect(this.#field));
    this.#reaches = { brows: this.#reach('brows'), eyes: this.#reach('eyes'), mouth: this.#reach('mouth') };
  }

  createPainter(target: FrameTarget): FacePainter {
    return this.painterWithMouth(target, () => null);
  }

  /**
   * @param ownMouth called before each frame: gives a mouth drawn elsewhere (packed I420 of the mouth's rectangle), or
   * null for the mouth of the state.
   */
  painterWithMouth(target: FrameTarget, ownMouth: () => Uint8Array | null): FacePainter {
    let shownMouth: Uint8Array | null = null;
    const shown: Record<FacePart, number> = { brows: -1, eyes: -1, mouth: -1 };
    let shownPose: MotionPose | null = null;
    return {
      paint: (state) => {
        const picks = {
          brows: this.#pick('brows', state),
          eyes: this.#pick('eyes', state),
          mouth: this.#pick('mouth', state),
        };
        const pose = motionPose(state);
        const own = ownMouth();
        const changed = FACE_PARTS.filter(
          (part) => picks[part] !== shown[part] || (part === 'mouth' && own !== shownMouth),
        );
        const area = this.#changedArea(shownPose, pose, changed);
        if (area === null) return null;
        for (const part of FACE_PARTS) this.#place(part, picks[part], part === 'mouth' ? own : null);
        this.#setPose(pose);
        this.#warp.run(area);
        copyRect(this.#warp.result, target, area);
        Object.assign(shown, picks);
        shownMouth = own;
        shownPose = pose;
        return area;
      },
    };
  }

  close(): void {
    // The frames are in the kernel's memory, which is released with this object.
  }

  /** The drawing that shows the state best, among those that exist. */
  #pick(part: FacePart, state: FaceState): number {
    return nearestDrawn(part, this.#avatar.parts[part].drawn, PART_ATLASES[part].pick(state));
  }

  /** Speech mostly moves the mouth alone: a tenth of the frame. @returns null when nothing changed. */
  #changedArea(from: MotionPose | null, to: MotionPose, parts: readonly FacePart[]): Rect | null {
    if (from === null) return { x: 0, y: 0, width: this.width, height: this.height };
    if (!sameHead(from, to)) return this.#moving;
    const areas = parts.map((part) => this.#reaches[part]);
    if (from.jaw !== to.jaw) areas.push(this.#jaw);
    return areas.length === 0 ? null : areas.reduce(surrounding);
  }

  #reach(part: FacePart): Rect {
    const { rect } = this.#avatar.parts[part];
    const margin = Math.ceil(this.#avatar.anatomy.faceHalfWidth * 0.3);
    return this.#aligned({
      x: rect.x - margin,
      y: rect.y - margin,
      width: rect.width + 2 * margin,
      height: rect.height + 2 * margin,
    });
  }

  #aligned(rect: Rect): Rect {
    return alignRect(rect, BLOCK, this.width, this.height);
  }

  /** @param own a frame of the part that is not in an atlas, or null. */
  #place(part: FacePart, index: number, own: Uint8Array | null): void {
    const place = own ?? index;
    if (this.#placed[part] === place) return;
    this.#placed[part] = place;
    const { rect } = this.#avatar.parts[part];
    const patches = own ?? this.#avatar.parts[part].patches;
    const { source } = this.#warp;
    const from = own === null ? index * patchBytes(rect) : 0;
    let plane = 0;
    let patch = from;
    for (let p = 0; p < 3; p++) {
      const shift = p === 0 ? 0 : 1;
      const stride = this.width >> shift;
      const width = rect.width >> shift;
      const height = rect.height >> shift;
      let to = plane + (rect.y >> shift) * stride + (rect.x >> shift);
      for (let row = 0; row < height; row++) {
        source.set(patches.subarray(patch, patch + width), to);
        patch += width;
        to += stride;
      }
      plane += p === 0 ? this.width * this.height : (this.width * this.height) / 4;
    }
  }

  #setPose(pose: MotionPose): void {
    if (this.#pose !== null && samePose(this.#pose, pose)) return;
    fillField(this.#field, pose, this.#warp.field);
    this.#pose = pose;
  }
}

function samePose(a: MotionPose, b: MotionPose): boolean {
  return sameHead(a, b) && a.jaw === b.jaw;
}

function sameHead(a: MotionPose, b: MotionPose): boolean {
  return a.yaw === b.yaw && a.pitch === b.pitch && a.roll === b.roll && a.breath === b.breath;
}

/** Copies a part of a packed frame. @param rect of even numbers. */
function copyRect(packed: Uint8Array, target: FrameTarget, rect: Rect): void {
  let plane = 0;
  for (let p = 0; p < 3; p++) {
    const shift = p === 0 ? 0 : 1;
    const rowBytes = target.width >> shift;
    const stride = target.strides[p]!;
    const x = rect.x >> shift;
    const width = rect.width >> shift;
    const to = target.planes[p]!;
    for (let row = rect.y >> shift; row < (rect.y + rect.height) >> shift; row++) {
      const from = plane + row * rowBytes + x;
      to.set(packed.subarray(from, from + width), row * stride + x);
    }
    plane += rowBytes * (target.height >> shift);
  }
}

import type { FaceState } from '../animation/face-state.ts';
import type { FacePainter, FaceRenderer } from '../renderer.ts';
import { BLOCK, areaOf, rectsOf, together, type Area } from './area.ts';
import { alignRect } from './i420.ts';
import type { FrameTarget, Rect } from './i420.ts';
import { fillField, motionField, motionPose, movedBlocks } from './motion-field.ts';
import type { Motion, MotionField, MotionPose } from './motion-field.ts';
import { nearestDrawn } from './nearest-drawn.ts';
import { FACE_PARTS, PART_ATLASES, patchBytes } from './prepared-avatar.ts';
import type { FacePart, PreparedAvatar } from './prepared-avatar.ts';
import { Warp } from './warp.ts';

/** What can change in a frame by itself. */
const CHANGES = [...FACE_PARTS, 'head', 'breath', 'jaw'] as const satisfies readonly (FacePart | Motion)[];
type Change = (typeof CHANGES)[number];

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
  /** Where each change can be seen; a part of the face, also after the head has moved. */
  readonly #reaches: Readonly<Record<Change, Area>>;
  /** What is drawn again, by the names of the changes. There are few combinations, and each is often used. */
  readonly #areas = new Map<string, readonly Rect[]>();
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
    this.#reaches = {
      brows: this.#reach('brows'),
      eyes: this.#reach('eyes'),
      mouth: this.#reach('mouth'),
      head: movedBlocks(this.#field, 'head'),
      breath: movedBlocks(this.#field, 'breath'),
      jaw: movedBlocks(this.#field, 'jaw'),
    };
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
        const areas =
          shownPose === null
            ? [{ x: 0, y: 0, width: this.width, height: this.height }]
            : this.#changedAreas(
                shownPose,
                pose,
                (part) => picks[part] !== shown[part] || (part === 'mouth' && own !== shownMouth),
              );
        if (areas.length === 0) return areas;
        for (const part of FACE_PARTS) this.#place(part, picks[part], part === 'mouth' ? own : null);
        this.#setPose(pose);
        for (const area of areas) {
          this.#warp.run(area);
          copyRect(this.#warp.result, target, area);
        }
        Object.assign(shown, picks);
        shownMouth = own;
        shownPose = pose;
        return areas;
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

  /** Speech mostly moves the mouth alone: a tenth of the frame. @returns nothing when nothing changed. */
  #changedAreas(from: MotionPose, to: MotionPose, partChanged: (part: FacePart) => boolean): readonly Rect[] {
    const isChanged: Record<Change, boolean> = {
      brows: partChanged('brows'),
      eyes: partChanged('eyes'),
      mouth: partChanged('mouth'),
      head: from.yaw !== to.yaw || from.pitch !== to.pitch || from.roll !== to.roll,
      breath: from.breath !== to.breath,
      jaw: from.jaw !== to.jaw,
    };
    const changes = CHANGES.filter((change) => isChanged[change]);
    if (changes.length === 0) return [];
    const key = changes.join();
    const known = this.#areas.get(key);
    if (known !== undefined) return known;
    const areas = rectsOf(together(changes.map((change) => this.#reaches[change])));
    this.#areas.set(key, areas);
    return areas;
  }

  #reach(part: FacePart): Area {
    const { rect } = this.#avatar.parts[part];
    const margin = Math.ceil(this.#avatar.anatomy.faceHalfWidth * 0.3);
    const around = {
      x: rect.x - margin,
      y: rect.y - margin,
      width: rect.width + 2 * margin,
      height: rect.height + 2 * margin,
    };
    return areaOf(alignRect(around, BLOCK, this.width, this.height), this.height);
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
  return a.yaw === b.yaw && a.pitch === b.pitch && a.roll === b.roll && a.breath === b.breath && a.jaw === b.jaw;
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

import { smoothStep } from '../animation/ease.ts';
import type { FaceState } from '../animation/face-state.ts';
import { BLOCK, type Area } from './area.ts';
import type { Anatomy } from './prepared-avatar.ts';
import { FIELD_CELL, FIELD_UNIT, fieldColumns, fieldRows } from './warp.ts';

/**
 * How the frame moves with the head: for each node of a coarse grid, how far it is displaced by one unit of turn, nod,
 * tilt, breath and jaw. The near parts of the face (nose, mouth) move further than its rim, which reads as depth.
 * Reach is given in half face widths, so that it suits every size.
 */
const TURN_REACH = 0.085;
const NOD_REACH = 0.07;
const TILT_RADIANS = 0.034;
const BREATH_REACH = 0.022;
const JAW_REACH = 0.085;
/** Share of turn and nod that the whole head makes; the rest grows towards the nose. */
const RIGID_SHARE = 0.5;

/**
 * Poses are rounded to this many steps per unit. A displacement then steps by about a quarter of a pixel, which nobody
 * sees, and repeated poses cost nothing.
 */
const POSE_STEPS = 30;

/** The pose of head, chest and jaw as small integers; equal poses look the same. */
export interface MotionPose {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
  readonly breath: number;
  readonly jaw: number;
}

export function motionPose(state: FaceState): MotionPose {
  const round = (value: number, steps: number) => Math.round(value * steps);
  return {
    yaw: round(state.yaw, POSE_STEPS),
    pitch: round(state.pitch, POSE_STEPS),
    roll: round(state.roll, POSE_STEPS),
    breath: round(state.breath, POSE_STEPS / 3),
    jaw: round(Math.min(1, state.mouthOpen), POSE_STEPS / 3),
  };
}

export interface MotionField {
  /** Five weights per node: turn, nod, tilt (x, y) … see `COMPONENTS`. */
  readonly weights: Float32Array;
  readonly columns: number;
  readonly rows: number;
}

/** dx of turn, dy of nod, dx and dy of tilt, dy of breath, dy of jaw. */
const COMPONENTS = 6;
/** Cells of the grid in a block, across and down. */
const CELLS = BLOCK / FIELD_CELL;

export function motionField(anatomy: Anatomy, width: number, height: number): MotionField {
  const columns = fieldColumns(width);
  const rows = fieldRows(height);
  const weights = new Float32Array(columns * rows * COMPONENTS);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      weights.set(nodeWeights(anatomy, column * FIELD_CELL, row * FIELD_CELL), (row * columns + column) * COMPONENTS);
    }
  }
  return { weights, columns, rows };
}

function nodeWeights(a: Anatomy, x: number, y: number): number[] {
  const unit = a.faceHalfWidth;
  const u = (x - a.faceX) / a.faceHalfWidth;
  const v = (y - a.faceY) / a.faceHalfHeight;
  // Head and hair move as one; the motion fades out over the neck and into the background.
  const headHalfHeight = (a.neckY - a.headTop) / 2;
  const hu = (x - a.faceX) / a.headHalfWidth;
  const hv = (y - (a.headTop + headHalfHeight)) / headHalfHeight;
  const radius = Math.hypot(hu, hv);
  const neckFade = 1 - smoothStep((y - (a.chinY * 0.6 + a.neckY * 0.4)) / (a.shouldersY - a.chinY + unit * 0.5));
  const head = (1 - smoothStep((radius - 1) / 0.9)) * neckFade;
  const near = Math.sqrt(Math.max(0, 1 - Math.min(1, u * u * 0.8 + v * v * 0.7)));
  const depth = head * (RIGID_SHARE + (1 - RIGID_SHARE) * near);
  const shoulders = 1 - smoothStep((Math.abs(x - a.faceX) - a.shoulderHalfWidth) / (a.shoulderHalfWidth * 0.5));
  const chest = smoothStep((y - a.chinY) / (a.shouldersY - a.chinY)) * shoulders;
  const below = (y - a.mouthY) / (a.chinY - a.mouthY);
  const jaw =
    smoothStep(below / 0.9) * (1 - smoothStep((below - 1.1) / 1.9)) * (1 - smoothStep((Math.abs(u) - 0.35) / 0.75));
  const tilt = head * TILT_RADIANS;
  return [
    -depth * TURN_REACH * unit,
    -depth * NOD_REACH * unit,
    tilt * (y - a.neckY),
    -tilt * (x - a.faceX),
    Math.max(chest, head * 0.7) * BREATH_REACH * unit,
    -jaw * JAW_REACH * unit,
  ];
}

/** Writes the displacements of a pose in the units of the warp kernel. */
export function fillField(field: MotionField, pose: MotionPose, out: Int16Array): void {
  const { weights } = field;
  const nodes = field.columns * field.rows;
  const unit = FIELD_UNIT / POSE_STEPS;
  const yaw = pose.yaw * unit;
  const pitch = pose.pitch * unit;
  const roll = pose.roll * unit;
  const breath = pose.breath * 3 * unit;
  const jaw = pose.jaw * 3 * unit;
  for (let i = 0, w = 0; i < nodes; i++, w += COMPONENTS) {
    out[i * 2] = weights[w]! * yaw + weights[w + 2]! * roll;
    out[i * 2 + 1] =
      weights[w + 1]! * pitch + weights[w + 3]! * roll + weights[w + 4]! * breath + weights[w + 5]! * jaw;
  }
}

/** What moves by itself, and the components that move it. */
const MOTIONS = { head: [0, 1, 2, 3], breath: [4], jaw: [5] } as const;
export type Motion = keyof typeof MOTIONS;

/** The blocks of which any pixel can be displaced by a motion. */
export function movedBlocks(field: MotionField, motion: Motion): Area {
  const moves = (row: number, column: number): boolean => {
    const at = (row * field.columns + column) * COMPONENTS;
    return MOTIONS[motion].some((component) => field.weights[at + component] !== 0);
  };
  // A pixel is displaced by the nodes of its cell, which may be those at its right and below it.
  return Array.from({ length: (field.rows - 1) / CELLS }, (_, row) => {
    const [first, last] = [row * CELLS, (row + 1) * CELLS];
    let [from, to] = [Infinity, -Infinity];
    for (let y = first; y <= last; y++) {
      for (let x = 0; x < field.columns; x++) {
        if (!moves(y, x)) continue;
        from = Math.min(from, Math.max(0, x - 1));
        to = Math.max(to, Math.min(field.columns - 1, x + 1));
      }
    }
    return to < from ? null : ([Math.floor(from / CELLS), Math.ceil(to / CELLS)] as const);
  });
}

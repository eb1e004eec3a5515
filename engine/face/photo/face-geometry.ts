import { alignRect, type Rect } from '../rendering/i420.ts';
import type { Anatomy, FacePart } from '../rendering/prepared-avatar.ts';
import { CHIN, eyeCenters, LINES, midpoint, NOSE_BASE, type Landmarks, type Point } from './landmarks.ts';
import { EYES_TO_CHIN } from './photo-composition.ts';
import { curveThrough, slitFrame, type Curve, type SlitFrame } from './slit.ts';

export interface LipLines {
  readonly frame: SlitFrame;
  readonly upperOuter: Curve;
  readonly upperInner: Curve;
  readonly lowerInner: Curve;
  readonly lowerOuter: Curve;
}

export interface LidLines {
  readonly frame: SlitFrame;
  readonly upper: Curve;
  readonly lower: Curve;
}

/** Where the parts of a photographed face are, in pixels of the image. */
export interface FaceGeometry {
  /** Pixels per face unit: 148 units from eyes to chin, as in drawn avatars. */
  readonly unit: number;
  readonly eyes: Point;
  readonly chin: Point;
  readonly noseBase: Point;
  readonly lips: LipLines;
  readonly leftEye: LidLines;
  readonly rightEye: LidLines;
  readonly brows: readonly [readonly Point[], readonly Point[]];
  readonly rects: Readonly<Record<FacePart, Rect>>;
  readonly anatomy: Anatomy;
}

export function faceGeometry(points: Landmarks, width: number, height: number): FaceGeometry {
  const [left, right] = eyeCenters(points);
  const eyes = midpoint(left, right);
  const chin = points[CHIN]!;
  const unit = (chin[1] - eyes[1]) / EYES_TO_CHIN;
  const lips = lipLines(points);
  const brows = [LINES.leftBrow.map((i) => points[i]!), LINES.rightBrow.map((i) => points[i]!)] as const;
  return {
    unit,
    eyes,
    chin,
    noseBase: points[NOSE_BASE]!,
    lips,
    leftEye: lidLines(points, LINES.leftUpperLid, LINES.leftLowerLid),
    rightEye: lidLines(points, LINES.rightUpperLid, LINES.rightLowerLid),
    brows,
    rects: partRects(points, unit, eyes, lips, width, height),
    anatomy: anatomyOf(points, unit, eyes, lips),
  };
}

function lipLines(points: Landmarks): LipLines {
  const frame = slitFrame(points[48]!, points[54]!);
  const line = (indices: readonly number[]) => curveThrough(frame, points, indices);
  return {
    frame,
    upperOuter: line(LINES.outerUpperLip),
    upperInner: line(LINES.innerUpperLip),
    lowerInner: line(LINES.innerLowerLip),
    lowerOuter: line(LINES.outerLowerLip),
  };
}

/** Landmarks lie a little inside of the eye's corners. */
const EYE_WIDER = 1.12;

function lidLines(points: Landmarks, upper: readonly number[], lower: readonly number[]): LidLines {
  const close = slitFrame(points[upper[0]!]!, points[upper.at(-1)!]!);
  const frame = { ...close, half: close.half * EYE_WIDER };
  return { frame, upper: curveThrough(close, points, upper), lower: curveThrough(close, points, lower) };
}

/** Half widths and distances of the parts' rectangles, in face units. */
const MOUTH_HALF_WIDTH = 74;
const BELOW_CHIN = 34;
const EYES_HALF_WIDTH = 84;
const BELOW_EYES = 20;
const ABOVE_BROWS = 34;
/** Where brows end and eyes begin: this share of the way from the brows to the upper lids, counted from the lids. */
const LIDS_NEED = 0.64;
const MIN_LID = 5;

function partRects(
  points: Landmarks,
  unit: number,
  eyes: Point,
  lips: LipLines,
  width: number,
  height: number,
): FaceGeometry['rects'] {
  const even = (value: number) => Math.round(value / 2) * 2;
  const heights = (indices: readonly number[]) => indices.map((i) => points[i]![1]);
  const lidTop = Math.min(...heights([37, 38, 43, 44]));
  const browHeights = heights([...LINES.leftBrow, ...LINES.rightBrow]);
  const browMiddle = browHeights.reduce((sum, y) => sum + y, 0) / browHeights.length;
  const browTop = Math.min(...browHeights);
  const border = even(lidTop - Math.max(MIN_LID * unit, (lidTop - browMiddle) * LIDS_NEED));
  const eyesEnd = even(Math.max(...heights([40, 41, 46, 47])) + BELOW_EYES * unit);
  const mouthTop = Math.max(eyesEnd, even(points[NOSE_BASE]![1] - 16 * unit));
  const rect = (x: number, half: number, y0: number, y1: number): Rect =>
    alignRect(
      { x: x - half * unit, y: Math.max(0, y0), width: 2 * half * unit, height: y1 - Math.max(0, y0) },
      2,
      width,
      height,
    );
  return {
    brows: rect(eyes[0], EYES_HALF_WIDTH, even(browTop - ABOVE_BROWS * unit), border),
    eyes: rect(eyes[0], EYES_HALF_WIDTH, border, eyesEnd),
    mouth: rect(lips.frame.x, MOUTH_HALF_WIDTH, mouthTop, even(points[CHIN]![1] + BELOW_CHIN * unit)),
  };
}

/** A photo does not show where hair ends and the body begins. These are the proportions of the drawn avatars. */
function anatomyOf(points: Landmarks, unit: number, eyes: Point, lips: LipLines): Anatomy {
  const y = (units: number) => eyes[1] + units * unit;
  const faceHalfWidth = Math.abs(points[15]![0] - points[1]![0]) / 2;
  return {
    faceX: (points[1]![0] + points[15]![0]) / 2,
    faceY: y(20),
    faceHalfWidth,
    faceHalfHeight: 138 * unit,
    mouthY: lips.frame.y,
    chinY: points[CHIN]![1],
    headHalfWidth: Math.max(128 * unit, faceHalfWidth * 1.3),
    headTop: y(-200),
    neckY: y(178),
    shouldersY: y(206),
    shoulderHalfWidth: 232 * unit,
  };
}

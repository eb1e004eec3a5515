import { distance, eyeCenters, CHIN, type Landmarks } from '../face/photo/landmarks.ts';
import type { PhotoProblem } from './unsuitable-photo.ts';

export interface FoundFace {
  /** 0…1. */
  readonly score: number;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/**
 * Scores below are chance shapes in clothes and wallpaper: the portraits tried here scored 0.96 and above, their medals
 * 0.31.
 */
export const SURE_SCORE = 0.6;
/** A face this much smaller than the main one (by area) is a passer-by or an image on the wall. */
const BYSTANDER_AREA = 0.12;

/** Picks the face to animate. @param faces any order. */
export function chooseFace<T extends FoundFace>(faces: readonly T[]): T | PhotoProblem {
  const sure = faces.filter((face) => face.score >= SURE_SCORE).toSorted((a, b) => areaOf(b) - areaOf(a));
  const [main, second] = sure;
  if (main === undefined) return 'no-face';
  if (second !== undefined && areaOf(second) > areaOf(main) * BYSTANDER_AREA) return 'several-faces';
  return main;
}

function areaOf({ box }: FoundFace): number {
  return box.width * box.height;
}

/**
 * Chin to brows, in pixels. The portrait of Eileen Collins in the fixtures has 90: natural at 720×480, soft at
 * 1152×768.
 */
const MIN_FACE_SIZE = 64;
/** |left − right| / (left + right) of the distances from nose to jaw. A quarter is a turn of about 20 degrees. */
const MAX_TURN = 0.32;
/** Tilts are levelled, but the neck of a strongly tilted head would come in from the side. */
const MAX_TILT_DEGREES = 25;
/** Height of the opening by its width. Open eyes have 0.2 and more, closed ones below 0.1. */
const CLOSED_EYES = 0.1;
/** Gap between the lips by the width of the mouth. A broad smile has 0.25. */
const WIDE_OPEN_MOUTH = 0.45;

/** @returns what is wrong with a face, or null. @param width, height of the image. */
export function judgeFace(points: Landmarks, width: number, height: number): PhotoProblem | null {
  const at = (i: number) => points[i]!;
  const [leftEye, rightEye] = eyeCenters(points);
  const tilt = (Math.atan2(rightEye[1] - leftEye[1], rightEye[0] - leftEye[0]) * 180) / Math.PI;
  if (Math.abs(tilt) > MAX_TILT_DEGREES) return 'turned-away';
  const brows = [(at(19)[0] + at(24)[0]) / 2, (at(19)[1] + at(24)[1]) / 2] as const;
  const faceHeight = distance(brows, at(CHIN));
  if (faceHeight < MIN_FACE_SIZE) return 'face-too-small';
  // The forehead is about half as high as the distance from brows to chin; hair may be cut.
  const top = brows[1] - faceHeight * 0.25;
  if (top < 0 || points.some(([x, y]) => x < 0 || y < 0 || x > width || y > height)) return 'face-cut-off';
  const leftHalf = distance(at(30), at(2));
  const rightHalf = distance(at(30), at(14));
  if (Math.abs(leftHalf - rightHalf) / (leftHalf + rightHalf) > MAX_TURN) return 'turned-away';
  const openness = (
    corner: number,
    other: number,
    upper: readonly [number, number],
    lower: readonly [number, number],
  ) =>
    (distance(at(upper[0]), at(lower[0])) + distance(at(upper[1]), at(lower[1]))) / 2 / distance(at(corner), at(other));
  if ((openness(36, 39, [37, 38], [41, 40]) + openness(42, 45, [43, 44], [47, 46])) / 2 < CLOSED_EYES)
    return 'eyes-closed';
  if (distance(at(62), at(66)) / distance(at(48), at(54)) > WIDE_OPEN_MOUTH) return 'mouth-open';
  return null;
}

/** A place in an image, in pixels. */
export type Point = readonly [x: number, y: number];

/**
 * The 68 points of a face in the common order: jaw 0–16 from the image's left to its right, brows 17–21 and 22–26,
 * nose 27–35, eyes 36–41 and 42–47, outer lips 48–59, inner lips 60–67.
 */
export type Landmarks = readonly Point[];

export const LANDMARK_COUNT = 68;

/** Points from left to right along the lines that the animation moves. */
export const LINES = {
  jaw: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
  leftBrow: [17, 18, 19, 20, 21],
  rightBrow: [22, 23, 24, 25, 26],
  leftUpperLid: [36, 37, 38, 39],
  leftLowerLid: [36, 41, 40, 39],
  rightUpperLid: [42, 43, 44, 45],
  rightLowerLid: [42, 47, 46, 45],
  outerUpperLip: [48, 49, 50, 51, 52, 53, 54],
  outerLowerLip: [48, 59, 58, 57, 56, 55, 54],
  innerUpperLip: [48, 60, 61, 62, 63, 64, 54],
  innerLowerLip: [48, 60, 67, 66, 65, 64, 54],
} as const;

export const NOSE_BASE = 33;
export const CHIN = 8;

/** Which point each point becomes in a mirrored image. */
export const MIRRORED: readonly number[] = [
  16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 27, 28, 29, 30, 35,
  34, 33, 32, 31, 45, 44, 43, 42, 47, 46, 39, 38, 37, 36, 41, 40, 54, 53, 52, 51, 50, 49, 48, 59, 58, 57, 56, 55, 64,
  63, 62, 61, 60, 67, 66, 65,
];

export function midpoint(a: Point, b: Point): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1]);
}

function meanOf(points: Landmarks, indices: readonly number[]): Point {
  let x = 0;
  let y = 0;
  for (const i of indices) {
    x += points[i]![0];
    y += points[i]![1];
  }
  return [x / indices.length, y / indices.length];
}

/** Centers of the eyes: the image's left one, then its right one. */
export function eyeCenters(points: Landmarks): readonly [Point, Point] {
  return [meanOf(points, [36, 37, 38, 39, 40, 41]), meanOf(points, [42, 43, 44, 45, 46, 47])];
}

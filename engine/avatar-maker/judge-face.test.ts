import { describe, expect, it } from 'vitest';
import type { Landmarks, Point } from '../face/photo/landmarks.ts';
import { chooseFace, judgeFace } from './judge-face.ts';

/** A plain frontal face: chin to brows 190 pixels, in an image of 600×600. */
function frontalFace(): Point[] {
  const points: Point[] = [];
  for (let i = 0; i <= 16; i++)
    points.push([300 - 120 * Math.cos((i / 16) * Math.PI), 260 + 160 * Math.sin((i / 16) * Math.PI)]);
  for (const side of [240, 360]) for (let i = 0; i < 5; i++) points.push([side - 40 + i * 20, 230]);
  for (let i = 0; i < 4; i++) points.push([300, 250 + i * 25]);
  for (let i = 0; i < 5; i++) points.push([280 + i * 10, 335]);
  for (const x of [240, 360])
    points.push([x - 25, 260], [x - 10, 252], [x + 10, 252], [x + 25, 260], [x + 10, 268], [x - 10, 268]);
  points.push(
    [260, 375],
    [273, 368],
    [287, 364],
    [300, 366],
    [313, 364],
    [327, 368],
    [340, 375],
    [327, 386],
    [313, 390],
    [300, 391],
    [287, 390],
    [273, 386],
  );
  points.push([266, 375], [287, 374], [300, 375], [313, 374], [334, 375], [313, 377], [300, 378], [287, 377]);
  return points;
}

const changed = (how: (point: Point, index: number) => Point): Landmarks => frontalFace().map(how);
const judge = (points: Landmarks) => judgeFace(points, 600, 600);

describe('A face', () => {
  it('that looks at the camera is fine', () => {
    expect(judge(frontalFace())).toBeNull();
  });

  it('may be tilted a little', () => {
    const tilted = (degrees: number) =>
      changed(([x, y]) => {
        const a = (degrees * Math.PI) / 180;
        return [
          300 + (x - 300) * Math.cos(a) - (y - 300) * Math.sin(a),
          300 + (x - 300) * Math.sin(a) + (y - 300) * Math.cos(a),
        ];
      });
    expect(judge(tilted(12))).toBeNull();
    expect(judge(tilted(35))).toBe('turned-away');
  });

  it('is refused when it is turned away', () => {
    expect(judge(changed(([x, y], i) => (i >= 27 && i <= 35 ? [x + 60, y] : [x, y])))).toBe('turned-away');
  });

  it('is refused when it is too small', () => {
    expect(judge(changed(([x, y]) => [300 + (x - 300) * 0.3, 300 + (y - 300) * 0.3]))).toBe('face-too-small');
  });

  it('is refused when the image cuts it off', () => {
    expect(judge(changed(([x, y]) => [x - 190, y]))).toBe('face-cut-off');
    expect(judge(changed(([x, y]) => [x, y - 195]))).toBe('face-cut-off');
  });

  it('is refused with closed eyes or a wide open mouth', () => {
    expect(judge(changed(([x, y], i) => (i >= 36 && i <= 47 ? [x, 260 + (y - 260) * 0.15] : [x, y])))).toBe(
      'eyes-closed',
    );
    expect(judge(changed(([x, y], i) => (i >= 65 ? [x, y + 45] : [x, y])))).toBe('mouth-open');
  });
});

describe('Among the faces of an image', () => {
  const face = (score: number, size: number) => ({ score, box: { x: 0, y: 0, width: size, height: size } });

  it('the only sure one is taken', () => {
    const main = face(0.97, 200);
    expect(chooseFace([face(0.31, 90), main])).toBe(main);
  });

  it('a small one behind does not matter', () => {
    const main = face(0.97, 200);
    expect(chooseFace([main, face(0.9, 50)])).toBe(main);
  });

  it('two of them are too many, and none is too few', () => {
    expect(chooseFace([face(0.9, 200), face(0.95, 150)])).toBe('several-faces');
    expect(chooseFace([face(0.4, 200)])).toBe('no-face');
    expect(chooseFace([])).toBe('no-face');
  });
});

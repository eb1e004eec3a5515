import { describe, expect, it } from 'vitest';
import { areaOf, rectsOf, together } from './area.ts';

const HEIGHT = 96;

describe('an area of a frame', () => {
  it('is the blocks that a rectangle touches', () => {
    expect(rectsOf(areaOf({ x: 20, y: 30, width: 13, height: 4 }, HEIGHT))).toEqual([
      { x: 16, y: 16, width: 32, height: 32 },
    ]);
  });

  it('is several rectangles where its rows differ', () => {
    const head = areaOf({ x: 32, y: 0, width: 32, height: 32 }, HEIGHT);
    const shoulders = areaOf({ x: 0, y: 32, width: 96, height: 64 }, HEIGHT);
    expect(rectsOf(together([head, shoulders]))).toEqual([
      { x: 32, y: 0, width: 32, height: 32 },
      { x: 0, y: 32, width: 96, height: 64 },
    ]);
  });

  it('leaves out the rows between two parts, and covers what lies between them in a row', () => {
    const left = areaOf({ x: 0, y: 0, width: 16, height: 16 }, HEIGHT);
    const right = areaOf({ x: 64, y: 0, width: 16, height: 16 }, HEIGHT);
    const low = areaOf({ x: 0, y: 80, width: 16, height: 16 }, HEIGHT);
    expect(rectsOf(together([left, right, low]))).toEqual([
      { x: 0, y: 0, width: 80, height: 16 },
      { x: 0, y: 80, width: 16, height: 16 },
    ]);
  });
});

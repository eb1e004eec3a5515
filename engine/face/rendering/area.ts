import type { Rect } from './i420.ts';

/** Luma pixels. Encoders examine a frame in blocks of this size, and the warp kernel moves half of one at a time. */
export const BLOCK = 16;

/**
 * @returns the size in which a frame is drawn: whole blocks. Of a picture 360 pixels high, the rows below are drawn and not
 * encoded.
 */
export function drawnSize({ width, height }: { readonly width: number; readonly height: number }): {
  readonly width: number;
  readonly height: number;
} {
  return { width: Math.ceil(width / BLOCK) * BLOCK, height: Math.ceil(height / BLOCK) * BLOCK };
}

/**
 * A part of a frame: for each row of blocks, the first of its blocks and the one behind its last, or null. A head with
 * its shoulders covers a fifth less than the rectangle around it.
 */
export type Area = readonly (readonly [number, number] | null)[];

/** The blocks that a rectangle touches. @param height of the frame: a multiple of the block. */
export function areaOf({ x, y, width, height }: Rect, frameHeight: number): Area {
  return Array.from({ length: frameHeight / BLOCK }, (_, row) =>
    row * BLOCK < y + height && (row + 1) * BLOCK > y
      ? ([Math.floor(x / BLOCK), Math.ceil((x + width) / BLOCK)] as const)
      : null,
  );
}

/** Covers all of them, and what lies between them in a row. @param areas of one frame size; at least one. */
export function together(areas: readonly Area[]): Area {
  return areas.reduce((one, other) =>
    one.map((a, row) => {
      const b = other[row] ?? null;
      if (a === null || b === null) return a ?? b;
      return [Math.min(a[0], b[0]), Math.max(a[1], b[1])] as const;
    }),
  );
}

/** The area in pixels, from top to bottom. Rows that begin and end alike are one rectangle. */
export function rectsOf(area: Area): readonly Rect[] {
  const rects: Rect[] = [];
  area.forEach((blocks, row) => {
    if (blocks === null) return;
    const [x, width] = [blocks[0] * BLOCK, (blocks[1] - blocks[0]) * BLOCK];
    const above = rects.at(-1);
    if (above?.x === x && above.width === width && above.y + above.height === row * BLOCK)
      rects[rects.length - 1] = { ...above, height: above.height + BLOCK };
    else rects.push({ x, y: row * BLOCK, width, height: BLOCK });
  });
  return rects;
}

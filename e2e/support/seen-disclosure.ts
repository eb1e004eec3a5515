import { drawLabel } from '../../engine/face/rendering/disclosure.ts';
import { correlation } from './correlation.ts';

/** A picture as somebody sees it. Luma only, from 0 to 255, row by row. */
export interface SeenPicture {
  readonly width: number;
  readonly height: number;
  readonly luma: Uint8Array;
}

/**
 * How much a picture looks as if the label were on it, at its place and size: the normalized correlation of the label
 * with what is there. @returns -1 … 1; 1: exactly so, but for brightness and contrast.
 */
export function labelCorrelation(text: string, { width, height, luma }: SeenPicture): number {
  const label = drawLabel(text, height);
  const [expected, seen]: [number[], number[]] = [[], []];
  for (let y = 0; y < label.height; y += 1)
    for (let x = 0; x < label.width; x += 1) {
      const at = y * label.width + x;
      if (label.lumaMask[at] !== 1) continue;
      expected.push(label.pixels[at]!);
      seen.push(luma[(label.y + y) * width + label.x + x]!);
    }
  return correlation(expected, seen);
}

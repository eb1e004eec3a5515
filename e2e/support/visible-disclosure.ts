import { drawLabel } from '../../engine/face/rendering/disclosure.ts';
import { correlation } from './correlation.ts';

/** The luma of a picture, from 0 to 255, row by row. */
export interface LumaImage {
  readonly width: number;
  readonly height: number;
  readonly luma: Uint8Array;
}

/**
 * How well a picture matches the disclosure label at its position and size: the normalized correlation of their pixels.
 * @returns -1 … 1; 1: equal except for brightness and contrast.
 */
export function labelCorrelation(text: string, { width, height, luma }: LumaImage): number {
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

import type { Rect } from '../rendering/i420.ts';

/** Pixels in memory: RGBA, rows of `width` pixels. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

export function emptyRaster({ width, height }: Rect): Raster {
  return { width, height, data: new Uint8ClampedArray(width * height * 4) };
}

/** Reads the color between pixels into `out` (red, green, blue). Outside of the image, its edge continues. */
export function sample(from: Raster, x: number, y: number, out: Float32Array): void {
  const { width, height, data } = from;
  const cx = x < 0 ? 0 : x > width - 1.001 ? width - 1.001 : x;
  const cy = y < 0 ? 0 : y > height - 1.001 ? height - 1.001 : y;
  const x0 = cx | 0;
  const y0 = cy | 0;
  const fx = cx - x0;
  const fy = cy - y0;
  const a = (y0 * width + x0) * 4;
  const b = a + width * 4;
  const wa = (1 - fx) * (1 - fy);
  const wb = fx * (1 - fy);
  const wc = (1 - fx) * fy;
  const wd = fx * fy;
  for (let i = 0; i < 3; i++)
    out[i] = data[a + i]! * wa + data[a + 4 + i]! * wb + data[b + i]! * wc + data[b + 4 + i]! * wd;
}

export function luminance(red: number, green: number, blue: number): number {
  return red * 0.299 + green * 0.587 + blue * 0.114;
}

export type Color = readonly [red: number, green: number, blue: number];

/** Mean color of a small square. */
export function meanColor(from: Raster, x: number, y: number, radius: number): Color {
  const out = new Float32Array(3);
  const sum = [0, 0, 0];
  let count = 0;
  for (let dy = -2; dy <= 2; dy++) {
    for (let dx = -2; dx <= 2; dx++) {
      sample(from, x + (dx / 2) * radius, y + (dy / 2) * radius, out);
      for (let i = 0; i < 3; i++) sum[i]! += out[i]!;
      count++;
    }
  }
  return [sum[0]! / count, sum[1]! / count, sum[2]! / count];
}

/** CSS color of a color scaled by a factor and mixed with another. */
export function shade(color: Color, factor: number, opacity = 1): string {
  const channel = (value: number) => Math.max(0, Math.min(255, Math.round(value * factor)));
  return `rgba(${channel(color[0])}, ${channel(color[1])}, ${channel(color[2])}, ${opacity.toFixed(3)})`;
}

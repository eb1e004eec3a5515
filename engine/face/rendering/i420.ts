/** Planar frames as the encoders take them: full-size luma, then two chroma planes of half width and height. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Somewhere to draw: three planes with their own row lengths in bytes (an encoder's frame has padded rows). */
export interface FrameTarget {
  readonly width: number;
  readonly height: number;
  readonly planes: readonly [Uint8Array, Uint8Array, Uint8Array];
  readonly strides: readonly [number, number, number];
}

export function i420Bytes(width: number, height: number): number {
  return (width * height * 3) / 2;
}

/** A target over one tightly packed buffer. */
export function packedFrame(
  width: number,
  height: number,
  bytes: Uint8Array = new Uint8Array(i420Bytes(width, height)),
): FrameTarget {
  const luma = width * height;
  const chroma = luma / 4;
  return {
    width,
    height,
    planes: [
      bytes.subarray(0, luma),
      bytes.subarray(luma, luma + chroma),
      bytes.subarray(luma + chroma, luma + 2 * chroma),
    ],
    strides: [width, width / 2, width / 2],
  };
}

/** Grows a rectangle to the next multiples of `step` and keeps it inside the frame. */
export function alignRect(rect: Rect, step: number, width: number, height: number): Rect {
  const x0 = Math.max(0, Math.floor(rect.x / step) * step);
  const y0 = Math.max(0, Math.floor(rect.y / step) * step);
  const x1 = Math.min(width, Math.ceil((rect.x + rect.width) / step) * step);
  const y1 = Math.min(height, Math.ceil((rect.y + rect.height) / step) * step);
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}

/**
 * RGBA to limited-range BT.601 (SMPTE 170M), the colors that the streams declare. Chroma is the mean of 2×2 pixels.
 * @param rgba rows of `width` pixels. @param width, height even. @param out `i420Bytes(width, height)` bytes, packed.
 */
export function rgbaToI420(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number, out: Uint8Array): void {
  const luma = width * height;
  let u = luma;
  let v = luma + luma / 4;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      let r = 0;
      let g = 0;
      let b = 0;
      for (let i = 0; i < 4; i++) {
        const at = (y + (i >> 1)) * width + x + (i & 1);
        const red = rgba[at * 4]!;
        const green = rgba[at * 4 + 1]!;
        const blue = rgba[at * 4 + 2]!;
        out[at] = (66 * red + 129 * green + 25 * blue + 4224) >> 8;
        r += red;
        g += green;
        b += blue;
      }
      out[u++] = (-38 * r - 74 * g + 112 * b + 131_584) >> 10;
      out[v++] = (112 * r - 94 * g - 18 * b + 131_584) >> 10;
    }
  }
}

import { createRequire } from 'node:module';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { rgbaToI420 } from './i420.ts';
import type { FrameTarget } from './i420.ts';

/**
 * The label that says that the face is not a real person. It is part of every frame of a session that asks for it, so
 * no client can leave it out. It is drawn once and copied into frames; copying it twice changes nothing.
 */
export const LABEL_HEIGHT_SHARE = 0.045;
const MARGIN_SHARE = 0.03;
/** Longer texts would cover the face. */
const MAX_TEXT_LENGTH = 40;
const BACKGROUND = 'rgb(16, 20, 28)';
const FOREGROUND = 'rgb(255, 255, 255)';

/** A font from a dependency: a server without system fonts would draw an empty label. */
const FONT = 'Parley Label';
GlobalFonts.registerFromPath(
  createRequire(import.meta.url).resolve('pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf'),
  FONT,
);

export interface Label {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Per luma and per chroma sample: 1 where the label covers the frame. */
  readonly lumaMask: Uint8Array;
  readonly chromaMask: Uint8Array;
}

/** @param height of the frame that the label is for. */
export function drawLabel(text: string, height: number): Label {
  const shown = text.trim().slice(0, MAX_TEXT_LENGTH);
  const h = Math.ceil((height * LABEL_HEIGHT_SHARE) / 2) * 2;
  const font = `${Math.round(h * 0.64)}px "${FONT}"`;
  const ruler = createCanvas(8, 8).getContext('2d');
  ruler.font = font;
  const textWidth = ruler.measureText(shown).width;
  const w = Math.ceil((textWidth + h * 0.9) / 2) * 2;
  const canvas = createCanvas(w, h);
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = BACKGROUND;
  ctx.beginPath();
  ctx.roundRect(0, 0, w, h, h * 0.3);
  ctx.fill();
  const alpha = ctx.getImageData(0, 0, w, h).data;
  ctx.fillRect(0, 0, w, h);
  ctx.fillStyle = FOREGROUND;
  ctx.font = font;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'center';
  ctx.fillText(shown, w / 2, h * 0.53);
  const pixels = new Uint8Array((w * h * 3) / 2);
  rgbaToI420(ctx.getImageData(0, 0, w, h).data, w, h, pixels);
  const lumaMask = Uint8Array.from({ length: w * h }, (_, i) => (alpha[i * 4 + 3]! > 127 ? 1 : 0));
  const chromaMask = Uint8Array.from(
    { length: (w * h) / 4 },
    (_, i) => lumaMask[Math.floor(i / (w / 2)) * 2 * w + (i % (w / 2)) * 2]!,
  );
  const margin = Math.round((height * MARGIN_SHARE) / 2) * 2;
  return { x: margin, y: margin, width: w, height: h, pixels, lumaMask, chromaMask };
}

export function stampLabel(label: Label, target: FrameTarget): void {
  let from = 0;
  for (let p = 0; p < 3; p++) {
    const shift = p === 0 ? 0 : 1;
    const mask = p === 0 ? label.lumaMask : label.chromaMask;
    const width = label.width >> shift;
    const height = label.height >> shift;
    const plane = target.planes[p]!;
    const stride = target.strides[p]!;
    for (let y = 0; y < height; y++) {
      let to = ((label.y >> shift) + y) * stride + (label.x >> shift);
      for (let x = 0; x < width; x++, to++)
        if (mask[y * width + x] === 1) plane[to] = label.pixels[from + y * width + x]!;
    }
    from += width * height;
  }
}

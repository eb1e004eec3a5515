import { smoothStep } from '../animation/ease.ts';
import { alignRect, type Rect } from '../rendering/i420.ts';
import { patchBytes, type PreparedAvatar } from '../rendering/prepared-avatar.ts';
import { LIP_SYNC_FACE } from './lip-sync-model.ts';

/** The square that a model sees: brows to chin, cheek to cheek, as face detectors frame faces. */
export function faceRect(avatar: PreparedAvatar): Rect {
  const { faceX, faceY, faceHalfWidth, faceHalfHeight, chinY } = avatar.anatomy;
  const top = faceY - faceHalfHeight * 0.62;
  return alignRect(
    { x: faceX - faceHalfWidth, y: top, width: faceHalfWidth * 2, height: chinY + faceHalfHeight * 0.06 - top },
    2,
    avatar.width,
    avatar.height,
  );
}

/** @returns the neutral face as models take it: [6][96][96], its lower half black in the first three planes. */
export function faceInput(avatar: PreparedAvatar, rect: Rect): Float32Array {
  const size = LIP_SYNC_FACE;
  const plane = size * size;
  const out = new Float32Array(6 * plane);
  const { base, width, height } = avatar;
  const luma = width * height;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const x = Math.min(width - 1, Math.round(rect.x + ((column + 0.5) * rect.width) / size - 0.5));
      const y = Math.min(height - 1, Math.round(rect.y + ((row + 0.5) * rect.height) / size - 0.5));
      const chroma = (y >> 1) * (width >> 1) + (x >> 1);
      const bgr = toBgr(base[y * width + x]!, base[luma + chroma]!, base[luma + luma / 4 + chroma]!);
      const at = row * size + column;
      for (let i = 0; i < 3; i++) {
        out[(3 + i) * plane + at] = bgr[i]!;
        if (row < size / 2) out[i * plane + at] = bgr[i]!;
      }
    }
  }
  return out;
}

/** Limited-range BT.601, as frames here are kept, to 0…1. */
function toBgr(y: number, u: number, v: number): readonly [number, number, number] {
  const light = (y - 16) * 1.164;
  const clamp = (value: number) => Math.max(0, Math.min(1, value / 255));
  return [
    clamp(light + 2.018 * (u - 128)),
    clamp(light - 0.391 * (u - 128) - 0.813 * (v - 128)),
    clamp(light + 1.596 * (v - 128)),
  ];
}

/** Width of the seam between the model's mouth and the avatar's own skin, as a share of the face's width. */
const SEAM = 0.08;

/**
 * The mouth's rectangle with what the model drew of it. Outside of the lower half of the model's square, and near its
 * rim, it shows the avatar's own face.
 * @param rest patch of the resting mouth. @param pixels [3][96][96] as models give them. @returns packed I420 of
 * `mouth`.
 */
export function mouthPatch(rest: Uint8Array, mouth: Rect, face: Rect, pixels: Float32Array): Uint8Array {
  const out = Uint8Array.from(rest.subarray(0, patchBytes(mouth)));
  const size = LIP_SYNC_FACE;
  const plane = size * size;
  const seam = face.width * SEAM;
  const middle = face.y + face.height / 2;
  let start = 0;
  for (let p = 0; p < 3; p++) {
    const shift = p === 0 ? 0 : 1;
    const width = mouth.width >> shift;
    const height = mouth.height >> shift;
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const x = mouth.x + (column << shift) + shift / 2;
        const y = mouth.y + (row << shift) + shift / 2;
        const inside = Math.min(
          x - face.x,
          face.x + face.width - x,
          y - middle,
          face.y + face.height - y,
          x - mouth.x,
          mouth.x + mouth.width - x,
          y - mouth.y,
          mouth.y + mouth.height - y,
        );
        const share = smoothStep(inside / seam);
        if (share === 0) continue;
        const fx = Math.max(0, Math.min(size - 1.001, ((x + 0.5 - face.x) * size) / face.width - 0.5));
        const fy = Math.max(0, Math.min(size - 1.001, ((y + 0.5 - face.y) * size) / face.height - 0.5));
        const read = (channel: number) => bilinear(pixels, channel * plane, fx, fy) * 255;
        const value = component(p, read(2), read(1), read(0));
        const at = start + row * width + column;
        out[at] = Math.round(out[at]! + (value - out[at]!) * share);
      }
    }
    start += width * height;
  }
  return out;
}

function bilinear(pixels: Float32Array, start: number, x: number, y: number): number {
  const size = LIP_SYNC_FACE;
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const at = start + y0 * size + x0;
  const across = (row: number) => pixels[row]! + (pixels[row + 1]! - pixels[row]!) * (x - x0);
  return across(at) + (across(at + size) - across(at)) * (y - y0);
}

function component(plane: number, red: number, green: number, blue: number): number {
  const value =
    plane === 0
      ? 16 + 0.257 * red + 0.504 * green + 0.098 * blue
      : plane === 1
        ? 128 - 0.148 * red - 0.291 * green + 0.439 * blue
        : 128 + 0.439 * red - 0.368 * green - 0.071 * blue;
  return Math.max(16, Math.min(240, value));
}

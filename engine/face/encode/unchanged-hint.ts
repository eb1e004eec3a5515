import type { Frame } from 'node-av/lib';
import { AV_FRAME_DATA_VIDEO_HINT, AV_VIDEO_HINT_TYPE_CHANGED } from 'node-av/constants';
import type { Rect } from '../rendering/i420.ts';

/**
 * FFmpeg's AVVideoHint with one AVVideoRect behind it, 64-bit little endian: three sizes, the type, padding, the
 * rectangle.
 */
const HEAD_BYTES = 32;
const RECT_BYTES = 16;

/**
 * Tells the encoder which part of a frame may differ from the frame before. The encoder repeats all other blocks
 * without examining them, which saves a fifth of its time for a face of which only the mouth moves (bench/face).
 * @param changed null: nothing changed. Undefined: unknown, no hint is given.
 */
export function hintUnchanged(frame: Frame, changed: Rect | null | undefined): void {
  frame.removeSideData(AV_FRAME_DATA_VIDEO_HINT);
  if (changed === undefined) return;
  const bytes = frame.newSideData(AV_FRAME_DATA_VIDEO_HINT, HEAD_BYTES + RECT_BYTES);
  const { x, y, width, height } = changed ?? { x: 0, y: 0, width: 0, height: 0 };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setBigUint64(0, 1n, true);
  view.setBigUint64(8, BigInt(HEAD_BYTES), true);
  view.setBigUint64(16, BigInt(RECT_BYTES), true);
  view.setUint32(24, AV_VIDEO_HINT_TYPE_CHANGED, true);
  view.setUint32(28, 0, true);
  [x, y, width, height].forEach((value, i) => view.setUint32(HEAD_BYTES + i * 4, value, true));
}

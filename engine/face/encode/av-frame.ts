import { Frame, Log, type CodecContext } from 'node-av/lib';
import {
  AVCOL_PRI_SMPTE170M,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_SMPTE170M,
  AV_LOG_ERROR,
  AV_PIX_FMT_YUV420P,
} from 'node-av/constants';
import { drawnSize } from '../rendering/area.ts';
import type { FrameTarget } from '../rendering/i420.ts';
import { EncoderError, checkEncoder } from './video-encoder.ts';

// Otherwise the codecs print a line for each encoder.
Log.setLevel(AV_LOG_ERROR);

/** Without a description, Chromium assumes 768 lines for HD and shows wrong colors. */
export function describeColors(what: Frame | CodecContext): void {
  what.colorSpace = AVCOL_SPC_SMPTE170M;
  what.colorPrimaries = AVCOL_PRI_SMPTE170M;
  what.colorTrc = AVCOL_TRC_SMPTE170M;
  what.colorRange = AVCOL_RANGE_MPEG;
}

/** Every size is a multiple of 16, so half of it (chroma) is a multiple of 8. */
const ROW_ALIGNMENT = 8;

/** Black in the limited range of video. */
const BLACK = { luma: 16, chroma: 128 };

/**
 * A black frame in the encoder's own memory, to be drawn into again and again. `target` is valid until the frame is
 * freed.
 */
export function allocFrame(size: { width: number; height: number }): { frame: Frame; target: FrameTarget } {
  const frame = new Frame();
  frame.alloc();
  frame.format = AV_PIX_FMT_YUV420P;
  const drawn = drawnSize(size);
  frame.width = drawn.width;
  frame.height = drawn.height;
  describeColors(frame);
  // Rows without padding, as the renderer has them. A frame is then copied plane by plane, not row by row.
  checkEncoder('allocate', frame.getBuffer(ROW_ALIGNMENT));
  const [y, u, v] = frame.data ?? [];
  const [strideY, strideU, strideV] = frame.linesize;
  if (!y || !u || !v) throw new EncoderError('allocate', 0);
  // The memory was used before, perhaps by another session.
  y.fill(BLACK.luma);
  for (const chroma of [u, v]) chroma.fill(BLACK.chroma);
  // What is drawn beyond it is in the memory, and in no picture.
  frame.width = size.width;
  frame.height = size.height;
  return {
    frame,
    target: { ...drawn, planes: [y, u, v], strides: [strideY!, strideU!, strideV!] },
  };
}

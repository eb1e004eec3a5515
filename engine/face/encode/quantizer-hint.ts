import type { Frame } from 'node-av/lib';
import { AV_FRAME_DATA_REGIONS_OF_INTEREST } from 'node-av/constants';
import { WORST_QUANTIZER } from './rate-control.ts';

/**
 * FFmpeg's AVRegionOfInterest: its own size, top, bottom, left, right, and the offset as a fraction of the range of
 * quantizers.
 */
const REGION_BYTES = 28;

/**
 * Tells libvpx to quantize the next frame by so many steps more than at its opening: the whole frame is one region of
 * interest. So an open encoder changes its rate without a keyframe. 0 costs nothing, but must be given: libvpx keeps
 * the last value.
 * @param steps −63…63
 */
export function hintQuantizer(frame: Frame, steps: number): void {
  frame.removeSideData(AV_FRAME_DATA_REGIONS_OF_INTEREST);
  const bytes = frame.newSideData(AV_FRAME_DATA_REGIONS_OF_INTEREST, REGION_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  [REGION_BYTES, 0, frame.height, 0, frame.width, steps, WORST_QUANTIZER].forEach((value, i) =>
    view.setInt32(i * 4, value, true),
  );
}

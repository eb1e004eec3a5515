import { Codec, CodecContext, Frame, Packet } from 'node-av/lib';
import { AV_CODEC_ID_H264, AV_CODEC_ID_VP8 } from 'node-av/constants';

/**
 * Decodes what a face has sent, for tests and benches: one packet per frame.
 * @param look gets the luma plane of each frame; the memory is only valid during the call.
 */
export function decodeStream(
  codec: 'h264' | 'vp8',
  frames: readonly Uint8Array[],
  look?: (luma: Uint8Array, stride: number) => void,
): { decodedFrames: number; errors: number } {
  const decoder = Codec.findDecoder(codec === 'h264' ? AV_CODEC_ID_H264 : AV_CODEC_ID_VP8);
  if (decoder === null) throw new Error(`The media library has no decoder for ${codec}.`);
  const context = new CodecContext();
  context.allocContext3(decoder);
  context.threadCount = 1;
  context.open2Sync(decoder, null);
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  let decodedFrames = 0;
  let errors = 0;
  const drain = () => {
    while (context.receiveFrameSync(frame) >= 0) {
      decodedFrames++;
      if (frame.decodeErrorFlags !== 0) errors++;
      const luma = frame.data?.[0];
      if (luma) look?.(luma, frame.linesize[0]!);
      frame.unref();
    }
  };
  for (const data of frames) {
    packet.data = Buffer.from(data);
    if (context.sendPacketSync(packet) < 0) errors++;
    drain();
    packet.unref();
  }
  context.sendPacketSync(null);
  drain();
  context.freeContext();
  packet.free();
  frame.free();
  return { decodedFrames, errors };
}

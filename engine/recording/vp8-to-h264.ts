import { Codec, CodecContext, Frame, Packet } from 'node-av/lib';
import { AV_CODEC_ID_VP8 } from 'node-av/constants';
import { createVideoEncoder } from '../face/encode/av-encoder.ts';
import type { VideoEncoder } from '../face/encode/video-encoder.ts';

/** A high rate: the frame was compressed once already and should not visibly lose quality a second time. */
const BITS_PER_SECOND = 4_000_000;

export interface RecordedFrame {
  readonly data: Uint8Array;
  readonly keyframe: boolean;
}

/**
 * MP4 has no standard place for VP8. So frames of sessions that use VP8 are encoded again: about 1 ms of CPU a frame at
 * 720×480, in the recording worker. One frame in gives one frame out.
 */
export class Vp8ToH264 {
  readonly #decoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  readonly #encoder: VideoEncoder;

  constructor(width: number, height: number) {
    const codec = Codec.findDecoder(AV_CODEC_ID_VP8);
    if (codec === null) throw new Error('This build of FFmpeg has no VP8 decoder.');
    this.#decoder.allocContext3(codec);
    const opened = this.#decoder.open2Sync(codec, null);
    if (opened < 0) throw new Error(`The VP8 decoder did not open (${opened}).`);
    this.#packet.alloc();
    this.#frame.alloc();
    this.#encoder = createVideoEncoder({
      codec: 'h264',
      width,
      height,
      bitsPerSecond: BITS_PER_SECOND,
      effort: 'live',
    });
  }

  /** @returns null when the frame cannot be decoded: the previous one stays on the screen. */
  convert(data: Uint8Array, keyframe: boolean): RecordedFrame | null {
    this.#packet.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const sent = this.#decoder.sendPacketSync(this.#packet);
    this.#packet.unref();
    if (sent < 0 || this.#decoder.receiveFrameSync(this.#frame) < 0) return null;
    this.#copyPlanes();
    this.#frame.unref();
    return this.#encoder.encode(keyframe);
  }

  close(): void {
    this.#packet.free();
    this.#frame.free();
    this.#decoder.freeContext();
    this.#encoder.close();
  }

  #copyPlanes(): void {
    const { planes, strides, width, height } = this.#encoder.frame;
    for (const [k, plane] of planes.entries()) {
      const source = this.#frame.data?.[k];
      const step = this.#frame.linesize[k] ?? 0;
      if (source === undefined) return;
      const rowBytes = k === 0 ? width : width / 2;
      for (let row = 0; row < (k === 0 ? height : height / 2); row++) {
        plane.set(source.subarray(row * step, row * step + rowBytes), row * (strides[k] ?? 0));
      }
    }
  }
}

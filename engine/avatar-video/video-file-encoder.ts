import { Codec, CodecContext, Packet, Rational } from 'node-av/lib';
import { AV_OPT_SEARCH_CHILDREN, AV_OPT_TYPE_STRING, AV_PIX_FMT_YUV420P, FF_ENCODER_LIBX264 } from 'node-av/constants';
import { allocFrame, describeColors } from '../face/encode/av-frame.ts';
import { checkEncoder } from '../face/encode/video-encoder.ts';
import { FRAMES_PER_SECOND } from '../face/frame-rate.ts';
import type { FrameTarget } from '../face/rendering/i420.ts';

/** A keyframe every two seconds, so that players can seek. */
const KEYFRAME_FRAMES = 2 * FRAMES_PER_SECOND;
/**
 * Nobody waits for a single frame here, so the encoder looks ahead (`mbtree`): the background, which stays, gets the
 * bits once. Measured on a talking face at 720×480 against `veryfast`: a third less time, 4 % fewer bits, and a
 * difference that is not seen (SSIM 0.9928 and 0.9932). Slower presets take more time for no fewer bits, the live
 * settings more than four times the bits.
 */
const SETTINGS = {
  preset: 'superfast',
  profile: 'high',
  crf: '19',
  'x264-params': 'mbtree=1:rc-lookahead=10:bframes=5:b-adapt=0:scenecut=0:repeat-headers=1',
};

export interface FileFrame {
  /** H.264, Annex B, parameter sets before each keyframe. */
  readonly data: Uint8Array;
  readonly keyframe: boolean;
  /** When it is shown and when it is decoded, in frames from the start; frames come in the order of decoding. */
  readonly shownAt: number;
  readonly decodedAt: number;
}

/**
 * H.264 for files: frames come out later than they go in, and not in the order in which they are shown. Synchronous.
 */
export class VideoFileEncoder {
  /** Draw here, then call `encode`. */
  readonly frame: FrameTarget;
  readonly #frame: ReturnType<typeof allocFrame>['frame'];
  readonly #context = new CodecContext();
  readonly #packet = new Packet();
  #next = 0n;

  /** @param size.threads for the encoder; they inherit the priority of the calling thread. @throws EncoderError */
  constructor(size: { width: number; height: number; threads: number }) {
    const { frame, target } = allocFrame(size);
    this.#frame = frame;
    this.frame = target;
    const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
    if (codec === null) throw new Error('The media library has no encoder for h264.');
    const context = this.#context;
    context.allocContext3(codec);
    context.width = size.width;
    context.height = size.height;
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.timeBase = new Rational(1, FRAMES_PER_SECOND);
    context.framerate = new Rational(FRAMES_PER_SECOND, 1);
    context.gopSize = KEYFRAME_FRAMES;
    context.threadCount = size.threads;
    describeColors(context);
    for (const [name, value] of Object.entries(SETTINGS))
      checkEncoder(`option ${name}`, context.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN));
    checkEncoder('open', context.open2Sync(codec, null));
    this.#packet.alloc();
  }

  /** Takes what was drawn as the next frame. @returns the frames that are done. @throws EncoderError */
  encode(): FileFrame[] {
    this.#frame.pts = this.#next++;
    checkEncoder('send', this.#context.sendFrameSync(this.#frame));
    return this.#drain();
  }

  /** No frame follows. @returns those that were still held back. */
  finish(): FileFrame[] {
    checkEncoder('flush', this.#context.sendFrameSync(null));
    return this.#drain();
  }

  close(): void {
    this.#context.freeContext();
    this.#packet.free();
    this.#frame.free();
  }

  #drain(): FileFrame[] {
    const done: FileFrame[] = [];
    while (this.#context.receivePacketSync(this.#packet) >= 0) {
      const { data, isKeyframe, pts, dts } = this.#packet;
      done.push({
        data: Uint8Array.from(data ?? []),
        keyframe: isKeyframe,
        shownAt: Number(pts),
        decodedAt: Number(dts),
      });
      this.#packet.unref();
    }
    return done;
  }
}

import { Codec, CodecContext, Packet, Rational } from 'node-av/lib';
import {
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  FF_ENCODER_LIBVPX_VP8,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import { inCriticalSection } from '../../../runtime/critical-section.ts';
import { FRAMES_PER_SECOND } from '../frame-rate.ts';
import { allocFrame, describeColors } from './av-frame.ts';
import { qualityPlan } from './quality-plan.ts';
import type { QualityPlan } from './quality-plan.ts';
import { hintQuantizer } from './quantizer-hint.ts';
import { BEST_QUANTIZER, RateControl } from './rate-control.ts';
import { SkipFrames } from './skip-frame.ts';
import { hintUnchanged } from './unchanged-hint.ts';
import type { Rect } from '../rendering/i420.ts';
import { LOWEST_BITRATE, checkEncoder } from './video-encoder.ts';
import type { EncodedFrame, EncoderOptions, MotionPrecision, VideoEncoder } from './video-encoder.ts';
import { maxBacklogMs } from './backlog-limit.ts';

/**
 * The only file of the face that uses the native codecs. All calls are synchronous and in critical sections:
 * terminating a worker during a call aborts the process. Frames and packets are copied out before they are released.
 */

type Settings = Readonly<Record<string, string>>;

/** `mb_info` lets the renderer tell which blocks did not change. */
const H264 = { preset: 'ultrafast', tune: 'zerolatency', profile: 'baseline', 'forced-idr': '1', mb_info: '1' };
const H264_PARAMS = 'scenecut=0:keyint=infinite:repeat-headers=1:sliced-threads=0';
/**
 * x264 for a network that carries all that a face needs. It takes less than half of the time that a ceiling costs: 44.5
 * dB of PSNR (VP8 below has 45), with three quarters of the bits. Half-pixel motion (subme=1) saves a third of the bits
 * and takes half as much time again on most processors, but less time on some: x264 always prefetches from the frames
 * of half pixels, and without them from addresses near 0. Where the processor looks for such a page in vain each time,
 * that is a third of the encoding (an AMD EPYC with nested pages: 1.54 ms, with half pixels 1.44).
 * `capacity/calibrate.ts` finds out.
 */
const H264_CONSTANT = {
  'full pixel': { ...H264, qp: '23', 'x264-params': `${H264_PARAMS}:subme=0` },
  'half pixel': { ...H264, qp: '23', 'x264-params': `${H264_PARAMS}:subme=1` },
} as const satisfies Record<MotionPrecision, Settings>;
/**
 * x264: constant quality with a ceiling. A still face then costs a fraction of a constant bitrate. subme=1 adds
 * half-pixel motion to the preset: a head moves by fractions of a pixel, and hair then needs a third fewer bits
 * (bench/face). It begins when a network has just become narrow, with its buffer almost full (vbv-init). Otherwise the
 * first keyframe of 5 KB and the frames after it made a queue of 0.2 s on 400 kbit/s.
 */
const H264_CAPPED = { ...H264, crf: '23', 'x264-params': `${H264_PARAMS}:deblock=0,0:subme=1:vbv-init=0.3` };
/**
 * For what is encoded once and shown often, in the same baseline profile (the answer promises no other): 12 ms of CPU
 * for a frame of 720×480, 0.5 Mbit/s, finer than either of the two above. `veryslow` takes eight times as long for a
 * difference that nobody sees (SSIM 0.9942 and 0.9934 at the same bits), and the loops of an avatar are five minutes of
 * video.
 */
const H264_ARCHIVE = {
  ...H264,
  mb_info: '0',
  preset: 'medium',
  crf: '22.5',
  'x264-params': `${H264_PARAMS}:rc-lookahead=0:sync-lookahead=0:ref=1:me=dia`,
};
/**
 * libvpx: negative cpu-used is a fixed speed (positive values adapt to the load of the machine and are slower);
 * static-thresh skips blocks that do not change. An open encoder cannot change its rate. So a live one has a fixed
 * quantizer, and each frame may differ from it.
 */
const VP8_LIVE = {
  deadline: 'realtime',
  'cpu-used': '-12',
  'static-thresh': '1000',
  'lag-in-frames': '0',
  'error-resilient': '0',
  'auto-alt-ref': '0',
  crf: String(BEST_QUANTIZER),
};
const VP8_ARCHIVE = { ...VP8_LIVE, deadline: 'good', 'cpu-used': '2', 'static-thresh': '0', crf: '14' };
const VP8_QUANTIZERS = { live: { best: BEST_QUANTIZER, worst: BEST_QUANTIZER }, archive: { best: 8, worst: 48 } };
/** More than any frame needs: libvpx requires a rate, but must not limit frames to it. */
const VP8_UNLIMITED_BITRATE = 20_000_000;

export function createVideoEncoder(options: EncoderOptions): VideoEncoder {
  return inCriticalSection(() => new AvEncoder(options));
}

class AvEncoder implements VideoEncoder {
  readonly codec: EncoderOptions['codec'];
  readonly frame: VideoEncoder['frame'];
  readonly #options: EncoderOptions;
  readonly #avFrame: ReturnType<typeof allocFrame>;
  readonly #rate: RateControl | null;
  readonly #skipFrames: SkipFrames | null;
  readonly #packet = new Packet();
  #bitrate: number;
  #plan: QualityPlan;
  #context: CodecContext;
  #pts = 0n;

  constructor(options: EncoderOptions) {
    const { codec, effort, width, height, bitsPerSecond } = options;
    this.codec = codec;
    this.#options = options;
    this.#avFrame = allocFrame(options);
    this.frame = this.#avFrame.target;
    this.#bitrate = bitsPerSecond;
    this.#plan = qualityPlan(null, bitsPerSecond, width, height);
    this.#context = openContext(options, bitsPerSecond, this.#plan);
    this.#rate = codec === 'vp8' && effort === 'live' ? new RateControl(width * height, bitsPerSecond) : null;
    this.#skipFrames = codec === 'h264' && effort === 'live' ? new SkipFrames() : null;
    this.#packet.alloc();
  }

  encode(forceKeyframe: boolean, changed?: readonly Rect[]): EncodedFrame {
    return inCriticalSection(() => this.#encode(forceKeyframe, changed));
  }

  #encode(forceKeyframe: boolean, changed?: readonly Rect[]): EncodedFrame {
    this.#reopenIfNeeded();
    const forced = forceKeyframe || this.#pts === 0n;
    const again = changed?.length === 0 && !forced ? (this.#skipFrames?.make() ?? null) : null;
    if (again !== null) {
      this.#pts++;
      return { data: again, keyframe: false };
    }
    const { frame } = this.#avFrame;
    if (this.codec === 'h264') hintUnchanged(frame, changed);
    else if (this.#rate !== null) hintQuantizer(frame, this.#rate.next(forced) - BEST_QUANTIZER);
    frame.pts = this.#pts++;
    frame.pictType = forced ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    const packet = this.#packet;
    checkEncoder('send', this.#context.sendFrameSync(frame));
    checkEncoder('receive', this.#context.receivePacketSync(packet));
    const data = Uint8Array.from(packet.data ?? []);
    const keyframe = packet.isKeyframe;
    packet.unref();
    this.#rate?.made(data.length, keyframe);
    this.#skipFrames?.encoded(data, keyframe);
    return { data, keyframe };
  }

  setBitrate(bitsPerSecond: number): void {
    const wanted = Math.max(LOWEST_BITRATE, Math.round(bitsPerSecond));
    if (wanted === this.#bitrate) return;
    this.#bitrate = wanted;
    if (this.#rate !== null) this.#rate.setRate(wanted);
    else if (isCapped(this.#options, this.#plan)) inCriticalSection(() => setCeiling(this.#context, wanted));
  }

  close(): void {
    inCriticalSection(() => {
      this.#context.freeContext();
      this.#packet.free();
      this.#avFrame.frame.free();
    });
  }

  /** x264 cannot change from constant quality to a ceiling. That needs a new encoder, which begins with a keyframe. */
  #reopenIfNeeded(): void {
    const { codec, effort, width, height } = this.#options;
    if (codec !== 'h264' || effort !== 'live') return;
    const wanted = qualityPlan(this.#plan, this.#bitrate, width, height);
    if (wanted === this.#plan) return;
    this.#plan = wanted;
    this.#context.freeContext();
    this.#context = openContext(this.#options, this.#bitrate, wanted);
  }
}

function settingsOf({ codec, effort, motionPrecision = 'full pixel' }: EncoderOptions, plan: QualityPlan): Settings {
  if (codec === 'vp8') return effort === 'live' ? VP8_LIVE : VP8_ARCHIVE;
  if (effort === 'archive') return H264_ARCHIVE;
  return plan === 'constant' ? H264_CONSTANT[motionPrecision] : H264_CAPPED;
}

/** Whether the encoder itself keeps a ceiling. */
function isCapped({ codec, effort }: EncoderOptions, plan: QualityPlan): boolean {
  return effort === 'archive' || (codec === 'h264' && plan === 'capped');
}

function openContext(options: EncoderOptions, bitrate: number, plan: QualityPlan): CodecContext {
  const codec = Codec.findEncoderByName(options.codec === 'h264' ? FF_ENCODER_LIBX264 : FF_ENCODER_LIBVPX_VP8);
  if (codec === null) throw new Error(`The media library has no encoder for ${options.codec}.`);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = options.width;
  context.height = options.height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(1, FRAMES_PER_SECOND);
  context.framerate = new Rational(FRAMES_PER_SECOND, 1);
  context.maxBFrames = 0;
  context.threadCount = 1;
  // Keyframes come only on request.
  context.gopSize = 1_000_000;
  describeColors(context);
  if (isCapped(options, plan)) setCeiling(context, bitrate);
  if (options.codec === 'vp8') {
    const { best, worst } = VP8_QUANTIZERS[options.effort];
    context.bitRate = BigInt(options.effort === 'live' ? VP8_UNLIMITED_BITRATE : bitrate);
    context.qMin = best;
    context.qMax = worst;
  }
  try {
    // Options are set one by one: opening with a Dictionary frees it twice at garbage collection (node-av 6.1.1).
    for (const [name, value] of Object.entries(settingsOf(options, plan)))
      checkEncoder(`option ${name}`, context.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN));
    checkEncoder('open', context.open2Sync(codec, null));
  } catch (error) {
    context.freeContext();
    throw error;
  }
  return context;
}

function setCeiling(context: CodecContext, bitrate: number): void {
  context.rcMaxRate = BigInt(bitrate);
  context.rcBufferSize = Math.round((bitrate * maxBacklogMs(bitrate)) / 1000);
}

import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { SimulatedClock } from 'xstate';
import type { Feedback } from '../rtcp/parse-feedback.ts';
import type { EncodedVideoFrame } from '../../media/media-types.ts';
import { qualityPlan, type QualityPlan } from '../../face/encode/quality-plan.ts';
import { maxBacklogMs } from '../../face/encode/backlog-limit.ts';
import { FRAME_MS } from '../../face/frame-rate.ts';
import { keyframeDistance } from '../../face/worker/narrow-network.ts';
import { START_BITRATE } from '../congestion/congestion-controller.ts';
import { MediaSender } from '../media-sender.ts';
import type { ChosenMedia } from '../sdp/choose-media.ts';
import { NarrowLink, type LinkLimits } from './narrow-link.ts';
import { SimulatedBrowser } from './simulated-browser.ts';

/** The network is wide at first, so that the sender finds out how wide it is. */
const WIDE_MS = 12_000;
const PAUSE_AT_MS = WIDE_MS + 5_000;
const WIDE: LinkLimits = { bitsPerSecond: 100e6, delayMs: 2, loss: 0, queueMs: 300 };
/** The path back carries only reports. */
const BACK_BITRATE = 10e6;
/**
 * The bitrate of a talking face at constant quality, bits per second (bench/network-adaptation.ts: 280,000 to 350,000),
 * and how much frames differ in size.
 */
const FACE_BITRATE = 300_000;
const MIN_FRAME = 0.35;
const MAX_FRAME = 1.65;
const SIZE = { width: 720, height: 480 };
const KEYFRAME_BYTES = { capped: 2_500, constant: 12_000 };
/** Start code and type of a NAL unit. */
const UNIT = { keyframe: [0, 0, 0, 1, 0x65], dependent: [0, 0, 0, 1, 0x61] };
const AUDIO_MS = 20;
const AUDIO_BYTES = 100;
/** What encryption adds to a packet. */
const CIPHER_BYTES = 10;
const REPORT_BYTES = 90;

type Frame = Omit<EncodedVideoFrame, 'at'>;

export interface CallConditions extends Omit<LinkLimits, 'queueMs'> {
  readonly seed: number;
  /** Whether the client accepts a separate stream of retransmissions. @defaultValue true */
  readonly retransmissions?: boolean;
  readonly seconds?: number;
  /** For how long the link carries nothing, ms, five seconds after it got narrow. @defaultValue 0 */
  readonly pauseMs?: number;
}

export interface CallReport {
  /** Longest time between two frames while the network was narrow, ms. */
  readonly longestGapMs: number;
  /** Frames shown in that time, a second. */
  readonly perSecond: number;
  /** The bitrate of frames, and of their retransmissions and copies, bits per second. */
  readonly videoBitrate: number;
  readonly rtxBitrate: number;
}

/**
 * A talking face in a browser, on a network that becomes narrow, slow and lossy. The clock is simulated, so it takes no
 * time. The same seed gives the same call.
 */
export function simulateCall({
  seed,
  retransmissions = true,
  seconds = 20,
  pauseMs = 0,
  ...limits
}: CallConditions): CallReport {
  const clock = new SimulatedClock();
  const chance = xoroshiro128plus(seed);
  const random = (): number => uniformFloat64(chance);
  const link = { ...limits, queueMs: 300 };
  const [wideThere, there] = [new NarrowLink(WIDE, random), new NarrowLink(link, random)];
  const wideBack = new NarrowLink(WIDE, random);
  const back = new NarrowLink({ ...link, bitsPerSecond: BACK_BITRATE }, random);
  const isNarrow = (): boolean => clock.now() >= WIDE_MS;
  const bytes = { frames: 0, retransmissions: 0 };
  let bitrate = START_BITRATE;
  let keyframe = false;

  const handlers = {
    transmit: (packet: Uint8Array) => transmit(Buffer.from(packet)),
    bitrateEstimated: (bitsPerSecond: number) => void (bitrate = bitsPerSecond),
    keyframeRequested: () => void (keyframe = true),
    audioLost() {},
  };
  const sender = new MediaSender(handlers, {}, clock);
  sender.configure(mediaOf(retransmissions));
  const browser = new SimulatedBrowser(sender.videoSsrc, (feedback) => report(feedback));

  function transmit(packet: Buffer): void {
    const at = clock.now();
    const fate = (isNarrow() ? there : wideThere).fate(packet.length + CIPHER_BYTES, at);
    const ssrc = packet.readUInt32BE(8);
    if (isNarrow() && ssrc !== sender.audioSsrc)
      bytes[ssrc === sender.videoSsrc ? 'frames' : 'retransmissions'] += packet.length;
    if (ssrc === sender.audioSsrc || typeof fate === 'string') return;
    clock.setTimeout(() => browser.receive(packet, at + fate.delayMs), fate.delayMs);
  }

  function report(feedback: Feedback): void {
    const fate = (isNarrow() ? back : wideBack).fate(REPORT_BYTES, clock.now());
    if (typeof fate !== 'string') clock.setTimeout(() => sender.heard(feedback), fate.delayMs);
  }

  const nextFrame = frames(random);
  const end = WIDE_MS + seconds * 1_000;
  for (let now = 1; now <= end; now++) {
    clock.increment(1);
    browser.roundTripMs = isNarrow() ? 2 * limits.delayMs + 20 : 20;
    browser.tick(now);
    if (now === PAUSE_AT_MS) there.pause(pauseMs, now);
    if (now % AUDIO_MS === 1) sender.sendAudio({ data: new Uint8Array(AUDIO_BYTES), at: now });
    if (now % FRAME_MS === 11) {
      sender.sendVideo({ ...nextFrame(bitrate, keyframe), at: now });
      keyframe = false;
    }
  }
  return reportOf(browser.shown, bytes, seconds);
}

/** @param shown when frames were shown, ms. @param bytes that were sent while the network was narrow. */
function reportOf(
  shown: readonly number[],
  bytes: { readonly frames: number; readonly retransmissions: number },
  seconds: number,
): CallReport {
  const late = shown.filter((at) => at >= WIDE_MS);
  return {
    longestGapMs: Math.max(...late.slice(1).map((at, index) => at - late[index]!)),
    perSecond: late.length / seconds,
    videoBitrate: (bytes.frames * 8) / seconds,
    rtxBitrate: (bytes.retransmissions * 8) / seconds,
  };
}

/** What the client's offer allows. */
function mediaOf(retransmissions: boolean): ChosenMedia {
  return {
    channelMid: null,
    audio: { mid: '1', payloadType: 111, direction: 'sendrecv' },
    video: {
      mid: '0',
      codec: 'h264',
      payloadType: 96,
      rtxPayloadType: retransmissions ? 97 : null,
      parameters: null,
      feedback: ['transport-cc', 'nack'],
      transportSequenceId: 3,
      playoutDelayId: null,
    },
  };
}

/** The face's encoder, as far as it concerns the sizes of its frames. */
function frames(random: () => number): (bitrate: number, keyframe: boolean) => Frame {
  let plan: QualityPlan = 'constant';
  /** How many bytes the capped encoder may still spend at once. */
  let saved = 0;
  /** An encoder begins with a keyframe. */
  let sinceKeyframe = Number.POSITIVE_INFINITY;
  return (bitrate, keyframe) => {
    const before = plan;
    // Each change costs a keyframe.
    plan = qualityPlan(plan, bitrate, SIZE.width, SIZE.height);
    const wished =
      (Math.min(FACE_BITRATE, bitrate) * FRAME_MS * (MIN_FRAME + (MAX_FRAME - MIN_FRAME) * random())) / 8_000;
    sinceKeyframe += 1;
    if (plan !== before || keyframe || sinceKeyframe >= keyframeDistance(bitrate, SIZE.width, SIZE.height)) {
      [saved, sinceKeyframe] = [0, 0];
      return frame('keyframe', KEYFRAME_BYTES[plan]);
    }
    if (plan === 'constant') return frame('dependent', wished);
    saved = Math.min((bitrate * maxBacklogMs(bitrate)) / 8_000, saved + (bitrate * FRAME_MS) / 8_000);
    const size = Math.min(wished, saved + 200);
    saved = Math.max(0, saved - size);
    return frame('dependent', size);
  };
}

function frame(kind: keyof typeof UNIT, bytes: number): Frame {
  const data = new Uint8Array(Math.round(bytes)).fill(0xff);
  data.set(UNIT[kind]);
  return { data, keyframe: kind === 'keyframe' };
}

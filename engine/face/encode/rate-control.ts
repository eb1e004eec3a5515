import { FRAME_MS } from '../frame-rate.ts';
import { maxBacklogMs } from './backlog-limit.ts';

/** Quantizers of VP8, 0…63. The best gives 44.6 dB of PSNR on a talking face (x264 has 44.5), the worst 37. */
export const BEST_QUANTIZER = 18;
export const WORST_QUANTIZER = 63;
/**
 * The share of its bytes that a frame saves with each step of the quantizer (measured on a talking face: 0.035 and
 * 0.0275).
 */
const SAVED_PER_STEP = { dependent: 0.035, keyframe: 0.0275 };
/**
 * Bytes per pixel of the first keyframe of a drawn face at the best quantizer. Later keyframes use the size of the
 * last one.
 */
const KEYFRAME_BYTES_PER_PIXEL = 0.047;
/** The share of the allowed queue that a keyframe may use. The rest is for the frames that make it sharp again. */
const KEYFRAME_SHARE = 0.7;
/** The share of its bytes that a frame gets while the queue is at its limit. */
const MIN_SHARE = 0.02;
/** The estimate of the frame size rises with the first lively frame and falls again over the next half second. */
const FOLLOW = { up: 0.5, down: 0.1 };
/**
 * The estimate stays high for longer than the lively frames last: frames with this limit use 0.8 of the rate on
 * average.
 */
const DEPENDENT_SHARE = 1.3;
/**
 * Each frame may be this much better than the last one. A coarse keyframe that was made sharp at once took 0.5 s of 250
 * kbit/s.
 */
const BETTER_BY_AT_MOST = 3;

/**
 * Chooses the quantizer of each frame, so that a stream keeps to a rate that changes at any time. For an encoder that
 * can change its quantizer while it is open, but not its rate. Assumes a frame every 40 ms. Pure.
 *
 * At 250 kbit/s, with a keyframe every 5 s, the queue for the network is 53 ms at p95 and at most 133; with libvpx' own
 * control it was 364 and 602.
 */
export class RateControl {
  #bitsPerSecond: number;
  /** What was sent above the rate, in ms of the rate. */
  #waitingMs = 0;
  /** Bytes at the best quantizer. */
  #dependentBytes = 0;
  #keyframeBytes: number;
  #last = BEST_QUANTIZER;

  /** @param pixels of a frame. @param bitsPerSecond more than 0. */
  constructor(pixels: number, bitsPerSecond: number) {
    this.#keyframeBytes = pixels * KEYFRAME_BYTES_PER_PIXEL;
    this.#bitsPerSecond = bitsPerSecond;
  }

  /** Takes effect with the next frame. */
  setRate(bitsPerSecond: number): void {
    // Bytes wait, not time, so the queue is converted to the new rate.
    this.#waitingMs *= this.#bitsPerSecond / bitsPerSecond;
    this.#bitsPerSecond = bitsPerSecond;
  }

  /** @returns the quantizer of the next frame, a whole number from the best to the worst. */
  next(keyframe: boolean): number {
    const most = maxBacklogMs(this.#bitsPerSecond);
    const share = Math.max(MIN_SHARE, 1 - this.#waitingMs / most);
    const wanted = keyframe
      ? quantizerFor(this.#keyframeBytes, this.#bytesIn(most * KEYFRAME_SHARE * share), SAVED_PER_STEP.keyframe)
      : Math.max(
          quantizerFor(
            this.#dependentBytes,
            this.#bytesIn(FRAME_MS * DEPENDENT_SHARE * share),
            SAVED_PER_STEP.dependent,
          ),
          this.#last - BETTER_BY_AT_MOST,
        );
    this.#last = Math.round(Math.min(WORST_QUANTIZER, Math.max(BEST_QUANTIZER, wanted)));
    return this.#last;
  }

  /** Reports the size of the frame with the last quantizer. */
  made(bytes: number, keyframe: boolean): void {
    this.#waitingMs = Math.max(0, this.#waitingMs + (bytes * 8_000) / this.#bitsPerSecond - FRAME_MS);
    const atBest =
      bytes * Math.exp((this.#last - BEST_QUANTIZER) * SAVED_PER_STEP[keyframe ? 'keyframe' : 'dependent']);
    if (keyframe) this.#keyframeBytes = atBest;
    else
      this.#dependentBytes +=
        (atBest - this.#dependentBytes) * (atBest > this.#dependentBytes ? FOLLOW.up : FOLLOW.down);
  }

  #bytesIn(ms: number): number {
    return (this.#bitsPerSecond * ms) / 8_000;
  }
}

/** Each step saves the same share of the bytes. @param bytes at the best quantizer. */
function quantizerFor(bytes: number, allowed: number, savedPerStep: number): number {
  return BEST_QUANTIZER + (bytes <= allowed ? 0 : Math.log(bytes / allowed) / savedPerStep);
}

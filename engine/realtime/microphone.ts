import { OpusEncoder } from '../audio-out/encode/opus-encoder.ts';
import { Resampler } from '../audio-out/tts/resampler.ts';
import { FRAME_MS, FRAME_SAMPLES, SAMPLE_RATE } from '../media/audio-format.ts';
import type { AudioPacket } from '../media/media-types.ts';
import type { Timers } from '../../runtime/clock.ts';

/** Sound that may wait: a client may send a recording at once. */
const MOST_WAITING_MS = 120_000;
/** After a stall of the process, at most so many frames are made up for at once. */
const MOST_AT_ONCE = 25;

/**
 * The user's microphone, as far as the session knows: what a client sends, at whatever speed, becomes packets of 20 ms in
 * their time, with silence where nothing came.
 */
export class Microphone {
  readonly #timers: Timers;
  readonly #packet: (packet: AudioPacket) => void;
  readonly #encoder = new OpusEncoder();
  #resampler: Resampler | null = null;
  #waiting: Int16Array[] = [];
  #waitingSamples = 0;
  /** Kept back until the client says that the user has finished. */
  #held: Int16Array[] = [];
  #heldSamples = 0;
  #timer: unknown = null;
  #nextAt = 0;
  #frames = 0;

  constructor(timers: Timers, packet: (packet: AudioPacket) => void) {
    this.#timers = timers;
    this.#packet = packet;
  }

  /** How much was heard since the beginning, silence included, ms. */
  get positionMs(): number {
    return this.#frames * FRAME_MS;
  }

  /** Of what was held back, ms. */
  get heldMs(): number {
    return (this.#heldSamples * 1000) / SAMPLE_RATE;
  }

  start(): void {
    if (this.#timer !== null) return;
    this.#nextAt = this.#timers.now();
    this.#tick();
  }

  /** @param hold it is heard only after `release`. @returns whether there was room for it. */
  append(pcm: Int16Array, rate: number, hold: boolean): boolean {
    if (((this.#waitingSamples + this.#heldSamples) * 1000) / SAMPLE_RATE > MOST_WAITING_MS) return false;
    if (this.#resampler?.inputRate !== rate) {
      this.#resampler?.close();
      this.#resampler = new Resampler(rate);
    }
    const sound = this.#resampler.convert(pcm);
    if (hold) {
      this.#held.push(sound);
      this.#heldSamples += sound.length;
    } else this.#queue(sound);
    return true;
  }

  /** What was held back is heard now. */
  release(): void {
    for (const sound of this.#held) this.#queue(sound);
    this.#held = [];
    this.#heldSamples = 0;
  }

  /** What was not heard so far is forgotten. */
  clear(): void {
    this.#waiting = [];
    this.#waitingSamples = 0;
    this.#held = [];
    this.#heldSamples = 0;
  }

  close(): void {
    this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
    this.clear();
    this.#resampler?.close();
    this.#encoder.close();
  }

  #queue(sound: Int16Array): void {
    this.#waiting.push(sound);
    this.#waitingSamples += sound.length;
  }

  #tick(): void {
    const now = this.#timers.now();
    for (let made = 0; this.#nextAt <= now && made < MOST_AT_ONCE; made += 1) {
      this.#send(this.#frame(), now);
      this.#nextAt += FRAME_MS;
    }
    if (this.#nextAt <= now) this.#nextAt = now + FRAME_MS;
    this.#timer = this.#timers.setTimeout(() => this.#tick(), Math.max(1, this.#nextAt - now));
  }

  #send(pcm: Int16Array, arrivedAt: number): void {
    const payload = this.#encoder.encode(pcm);
    const sequence = this.#frames & 0xffff;
    const timestamp = (this.#frames * FRAME_SAMPLES) >>> 0;
    this.#frames += 1;
    this.#packet({ payload, sequence, timestamp, arrivedAt });
  }

  #frame(): Int16Array {
    const frame = new Int16Array(FRAME_SAMPLES);
    let filled = 0;
    while (filled < FRAME_SAMPLES && this.#waiting.length > 0) {
      const first = this.#waiting[0]!;
      const part = first.subarray(0, FRAME_SAMPLES - filled);
      frame.set(part, filled);
      filled += part.length;
      if (part.length === first.length) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(part.length);
    }
    this.#waitingSamples -= filled;
    return frame;
  }
}

import { OpusEncoder } from '../audio-out/encode/opus-encoder.ts';
import { SampleQueue } from '../audio-out/queue/sample-queue.ts';
import { Resampler } from '../audio-out/tts/resampler.ts';
import { FRAME_MS, FRAME_SAMPLES } from '../media/audio-format.ts';
import type { AudioPacket } from '../media/media-types.ts';
import type { Timers } from '../../runtime/clock.ts';
import { type AudioFormat, bytesOf, decodeAudio, durationOf, rateOf } from './audio-format.ts';
import { PlayoutDelay } from './playout-delay.ts';

/** Sound that may wait: a client may send a recording at once. */
const MAX_WAITING_MS = 120_000;
/**
 * Read in one go, shortly before it is heard. A message holds a minute and a half in G.711, which took the thread that paces
 * everybody's sound for 100 ms.
 */
const PIECE_MS = 100;
/** After a stall, so many frames are sent before others get their turn: some 3 ms of encoding. */
const MAX_AT_ONCE = 25;
/** A process that was asleep for longer begins anew. */
const MAX_BEHIND_MS = 5_000;

interface Sound {
  readonly bytes: Buffer;
  readonly format: AudioFormat;
}

/**
 * The user's microphone, as far as the session knows: what a client sends, at whatever speed, becomes packets of 20 ms in
 * their time, with silence where nothing came. Sound that the network holds up comes late, as a peer's does, and is no
 * later from then on.
 */
export class Microphone {
  readonly #timers: Timers;
  readonly #packet: (packet: AudioPacket) => void;
  readonly #encoder = new OpusEncoder();
  #resampler: Resampler | null = null;
  /** As it came. */
  #waiting: Sound[] = [];
  #waitingMs = 0;
  /** Kept back until the client says that the user has finished. */
  #held: Sound[] = [];
  #heldMs = 0;
  /** The beginning of what waits, at the rate of packets. */
  #next = new SampleQueue();
  readonly #delay = new PlayoutDelay();
  #timer: unknown = null;
  #state: 'in time' | 'awaiting' = 'in time';
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
    return this.#heldMs;
  }

  start(): void {
    if (this.#timer !== null) return;
    this.#nextAt = this.#timers.now();
    this.#tick();
  }

  /** @param hold it is heard only after `release`. @returns whether there was room for it. */
  append(bytes: Buffer, format: AudioFormat, hold: boolean): boolean {
    const ms = durationOf(format, bytes.length);
    if (ms === 0) return true;
    if (this.#waitingMs + this.#heldMs > MAX_WAITING_MS) return false;
    (hold ? this.#held : this.#waiting).push({ bytes, format });
    if (hold) this.#heldMs += ms;
    else {
      this.#waitingMs += ms;
      this.#delay.came(ms, this.#timers.now());
      if (this.#state === 'awaiting') this.#tick();
    }
    return true;
  }

  /** What was held back is heard now. */
  release(): void {
    this.#waiting.push(...this.#held);
    this.#waitingMs += this.#heldMs;
    this.#held = [];
    this.#heldMs = 0;
  }

  /** What was not heard so far is forgotten. */
  clear(): void {
    this.#waiting = [];
    this.#waitingMs = 0;
    this.#held = [];
    this.#heldMs = 0;
    this.#next = new SampleQueue();
  }

  close(): void {
    this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
    this.clear();
    this.#resampler?.close();
    this.#encoder.close();
  }

  #tick(): void {
    this.#timers.clearTimeout(this.#timer);
    const now = this.#timers.now();
    if (now - this.#nextAt > MAX_BEHIND_MS) this.#nextAt = now;
    this.#state = 'in time';
    for (let made = 0; this.#nextAt <= now && made < MAX_AT_ONCE && this.#state === 'in time'; made += 1) {
      const pcm = this.#frame(now);
      if (pcm === null) this.#state = 'awaiting';
      else {
        this.#send(pcm, now);
        this.#nextAt += FRAME_MS;
      }
    }
    const nextAt = this.#state === 'awaiting' ? this.#delay.until : this.#nextAt;
    this.#timer = this.#timers.setTimeout(() => this.#tick(), Math.max(1, nextAt - now));
  }

  #send(pcm: Int16Array, arrivedAt: number): void {
    const payload = this.#encoder.encode(pcm);
    const sequence = this.#frames & 0xffff;
    const timestamp = (this.#frames * FRAME_SAMPLES) >>> 0;
    this.#frames += 1;
    this.#packet({ payload, sequence, timestamp, arrivedAt });
  }

  /** @returns null: more is on its way. */
  #frame(now: number): Int16Array | null {
    for (;;) {
      while (this.#next.length < FRAME_SAMPLES && this.#waiting.length > 0) this.#read(this.#waiting.shift()!);
      const isWhole = this.#next.length >= FRAME_SAMPLES;
      if (!isWhole && now < this.#delay.until) return null;
      const frame = new Int16Array(FRAME_SAMPLES);
      this.#next.take(frame);
      if (!isWhole) this.#delay.madeUp(now);
      if (!isWhole || !this.#delay.leavesOut(frame, this.#waitingMs)) return frame;
    }
  }

  #read({ bytes, format }: Sound): void {
    const most = bytesOf(format, PIECE_MS);
    if (bytes.length > most) this.#waiting.unshift({ bytes: bytes.subarray(most), format });
    const piece = bytes.subarray(0, most);
    this.#waitingMs -= durationOf(format, piece.length);
    const rate = rateOf(format);
    if (this.#resampler?.inputRate !== rate) {
      this.#resampler?.close();
      this.#resampler = new Resampler(rate);
    }
    this.#next.push(this.#resampler.convert(decodeAudio(format, piece)));
  }
}

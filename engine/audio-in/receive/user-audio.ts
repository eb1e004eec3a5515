import { WINDOW_MS, type VadWindow } from '../../../actors/vad/vad-window.ts';
import type { NoiseFilter } from '../../../models/ports.ts';
import { VAD_WINDOW_SAMPLES } from '../../../models/vad/silero.ts';
import type { AudioPacket } from '../../media/media-types.ts';
import { CaptureClock } from './capture-clock.ts';
import { MAX_CONCEALED_SAMPLES, concealLoss } from '../decode/conceal-loss.ts';
import { DOWNSAMPLE_DELAY_MS, Downsampler } from '../decode/downsample.ts';
import { LoudPart } from '../vad/loud-part.ts';
import { NoiseStage } from '../enhance/noise-stage.ts';
import { OpusDecoder, opusPacketSamples } from '../decode/opus-decoder.ts';
import { JitterBuffer } from './jitter-buffer.ts';
import type { OrderedPacket } from './jitter-buffer.ts';
import { BlockBuffer } from '../decode/block-buffer.ts';
import { audioLevelDb, toFloat } from '../vad/audio-level.ts';

/**
 * 32 ms of one session's audio, ready for the VAD model. `endsAt` is never earlier than that of the previous window.
 */
export interface AudioWindow extends Omit<VadWindow, 'probability'> {
  /** 512 samples at 16 kHz, unfiltered. */
  readonly raw: Float32Array;
  /** The same samples after the noise filter; null when it did not change them. */
  readonly filtered: Float32Array | null;
  /** 'pause': an outage or a restart lies before this window, so the model's memory of the sound does not apply. */
  readonly follows: 'previous' | 'pause';
}

export interface UserAudioHandlers {
  /** The decoded audio, 48 kHz mono, and the engine time of its first sample. */
  audio: ((pcm: Int16Array, at: number) => void) | null;
  /** The filter broke; the user audio continues without it. Reported at most once. */
  filterBroken(error: unknown): void;
}

/**
 * The sound of a packet is this much older than the packet's timestamp. libopus, which browsers use, looks ahead before
 * it encodes: the decoded packet ends 312 samples before the sound that was put in.
 */
export const ENCODER_DELAY_MS = 6.5;

/**
 * Where the sound of each packet is converted, for all sessions of the thread: what is needed of it later is copied. It is as
 * long as the longest packet so far. Memory of its own for each would wait for a collection, a megabyte a second of each
 * session.
 */
let scratch = new Float32Array(0);

/**
 * The receiving side of one session: RTP packets in, VAD windows out. If no packet comes, there is no window, and no
 * silence is invented: this code cannot know whether the user is silent, the network is slow or this machine stalled.
 */
export class UserAudio {
  readonly #jitterBuffer = new JitterBuffer();
  readonly #clock = new CaptureClock();
  readonly #decoder = new OpusDecoder();
  readonly #handlers: UserAudioHandlers;
  readonly #rawDownsampler = new Downsampler();
  readonly #filteredDownsampler = new Downsampler();
  readonly #loudness = new LoudPart();
  readonly #raw = new BlockBuffer();
  readonly #filtered = new BlockBuffer();
  #noise: NoiseStage | null;
  /** The latest sound that passed the noise filter unchanged; empty: the filter has worked since. */
  readonly #passed = new BlockBuffer();
  #strength: number;
  #windows: AudioWindow[] = [];
  /** Timestamp after the last decoded sample. */
  #decodedTo: number | null = null;
  #lastEndsAt: number | null = null;
  #follows: AudioWindow['follows'] = 'pause';
  /** Samples at 16 kHz that the filter changed and that are not yet in a window. */
  #touchedSamples = 0;

  /** @param filter null: no filter. @param strength of the filter, 0 (bypass) … 1. */
  constructor(filter: NoiseFilter | null, strength: number, handlers: UserAudioHandlers) {
    this.#noise = filter === null ? null : new NoiseStage(filter);
    this.#strength = strength;
    this.#handlers = handlers;
  }

  /** @param packet its payload must not be changed: it may have to wait for other packets. */
  packet(packet: AudioPacket): void {
    this.#receive(this.#jitterBuffer.push(packet));
  }

  /** Called as time passes: gives up on missing packets. */
  tick(now: number): void {
    this.#receive(this.#jitterBuffer.expire(now));
  }

  /** @returns the windows that became complete since the last call, oldest first. */
  takeWindows(): AudioWindow[] {
    return this.#windows.length === 0 ? this.#windows : this.#windows.splice(0);
  }

  setStrength(strength: number): void {
    this.#strength = strength;
  }

  close(): void {
    this.#decoder.close();
    this.#rawDownsampler.close();
    this.#filteredDownsampler.close();
    this.#noise?.close();
    this.#noise = null;
  }

  #receive(ordered: OrderedPacket[]): void {
    for (const { packet, follows } of ordered) {
      if (follows === 'restart') this.#startAnew();
      const samples = opusPacketSamples(packet.payload);
      if (samples === 0) continue;
      const start = this.#clock.observe(packet.timestamp, samples, packet.arrivedAt);
      this.#fillGap(start);
      const pcm = this.#decoder.decode(packet.payload) ?? concealLoss(this.#decoder, samples);
      this.#take(pcm, start);
    }
  }

  #fillGap(start: number): void {
    if (this.#decodedTo === null) return;
    const missing = start - this.#decodedTo;
    if (missing === 0) return;
    if (missing < 0 || missing > MAX_CONCEALED_SAMPLES) return this.#startAnew();
    this.#take(concealLoss(this.#decoder, missing), this.#decodedTo);
  }

  /** The next sound does not continue what was heard before. */
  #startAnew(): void {
    this.#decodedTo = null;
    this.#raw.clear();
    this.#filtered.clear();
    this.#touchedSamples = 0;
    this.#follows = 'pause';
  }

  #take(pcm: Int16Array, start: number): void {
    this.#decodedTo = start + pcm.length;
    this.#handlers.audio?.(pcm, this.#clock.timeOf(start));
    if (scratch.length < pcm.length) scratch = new Float32Array(pcm.length);
    const audio = toFloat(pcm, scratch.subarray(0, pcm.length));
    const raw = this.#rawDownsampler.process(audio);
    this.#raw.push(raw);
    this.#pushFiltered(audio, raw);
    this.#cutWindows();
  }

  #pushFiltered(audio: Float32Array, raw: Float32Array): void {
    if (this.#noise === null) return this.#filtered.push(raw);
    const wide = this.#noise.sampleRate === 48_000;
    try {
      const finished = this.#noise.process(wide ? audio : raw, this.#strength);
      if (finished === null) {
        this.#passed.clear();
        if (wide) this.#passed.push(audio);
        return this.#filtered.push(raw);
      }
      // The resampler has not heard what passed. It remembers less than one piece.
      if (this.#passed.length > 0)
        this.#filteredDownsampler.process(this.#passed.take(this.#passed.length) as Float32Array);
      const { samples, filtered } = finished;
      const narrow = wide ? this.#filteredDownsampler.process(samples) : samples;
      this.#filtered.push(narrow);
      if (filtered && this.#strength > 0) this.#touchedSamples = this.#filtered.length;
    } catch (error) {
      this.#noise.close();
      this.#noise = null;
      this.#handlers.filterBroken(error);
      this.#filtered.push(raw);
    }
  }

  #cutWindows(): void {
    // A filter has its own frame size: the window waits until both versions are there.
    while (this.#raw.length >= VAD_WINDOW_SAMPLES && this.#filtered.length >= VAD_WINDOW_SAMPLES) {
      const raw = this.#raw.take(VAD_WINDOW_SAMPLES) as Float32Array;
      const filtered = this.#touchedSamples > 0 ? this.#filtered.take(VAD_WINDOW_SAMPLES) : null;
      if (filtered === null) this.#filtered.drop(VAD_WINDOW_SAMPLES);
      this.#touchedSamples = Math.max(0, this.#touchedSamples - VAD_WINDOW_SAMPLES);
      const decodedTo = this.#clock.timeOf((this.#decodedTo as number) - this.#raw.length * 3);
      const capturedAt = decodedTo - DOWNSAMPLE_DELAY_MS - ENCODER_DELAY_MS;
      const endsAt = Math.max(capturedAt, this.#lastEndsAt ?? capturedAt);
      this.#lastEndsAt = endsAt;
      const loudMs = this.#loudness.of(raw);
      this.#windows.push({
        raw,
        filtered,
        levelDb: audioLevelDb(raw),
        ...(loudMs < WINDOW_MS && { loudMs }),
        endsAt,
        follows: this.#follows,
      });
      this.#follows = 'previous';
    }
  }
}

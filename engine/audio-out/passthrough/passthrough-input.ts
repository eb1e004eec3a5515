import type { PassthroughRefusal } from '../../../actors/events.ts';
import { MouthLookahead } from '../mouth/mouth-lookahead.ts';
import { MouthSchedule } from '../mouth/mouth-schedule.ts';
import { BETWEEN_SEQUENCES, placeChunk } from './passthrough-order.ts';
import {
  ABANDONED_AFTER_MS,
  IN_FLIGHT_MS,
  CLIENT_LIMITS,
  paddingSamples,
  passthroughBuffering,
} from './passthrough-buffering.ts';
import { SAMPLES_PER_MS } from '../../media/audio-format.ts';
import type { PlaybackItem, PlaybackQueue } from '../queue/playback-queue.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { Resampler } from '../tts/resampler.ts';
import type { AudioOutHandlers, PassthroughLimits } from '../../ports.ts';

/**
 * Rates that clients may send. The contract promises 16 kHz and more. Voices of telephone services have 8 kHz, and the
 * public Python SDK sends them with a mere warning.
 */
const LOWEST_RATE = 8_000;
const HIGHEST_RATE = 48_000;

/** One sequence of client-made speech on its way to the playback queue. */
export interface PassthroughSequence {
  readonly item: PlaybackItem;
  readonly mouth: MouthSchedule;
  readonly ahead: MouthLookahead;
  resampler: Resampler;
  samples: number;
}

/** Takes client-made speech chunk by chunk and puts it into the playback queue. */
export class PassthroughInput {
  readonly #playback: PlaybackQueue;
  readonly #timers: Timers;
  readonly #handlers: AudioOutHandlers;
  readonly #limits: PassthroughLimits;
  readonly #byItem = new Map<PlaybackItem, PassthroughSequence>();
  #open: PassthroughSequence | null = null;
  #order = BETWEEN_SEQUENCES;
  #count = 0;
  #abandonTimer: unknown = null;
  /** Engine time until which the rest of an interrupted sequence is expected. */
  #discardUntil = 0;

  constructor(playback: PlaybackQueue, timers: Timers, handlers: AudioOutHandlers, limits = CLIENT_LIMITS) {
    this.#playback = playback;
    this.#timers = timers;
    this.#handlers = handlers;
    this.#limits = limits;
  }

  /** @returns why the chunk was not taken: an impossible rate, or too much sound waits already. */
  chunk(pcm: Int16Array, sampleRate: number, sequence: number): 'taken' | PassthroughRefusal {
    if (!Number.isInteger(sampleRate) || sampleRate < LOWEST_RATE || sampleRate > HIGHEST_RATE) return 'format';
    const incomingMs = (pcm.length / sampleRate) * 1000;
    if (this.#waitingMs() + incomingMs > this.#limits.mostWaitingMs) return 'full';
    const { verdict, order } = placeChunk(this.#order, sequence);
    this.#order = order;
    if (verdict === 'drop' || (verdict === 'continue' && !this.#open && this.#timers.now() < this.#discardUntil))
      return 'taken';
    if (verdict === 'end-and-begin') this.#closeSequence();
    const open = (this.#open ??= this.#begin(sampleRate));
    if (open.resampler.inputRate !== sampleRate) {
      this.#push(open, open.resampler.finish());
      open.resampler = new Resampler(sampleRate);
    }
    this.#push(open, open.resampler.convert(pcm));
    // One that is too short to begin waits for more, and everything that is said later waits behind it.
    if (open.item.state === 'waiting') this.#awaitMore();
    return 'taken';
  }

  /** No more chunks of the current sequence come. */
  end(): void {
    this.#order = BETWEEN_SEQUENCES;
    this.#discardUntil = 0;
    this.#closeSequence();
  }

  sequenceOf(item: PlaybackItem): PassthroughSequence | undefined {
    return this.#byItem.get(item);
  }

  /** The current sequence has no sound left. Unless more comes, it is given up. */
  ranDry(): void {
    this.#awaitMore();
  }

  /** It is heard again. */
  sounds(): void {
    this.#timers.clearTimeout(this.#abandonTimer);
  }

  /** A frame of it was sent. */
  sent(item: PlaybackItem): void {
    this.#byItem.get(item)?.ahead.upTo(item.sentSamples);
  }

  /** The item left the queue: heard to its end, or interrupted. */
  forget(item: PlaybackItem, interrupted: boolean): void {
    const sequence = this.#byItem.get(item);
    this.#byItem.delete(item);
    sequence?.resampler.close();
    if (sequence && sequence === this.#open) {
      this.#open = null;
      this.#timers.clearTimeout(this.#abandonTimer);
      if (interrupted) this.#discardUntil = this.#timers.now() + IN_FLIGHT_MS;
    }
  }

  close(): void {
    this.#timers.clearTimeout(this.#abandonTimer);
    for (const { resampler } of this.#byItem.values()) resampler.close();
    this.#byItem.clear();
    this.#open = null;
  }

  #begin(sampleRate: number): PassthroughSequence {
    this.#count += 1;
    const id = `passthrough-${this.#count}`;
    const item = this.#playback.add(id, passthroughBuffering(this.#limits), 0);
    const mouth = new MouthSchedule(id, this.#handlers);
    const sequence = {
      item,
      mouth,
      ahead: new MouthLookahead(mouth),
      resampler: new Resampler(sampleRate),
      samples: 0,
    };
    this.#byItem.set(item, sequence);
    return sequence;
  }

  #awaitMore(): void {
    this.#timers.clearTimeout(this.#abandonTimer);
    this.#abandonTimer = this.#timers.setTimeout(() => this.#closeSequence(), ABANDONED_AFTER_MS);
  }

  /** Ends the open sequence. Its sound is played to the end. Later chunks of it begin another sequence. */
  #closeSequence(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = null;
    this.#timers.clearTimeout(this.#abandonTimer);
    this.#push(open, open.resampler.finish());
    this.#push(open, new Int16Array(paddingSamples(open.samples)));
    open.ahead.finish(open.item.sentSamples);
    open.item.supply = 'complete';
  }

  #push(sequence: PassthroughSequence, pcm: Int16Array): void {
    sequence.samples += pcm.length;
    sequence.item.queue.push(pcm);
    sequence.item.heldBack = sequence.resampler.heldBack;
    sequence.ahead.add(pcm, sequence.item.sentSamples);
  }

  #waitingMs(): number {
    let samples = 0;
    for (const { item } of this.#byItem.values()) samples += item.queue.length;
    return samples / SAMPLES_PER_MS;
  }
}

import { SAMPLES_PER_MS } from '../../media/audio-format.ts';
import { MouthFromAudio } from './mouth-from-audio.ts';
import type { MouthSchedule } from './mouth-schedule.ts';

/**
 * How far ahead of what is heard the mouth is known: more than a sequence has before it begins. Clients send minutes of
 * sound at once, and a second of it takes 7 ms of the thread that paces everybody's sound.
 */
const AHEAD_SAMPLES = 1_000 * SAMPLES_PER_MS;
/** What is looked at in one go: ten frames, so the lead grows while the sound is heard. The whole second took 25 ms at first. */
const AT_ONCE_SAMPLES = 200 * SAMPLES_PER_MS;

/** The mouth of one sound that arrives faster than it is heard: read from the sound as it is heard, a second ahead. */
export class MouthLookahead {
  readonly #schedule: MouthSchedule;
  readonly #fromAudio = new MouthFromAudio();
  /** Sound that was not looked at yet, oldest first. */
  readonly #waiting: Int16Array[] = [];
  #lookedAt = 0;
  #supply: 'arriving' | 'complete' | 'over' = 'arriving';

  constructor(schedule: MouthSchedule) {
    this.#schedule = schedule;
  }

  /** More of the sound, in order. @param pcm 48 kHz @param heardSamples how many samples of the sound are heard already. */
  add(pcm: Int16Array, heardSamples: number): void {
    if (pcm.length > 0) this.#waiting.push(pcm);
    this.upTo(heardSamples);
  }

  /** No more of it comes. */
  finish(heardSamples: number): void {
    this.#supply = 'complete';
    this.upTo(heardSamples);
  }

  /** @param heardSamples how many samples of the sound are heard. */
  upTo(heardSamples: number): void {
    const until = Math.min(heardSamples + AHEAD_SAMPLES, this.#lookedAt + AT_ONCE_SAMPLES);
    while (this.#waiting.length > 0 && this.#lookedAt < until) this.#look(this.#next(until - this.#lookedAt));
    if (this.#waiting.length > 0 || this.#supply !== 'complete') return;
    this.#supply = 'over';
    this.#schedule.add(this.#fromAudio.finish());
  }

  /** @returns at most so many samples of what waits. */
  #next(most: number): Int16Array {
    const first = this.#waiting.shift()!;
    if (first.length <= most) return first;
    this.#waiting.unshift(first.subarray(most));
    return first.subarray(0, most);
  }

  #look(pcm: Int16Array): void {
    this.#lookedAt += pcm.length;
    this.#schedule.add(this.#fromAudio.add(pcm));
    this.#schedule.hear(pcm);
  }
}

import type { SessionEvent } from '../../actors/events.ts';
import type { SteppingClock } from '../../actors/kernel/stepping-clock.ts';
import type { TimedUnit } from '../../models/ports.ts';

/** From a sentence to its first sound: what a local voice takes (`docs/guides/sizing.md`). */
const FIRST_AUDIO_MS = 100;
/** 15 letters a second: usual speech. */
const MS_PER_LETTER = 65;

interface Segment {
  readonly id: string;
  readonly words: readonly TimedUnit[];
  readonly durationMs: number;
  state: 'synthesized' | 'queued' | 'playing';
  startedAt: number;
}

/** A voice without sound: each sentence takes its time on the simulated clock, and can be cut. */
export class SimulatedVoice {
  readonly #clock: SteppingClock;
  readonly #dispatch: (event: SessionEvent) => void;
  #segments: Segment[] = [];

  constructor(clock: SteppingClock, dispatch: (event: SessionEvent) => void) {
    this.#clock = clock;
    this.#dispatch = dispatch;
  }

  get isQuiet(): boolean {
    return this.#segments.length === 0;
  }

  say(id: string, text: string, pauseMs: number): void {
    const words: TimedUnit[] = [];
    let at = 0;
    for (const word of text.split(/\s+/)) {
      const endMs = at + word.length * MS_PER_LETTER;
      words.push({ text: word, startMs: at, endMs });
      at = endMs + MS_PER_LETTER;
    }
    const segment: Segment = { id, words, durationMs: at + pauseMs, state: 'synthesized', startedAt: 0 };
    this.#segments.push(segment);
    this.#clock.setTimeout(() => {
      if (!this.#segments.includes(segment)) return;
      segment.state = 'queued';
      this.#dispatch({ type: 'speech.firstAudio', segmentId: id });
      this.#dispatch({ type: 'speech.timing', segmentId: id, words, durationMs: segment.durationMs, complete: true });
      this.#playNext();
    }, FIRST_AUDIO_MS);
  }

  cut(): void {
    const playing = this.#segments.find(({ state }) => state === 'playing');
    this.#segments = [];
    const playedMs = playing === undefined ? 0 : this.#clock.now() - playing.startedAt;
    this.#dispatch({ type: 'speech.cut', segmentId: playing?.id ?? null, playedMs });
  }

  #playNext(): void {
    const next = this.#segments[0];
    if (next === undefined || next.state !== 'queued') return;
    next.state = 'playing';
    next.startedAt = this.#clock.now();
    this.#dispatch({ type: 'speech.started', segmentId: next.id });
    this.#clock.setTimeout(() => {
      if (this.#segments[0] !== next) return;
      this.#segments.shift();
      this.#dispatch({ type: 'speech.finished', segmentId: next.id });
      this.#playNext();
    }, next.durationMs);
  }
}

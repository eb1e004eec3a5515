import { quantile } from './statistics.ts';

/** RTP clock rates in ticks a millisecond, and the time between two frames. */
const CLOCKS = { audio: { ticksPerMs: 48, everyMs: 20 }, video: { ticksPerMs: 90, everyMs: 40 } } as const;
export type MediaKind = keyof typeof CLOCKS;

/** Ms later than the usual arrival of the stream's frames, and number of frames that never came. */
export interface ArrivalReport {
  readonly frames: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly missed: number;
}

/** How late frames of one kind reach a client, by their RTP time stamps, over any number of streams. */
export class ArrivalLateness {
  readonly #kind: MediaKind;
  #streams: Stream[] = [];

  constructor(kind: MediaKind) {
    this.#kind = kind;
  }

  /** @returns a function for each complete frame of one new stream: its RTP time stamp and its arrival, ms. */
  stream(): (timestamp: number, arrivedAt: number) => void {
    const stream = new Stream(CLOCKS[this.#kind]);
    this.#streams.push(stream);
    return (timestamp, arrivedAt) => stream.take(timestamp, arrivedAt);
  }

  /** Lateness of the frames in a span of time. The usual arrival is the median of each stream before it. */
  between(from: number, to: number): ArrivalReport {
    const { late, missed } = this.arrivals(from, to);
    return {
      frames: late.length,
      p50: quantile(late, 0.5),
      p99: quantile(late, 0.99),
      max: quantile(late, 1),
      missed,
    };
  }

  /** The lateness of each frame, to be counted together with that of other processes. */
  arrivals(from: number, to: number): { readonly late: readonly number[]; readonly missed: number } {
    const parts = this.#streams.map((stream) => stream.between(from, to));
    return {
      late: parts.flatMap((part) => part.late),
      missed: parts.reduce((sum, part) => sum + part.missed, 0),
    };
  }
}

/** Arrival of every frame of one stream. */
class Stream {
  readonly #clock: { readonly ticksPerMs: number; readonly everyMs: number };
  readonly #arrivals: { readonly arrivedAt: number; readonly delay: number; readonly gaps: number }[] = [];
  #last: { readonly timestamp: number; readonly mediaMs: number } | null = null;

  constructor(clock: { readonly ticksPerMs: number; readonly everyMs: number }) {
    this.#clock = clock;
  }

  take(timestamp: number, arrivedAt: number): void {
    // Time stamps wrap, so their difference is signed.
    const stepMs = this.#last === null ? 0 : ((timestamp - this.#last.timestamp) | 0) / this.#clock.ticksPerMs;
    // A retransmitted frame comes out of order. It was counted as missed.
    if (stepMs < 0) return;
    const mediaMs = (this.#last?.mediaMs ?? 0) + stepMs;
    this.#last = { timestamp, mediaMs };
    this.#arrivals.push({
      arrivedAt,
      delay: arrivedAt - mediaMs,
      gaps: Math.max(0, Math.round(stepMs / this.#clock.everyMs) - 1),
    });
  }

  between(from: number, to: number): { readonly late: number[]; readonly missed: number } {
    const usual = quantile(
      this.#arrivals.filter(({ arrivedAt }) => arrivedAt < from).map(({ delay }) => delay),
      0.5,
    );
    const within = this.#arrivals.filter(({ arrivedAt }) => arrivedAt >= from && arrivedAt < to);
    if (Number.isNaN(usual)) return { late: [], missed: 0 };
    return {
      late: within.map(({ delay }) => Math.max(0, delay - usual)),
      missed: within.reduce((sum, { gaps }) => sum + gaps, 0),
    };
  }
}

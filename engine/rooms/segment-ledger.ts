/** How a segment of an agent's speech ended, as the agent has to be told: once for each. */
export interface PlayedSegment {
  /** How much of it was heard. */
  readonly playedMs: number;
  readonly interrupted: boolean;
}

interface Segment {
  /** Sound that was queued. */
  queuedMs: number;
  heardMs: number;
  supply: 'arriving' | 'complete';
  sound: 'not yet' | 'heard';
}

/** Resampling and whole frames of 20 ms make the two counts differ. Nothing shorter than this is worth waiting for. */
const TOLERANCE_MS = 5;
/** Segments that wait: an agent begins one for each of its turns, and says them one after the other. */
const MAX_WAITING = 1_000;

/**
 * Which segments of an agent's speech wait, are heard, and are over. The queue of the voice knows sequences: a segment
 * that stalls becomes several of them, and one without sound none. Agents wait for the end of each segment, and count.
 */
export class SegmentLedger {
  #segments: Segment[] = [];

  get isEmpty(): boolean {
    return this.#segments.length === 0;
  }

  /** Whether no further segment is taken until one is over. */
  get isFull(): boolean {
    return this.#segments.length >= MAX_WAITING;
  }

  begin(): void {
    this.#segments.push({ queuedMs: 0, heardMs: 0, supply: 'arriving', sound: 'not yet' });
  }

  /** Sound of the newest segment was queued. */
  queued(ms: number): void {
    const newest = this.#segments.at(-1);
    if (newest?.supply === 'arriving') newest.queuedMs += ms;
  }

  /** The newest segment is complete. */
  end(): PlayedSegment[] {
    const newest = this.#segments.at(-1);
    if (newest !== undefined) newest.supply = 'complete';
    return this.#settle();
  }

  /** Sound begins to be heard. @returns whether it is the first sound of its segment. */
  started(): boolean {
    const current = this.#current();
    if (current === undefined || current.sound === 'heard') return false;
    current.sound = 'heard';
    return true;
  }

  /** A sequence of the voice was heard to its end. */
  heard(ms: number): PlayedSegment[] {
    const current = this.#current();
    if (current !== undefined) current.heardMs += ms;
    return this.#settle();
  }

  /** Everything is cut. @param ms of the sequence that was heard meanwhile; 0: none was. */
  cut(ms: number): PlayedSegment[] {
    const current = this.#current();
    if (current !== undefined) current.heardMs += ms;
    return this.#segments
      .splice(0)
      .map(({ queuedMs, heardMs }) => ({ playedMs: Math.min(heardMs, queuedMs), interrupted: true }));
  }

  /** The first segment that has sound left. */
  #current(): Segment | undefined {
    return this.#segments.find(({ queuedMs, heardMs }) => heardMs + TOLERANCE_MS < queuedMs);
  }

  /** Segments are over in their order. */
  #settle(): PlayedSegment[] {
    const over: PlayedSegment[] = [];
    for (let first = this.#segments[0]; first !== undefined && isOver(first); first = this.#segments[0]) {
      this.#segments.shift();
      over.push({ playedMs: first.queuedMs, interrupted: false });
    }
    return over;
  }
}

function isOver({ supply, queuedMs, heardMs }: Segment): boolean {
  return supply === 'complete' && heardMs + TOLERANCE_MS >= queuedMs;
}

import { engineNow, type Timers } from '../../../runtime/clock.ts';

interface Waiting {
  readonly due: number;
  readonly fn: () => void;
  handle: NodeJS.Timeout;
}

/** Passes as the machine's time does, and can be moved on: an outage of seconds takes a test none. */
export class SkippedTime implements Timers {
  #skippedMs = 0;
  readonly #waiting = new Set<Waiting>();

  now(): number {
    return engineNow() + this.#skippedMs;
  }

  setTimeout(fn: () => void, ms: number): Waiting {
    const waiting: Waiting = { due: this.now() + ms, fn, handle: setTimeout(() => this.#fire(waiting), ms) };
    this.#waiting.add(waiting);
    return waiting;
  }

  clearTimeout(id: unknown): void {
    if (!this.#waiting.delete(id as Waiting)) return;
    clearTimeout((id as Waiting).handle);
  }

  /** What is due by then is done now, in its order. */
  skip(ms: number): void {
    this.#skippedMs += ms;
    const now = this.now();
    const due = [...this.#waiting].filter((one) => one.due <= now);
    for (const one of due.toSorted((a, b) => a.due - b.due)) if (this.#waiting.has(one)) this.#fire(one);
    for (const one of this.#waiting) {
      clearTimeout(one.handle);
      one.handle = setTimeout(() => this.#fire(one), one.due - now);
    }
  }

  #fire(one: Waiting): void {
    this.clearTimeout(one);
    one.fn();
  }
}

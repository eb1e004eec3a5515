import type { SessionClock } from './clock.ts';

/**
 * A clock that stands still until it is told to go on, and stops at every deadline on the way, so that a timer that
 * is set by a timer fires at its own time. (XState's own simulated clock jumps to the end first.)
 */
export class SteppingClock implements SessionClock {
  #now = 0;
  #nextId = 1;
  readonly #timers = new Map<number, { readonly due: number; readonly fn: (...args: unknown[]) => void }>();

  now(): number {
    return this.#now;
  }

  setTimeout(fn: (...args: unknown[]) => void, timeoutMs: number): unknown {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#timers.set(id, { due: this.#now + Math.max(0, timeoutMs), fn });
    return id;
  }

  clearTimeout(id: unknown): void {
    this.#timers.delete(id as number);
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Goes forward and fires what becomes due, in order. */
  advance(ms: number): void {
    this.advanceTo(this.#now + ms);
  }

  advanceTo(target: number): void {
    for (let next = this.#next(target); next !== null; next = this.#next(target)) {
      const timer = this.#timers.get(next);
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, timer?.due ?? 0);
      timer?.fn();
    }
    this.#now = Math.max(this.#now, target);
  }

  /** Time goes on and nothing happens, as when the thread is stalled; what became due fires afterwards, late. */
  stall(ms: number): void {
    this.#now += ms;
    this.advanceTo(this.#now);
  }

  #next(target: number): number | null {
    let found: number | null = null;
    let due = Infinity;
    // Insertion order breaks ties: the map keeps it.
    for (const [id, timer] of this.#timers) {
      if (timer.due < due) [found, due] = [id, timer.due];
    }
    return due <= target ? found : null;
  }
}

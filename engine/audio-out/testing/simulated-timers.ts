import type { Timers } from '../../../runtime/clock.ts';

/** Time that moves only when a test moves it. Timers fire in order at exactly their time, or late on demand. */
export class SimulatedTimers implements Timers {
  #now: number;
  #pending = new Map<number, { at: number; fn: () => void }>();
  #nextId = 1;

  constructor(startAt = 1_000_000) {
    this.#now = startAt;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(fn: () => void, ms: number): unknown {
    const id = this.#nextId++;
    this.#pending.set(id, { at: this.#now + ms, fn });
    return id;
  }

  clearTimeout(id: unknown): void {
    this.#pending.delete(id as number);
  }

  get pendingForTesting(): number {
    return this.#pending.size;
  }

  /** Lets time pass. Promises run after every timer. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (;;) {
      const next = [...this.#pending].filter(([, { at }]) => at <= until).sort((a, b) => a[1].at - b[1].at)[0];
      if (!next) break;
      this.#pending.delete(next[0]);
      this.#now = Math.max(this.#now, next[1].at);
      next[1].fn();
      await settle();
    }
    this.#now = until;
  }

  /** The process is starved: time passes, and only then the due timers fire. */
  async stall(ms: number): Promise<void> {
    this.#now += ms;
    await this.advance(0);
  }
}

/** Lets everything that only waits for promises happen. */
export async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

import type { SessionClock } from '../clock.ts';
import { roundTime } from '../recorder/round-event.ts';

interface Timer {
  readonly id: number;
  readonly due: number;
  readonly fn: (...args: unknown[]) => void;
}

/**
 * Timers of the machine know whole milliseconds and come early by the rest of one. Such an alarm counts: setting it again
 * would cost a millisecond or two.
 */
const EARLY_MS = 1;

/**
 * The tree's own time. A timer fires with `now()` at exactly its deadline, and an event that comes later than a
 * deadline finds that timer already fired, however late the machine's own timers are. So the order of everything in
 * the tree follows from the times in the event log alone, and a replay of the log decides the same.
 */
export class SessionTimers implements SessionClock {
  readonly #clock: SessionClock;
  readonly #timers: Timer[] = [];
  readonly #run: (instant: (settle: () => void) => void) => void;
  #now: number;
  #nextId = 1;
  #alarm: { readonly id: unknown; readonly due: number } | null = null;
  #advancing = false;

  /**
   * @param run does what becomes due at one instant, all of it before any event of the same time; `settle` delivers what
   * the actors have told each other so far.
   */
  constructor(clock: SessionClock, run: (instant: (settle: () => void) => void) => void) {
    this.#clock = clock;
    this.#run = run;
    this.#now = roundTime(clock.now());
  }

  /** When the event or timer that is being handled happened. */
  now(): number {
    return this.#now;
  }

  setTimeout(fn: (...args: unknown[]) => void, timeoutMs: number): unknown {
    const timer = { id: this.#nextId, due: roundTime(this.#now + Math.max(0, timeoutMs)), fn };
    this.#nextId += 1;
    let at = this.#timers.length;
    while (at > 0 && (this.#timers[at - 1]?.due ?? 0) > timer.due) at -= 1;
    this.#timers.splice(at, 0, timer);
    if (!this.#advancing) this.#setAlarm();
    return timer.id;
  }

  clearTimeout(id: unknown): void {
    const at = this.#timers.findIndex((timer) => timer.id === id);
    if (at !== -1) this.#timers.splice(at, 1);
  }

  /**
   * Fires what is due, in order of deadlines, and moves to the present.
   * @param atLeast counts as the present when the clock is not there yet. @returns the present.
   */
  advance(atLeast = 0): number {
    if (this.#advancing) return this.#now;
    this.#advancing = true;
    const present = Math.max(this.#now, atLeast, roundTime(this.#clock.now()));
    try {
      for (let next = this.#timers[0]; next !== undefined && next.due <= present; next = this.#timers[0]) {
        this.#now = Math.max(this.#now, next.due);
        this.#run((settle) => this.#fire(this.#now, settle));
      }
      this.#now = present;
    } finally {
      this.#advancing = false;
      this.#setAlarm();
    }
    return present;
  }

  #fire(instant: number, settle: () => void): void {
    for (let next = this.#timers[0]; next !== undefined && next.due <= instant; next = this.#timers[0]) {
      this.#timers.shift();
      next.fn();
      settle();
    }
  }

  /** Forgets every timer. */
  stop(): void {
    this.#timers.length = 0;
    this.#setAlarm();
  }

  /** One timer of the machine stands for all of these; it is only moved when the first deadline moves forward. */
  #setAlarm(): void {
    const due = this.#timers[0]?.due;
    if (this.#alarm !== null) {
      if (due !== undefined && this.#alarm.due <= due && this.#alarm.due > this.#now) return;
      this.#clock.clearTimeout(this.#alarm.id);
      this.#alarm = null;
    }
    if (due === undefined) return;
    const id = this.#clock.setTimeout(() => {
      this.#alarm = null;
      this.advance(due - this.#clock.now() < EARLY_MS ? due : 0);
    }, Math.max(0, due - this.#clock.now()));
    this.#alarm = { id, due };
  }
}

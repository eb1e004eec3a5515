import type { SessionClock } from './clock.ts';
import { SteppingClock } from './stepping-clock.ts';

/** The machine's own time, in ms. */
interface Time {
  now(): number;
  setTimeout(fn: (...args: unknown[]) => void, timeoutMs: number): unknown;
  clearTimeout(id: unknown): void;
}

interface Alarm {
  readonly due: number;
  readonly fn: (...args: unknown[]) => void;
  /** Of the machine's timer, or of the stepping clock before that. */
  handle: unknown;
}

/**
 * The clock of a session that goes on in another process. First it follows the times of the journal; from `resume` on it
 * runs as the machine's own does, and every timer that is still set keeps its deadline.
 */
export class ContinuedClock implements SessionClock {
  readonly #time: Time;
  readonly #past = new SteppingClock();
  readonly #alarms = new Map<number, Alarm>();
  #nextId = 1;
  /** The machine's time at the session's time 0. Null: the session is still in its past. */
  #zero: number | null = null;

  constructor(time: Time) {
    this.#time = time;
  }

  now(): number {
    return this.#zero === null ? this.#past.now() : this.#time.now() - this.#zero;
  }

  setTimeout(fn: (...args: unknown[]) => void, timeoutMs: number): unknown {
    const id = this.#nextId;
    this.#nextId += 1;
    const alarm: Alarm = { due: this.now() + Math.max(0, timeoutMs), fn, handle: null };
    this.#alarms.set(id, alarm);
    this.#arm(id, alarm);
    return id;
  }

  clearTimeout(id: unknown): void {
    const alarm = this.#alarms.get(id as number);
    if (alarm === undefined) return;
    this.#alarms.delete(id as number);
    (this.#zero === null ? this.#past : this.#time).clearTimeout(alarm.handle);
  }

  /** Goes forward in the past, and fires what becomes due. */
  advanceTo(at: number): void {
    this.#past.advanceTo(at);
  }

  /** From now on it is the present. @param zero the machine's time at the session's time 0. */
  resume(zero: number): void {
    for (const alarm of this.#alarms.values()) this.#past.clearTimeout(alarm.handle);
    this.#zero = zero;
    for (const [id, alarm] of this.#alarms) this.#arm(id, alarm);
  }

  #arm(id: number, alarm: Alarm): void {
    alarm.handle = (this.#zero === null ? this.#past : this.#time).setTimeout(
      () => {
        this.#alarms.delete(id);
        alarm.fn();
      },
      Math.max(0, alarm.due - this.now()),
    );
  }
}

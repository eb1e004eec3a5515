import type { SessionClock } from './clock.ts';
import { roundTime } from './round-event.ts';

interface Timer {
  readonly id: number;
  readonly due: number;
  readonly fn: (...args: unknown[]) => void;
}

/**
 * Timers of the machine know whole milliseconds and come early by the rest of one. Such an alarm counts: setting it
 * again would cost a millisecond or two.
 */
const EARLY_MS = 1;
/**
 * An alarm that comes so much late means that this thread did nothing for a while, and that what happened then is still
 * unread.
 */
const STALLED_MS = 100;
/**
 * For so long after a stall no deadline counts: the packets that waited have to be read, go through the audio-in thread
 * (20 ms for a second of sound) and come back as windows.
 */
const CATCH_UP_MS = 60;

/**
 * The tree's own time. A timer fires with `now()` at exactly its deadline, and an event that comes later than a
 * deadline finds that timer already fired, however late the machine's own timers are. So the order of everything in
 * the tree follows from the times in the event log alone, and a replay of the log decides the same.
 *
 * After a stall of this thread its time stands still until the sound of the stall is in, which is then heard at the
 * times at which it was spoken: a voice that went on is not taken for one that stopped.
 */
export class SessionTimers implements SessionClock {
  readonly #clock: SessionClock;
  readonly #timers: Timer[] = [];
  readonly #run: (instant: (settle: () => void) => void) => void;
  #now: number;
  #nextId = 1;
  #alarm: { readonly id: unknown; readonly due: number } | null = null;
  #advancing = false;
  /** After a stall: until when no deadline counts. */
  #catchUpUntil: number | null = null;

  /**
   * @param run does what becomes due at one instant, all of it before any event of the same time; `settle` delivers
   * what the actors have told each other so far.
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
   * Moves to the time of an event that comes now, and fires what is due by then.
   * @param spokenAt when it really happened, for an event that knows.
   */
  arrive(spokenAt: number | null): void {
    if (this.#advancing) return;
    const present = this.#present();
    if (!this.#isCatchingUp(present)) return this.#advanceTo(present);
    this.#advanceTo(Math.min(present, Math.max(this.#now, spokenAt ?? this.#now)));
    if (spokenAt !== null && present - spokenAt <= STALLED_MS) this.#catchUpUntil = null;
  }

  /** The alarm rang. @param due its deadline, which the clock may be short of by the rest of a millisecond. */
  #wake(due: number): void {
    if (this.#advancing) return;
    const present = Math.max(this.#present(), due - this.#clock.now() < EARLY_MS ? due : 0);
    if (this.#isCatchingUp(present)) this.#setAlarm();
    else this.#advanceTo(present);
  }

  #present(): number {
    return Math.max(this.#now, roundTime(this.#clock.now()));
  }

  #isCatchingUp(present: number): boolean {
    if (this.#catchUpUntil !== null) {
      if (present < this.#catchUpUntil) return true;
      this.#catchUpUntil = null;
      return false;
    }
    const due = this.#timers[0]?.due;
    if (due === undefined || present - due <= STALLED_MS) return false;
    this.#catchUpUntil = present + CATCH_UP_MS;
    return true;
  }

  /** Fires what is due at this instant already, before an event of the same instant. @param settle as for `run`. */
  fireDue(settle: () => void): void {
    this.#fire(this.#now, settle);
  }

  /** Fires what is due, in order of deadlines. */
  #advanceTo(time: number): void {
    this.#advancing = true;
    try {
      for (let next = this.#timers[0]; next !== undefined && next.due <= time; next = this.#timers[0]) {
        this.#now = Math.max(this.#now, next.due);
        this.#run((settle) => this.#fire(this.#now, settle));
      }
      this.#now = time;
    } finally {
      this.#advancing = false;
      this.#setAlarm();
    }
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
    const first = this.#timers[0]?.due;
    const due = first === undefined ? undefined : Math.max(first, this.#catchUpUntil ?? first);
    if (this.#alarm !== null) {
      if (due !== undefined && this.#alarm.due <= due && this.#alarm.due > this.#now) return;
      this.#clock.clearTimeout(this.#alarm.id);
      this.#alarm = null;
    }
    if (due === undefined) return;
    const id = this.#clock.setTimeout(
      () => {
        this.#alarm = null;
        this.#wake(due);
      },
      Math.max(0, due - this.#clock.now()),
    );
    this.#alarm = { id, due };
  }
}

import type { Timers } from '../../../runtime/clock.ts';

/** A process tells its state twice a second. Its lease ends after 8 s: by then its sessions should go on elsewhere. */
const LOOK_EVERY_MS = 2_000;
const SILENT_LOOKS = 4;

/**
 * Notices that a process tells nothing any more: its event loop is stuck. It looks several times, so that a pause of this
 * process itself, as of a machine that slept, is not taken for one of the other.
 */
export class HeartbeatMonitor {
  readonly #timers: Timers;
  readonly #silent: () => void;
  #silentLooks = 0;
  #timer: unknown = null;

  /** @param silent called once, 8 to 10 s after the last beat. */
  constructor(timers: Timers, silent: () => void) {
    this.#timers = timers;
    this.#silent = silent;
  }

  /** The process has told something. The first time begins the watch. */
  beat(): void {
    this.#silentLooks = 0;
    this.#timer ??= this.#lookLater();
  }

  /** The process has ended. */
  end(): void {
    this.#timers.clearTimeout(this.#timer);
    this.#timer = null;
    this.#silentLooks = 0;
  }

  #lookLater(): unknown {
    return this.#timers.setTimeout(() => {
      this.#silentLooks += 1;
      if (this.#silentLooks <= SILENT_LOOKS) this.#timer = this.#lookLater();
      else {
        this.end();
        this.#silent();
      }
    }, LOOK_EVERY_MS);
  }
}

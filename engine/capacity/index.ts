import type { Timers } from '../../runtime/clock.ts';
import type { MotionPrecision, LoadShedding } from '../face/index.ts';
import type { Logger } from '../../runtime/log.ts';
import { Admission, type AdmissionState } from './admission.ts';
import { calibrate, type Calibration } from './calibrate.ts';
import { loadBetween, type Load } from './load.ts';
import { openThisMachine, type Machine, type MachineTotals, type Siblings } from './machine.ts';
import { sessionCost, type LocalWork } from './session-cost.ts';

export type { AdmissionState } from './admission.ts';
export type { Siblings } from './machine.ts';
export type { LocalWork } from './session-cost.ts';

/** Time between two looks at the machine. */
const LOOK_EVERY_MS = 1_000;
/**
 * The machine is measured again so long after the last time, if nobody talks, ms: during the start, another program may have
 * had the cores, and what was measured then would hold until the next start.
 */
const MEASURE_AGAIN_MS = [60_000, 5 * 60_000, 30 * 60_000];

export interface Capacity {
  state(live: number): AdmissionState;
  close(): void;
}

export interface CapacityOptions {
  readonly wanted: number | 'auto';
  /** The result of the calibration is kept here. */
  readonly dataDir: string;
  readonly liveSessions: () => number;
  /** Lateness of the video frames of the last second or so, p99, ms. */
  readonly framesLateMs: () => number;
  /** What models on this machine do for each session. */
  readonly work: LocalWork;
  /** What is to be given up, at each change. */
  readonly save: (shedding: LoadShedding) => void;
  /** How faces are encoded in the least time here. */
  readonly encodeWith: (motionPrecision: MotionPrecision) => void;
  readonly log: Logger;
  readonly timers: Timers;
  /** Engine processes with which the machine is shared. @defaultValue none */
  readonly siblings?: Siblings | null | undefined;
  /** @defaultValue the one that the service runs on */
  readonly machine?: Machine;
  /** Null when it cannot be measured. @defaultValue `calibrate` on this machine */
  readonly measure?: () => Promise<Calibration | null>;
}

/** Watches the machine, and says whether one more session keeps the promise to all others. */
export function watchCapacity(options: CapacityOptions): Capacity {
  const watch = new MachineWatch(options);
  // With the operator's own limit, what a session costs here decides nothing.
  if (options.wanted === 'auto') watch.measure();
  watch.lookLater();
  return watch;
}

class MachineWatch implements Capacity {
  readonly #options: CapacityOptions;
  readonly #machine: Machine;
  readonly #admission: Admission;
  #timer: unknown = null;
  #measuring: unknown = null;
  #measurements = 0;
  #life: 'watching' | 'closed' = 'watching';
  #before: { readonly at: number; readonly totals: MachineTotals } | null = null;
  #known: Pick<AdmissionState, 'promise' | 'shedding'> = { promise: 'kept', shedding: 'none' };

  constructor(options: CapacityOptions) {
    const { siblings = null, wanted, work } = options;
    this.#options = options;
    this.#machine = options.machine ?? openThisMachine(siblings);
    const engines = siblings?.engines ?? 1;
    this.#admission = new Admission({ cores: this.#machine.cores, wanted, session: sessionCost(null, work), engines });
  }

  state(live: number): AdmissionState {
    return this.#admission.state(live);
  }

  /** The speed of the machine, now and some times later: the quickest counts. */
  measure(): void {
    this.#measurements += 1;
    this.#measureLater();
    const { log, dataDir, measure = () => calibrate(dataDir), work, liveSessions } = this.#options;
    const { cores } = this.#machine;
    measure().then(
      (measured) => {
        if (measured === null) return log.warn('The speed of this machine could not be measured; it counts as slow');
        this.#options.encodeWith(measured.motionPrecision);
        this.#admission.calibrated(sessionCost(measured.frameMs, work));
        const { places } = this.#admission.state(liveSessions());
        log.debug({ ...measured, cores, places }, 'This machine was measured');
      },
      (error: unknown) => log.error({ err: error }, 'The speed of this machine could not be measured'),
    );
  }

  #measureLater(): void {
    const waitMs = MEASURE_AGAIN_MS[this.#measurements - 1];
    if (waitMs === undefined) return;
    this.#measuring = this.#options.timers.setTimeout(() => {
      if (this.#options.liveSessions() === 0) this.measure();
      else this.#measureLater();
    }, waitMs);
  }

  /** Its load, again and again. */
  lookLater(): void {
    if (this.#life === 'closed') return;
    this.#timer = this.#options.timers.setTimeout(() => {
      this.#look().then(
        () => this.lookLater(),
        (error: unknown) => {
          this.#options.log.error({ err: error }, 'The load of the machine could not be read');
          this.lookLater();
        },
      );
    }, LOOK_EVERY_MS);
  }

  close(): void {
    this.#life = 'closed';
    this.#options.timers.clearTimeout(this.#timer);
    this.#options.timers.clearTimeout(this.#measuring);
    this.#machine.close();
  }

  async #look(): Promise<void> {
    const totals = await this.#machine.totals();
    const at = this.#options.timers.now();
    const before = this.#before;
    const lateness = { loopDelayMs: this.#machine.loopDelayMs(), framesLateMs: this.#options.framesLateMs() };
    const load = before === null ? null : loadBetween(before.totals, totals, at - before.at, lateness);
    if (load !== null) this.#admission.take(load);
    this.#before = { at, totals };
    this.#tell(load);
  }

  /** @param load of the last second, null: it is the first. */
  #tell(load: Load | null): void {
    const live = this.#options.liveSessions();
    const { promise, shedding, places } = this.#admission.state(live);
    const known = this.#known;
    if (shedding !== known.shedding) this.#options.save(shedding);
    if (promise !== known.promise || shedding !== known.shedding)
      this.#options.log.warn({ promise, saved: shedding, live, places, ...signsOf(load) }, lineOf(promise, shedding));
    this.#known = { promise, shedding };
  }
}

function lineOf(promise: AdmissionState['promise'], shedding: LoadShedding): string {
  if (promise === 'kept') return 'No live session suffers from a busy machine any more';
  const refused = 'The machine is too busy: no further session is taken';
  return shedding === 'none' ? refused : `${refused}, and faces are shown with less effort`;
}

/** What the promise is judged by, for the log. */
function signsOf(load: Load | null): Partial<Load> {
  if (load === null) return {};
  const [loopDelayMs, framesLateMs] = [Math.round(load.loopDelayMs), Math.round(load.framesLateMs)];
  return { loopDelayMs, framesLateMs, waitedShare: Math.round(load.waitedShare * 100) / 100 };
}

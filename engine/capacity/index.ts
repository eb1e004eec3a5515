import type { Timers } from '../../runtime/clock.ts';
import type { MotionPrecision, LoadShedding } from '../face/index.ts';
import type { Logger } from '../../runtime/log.ts';
import { Admission, type AdmissionState } from './admission.ts';
import { calibrate, type Calibration } from './calibrate.ts';
import { loadBetween } from './load.ts';
import { openThisMachine, type Machine, type MachineTotals, type Siblings } from './machine.ts';
import { sessionCost, type LocalWork } from './session-cost.ts';

export type { AdmissionState } from './admission.ts';
export type { Siblings } from './machine.ts';

/** Time between two looks at the machine. */
const LOOK_EVERY_MS = 1_000;

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
  const { siblings = null, timers, log, wanted, work } = options;
  const { machine = openThisMachine(siblings), measure = () => calibrate(options.dataDir) } = options;
  const engines = siblings?.engines ?? 1;
  const admission = new Admission({
    cores: machine.cores,
    wanted,
    session: sessionCost(null, work),
    engines,
  });
  let timer: unknown = null;
  let life: 'watching' | 'closed' = 'watching';
  let before: { readonly at: number; readonly totals: MachineTotals } | null = null;
  let known: Pick<AdmissionState, 'promise' | 'shedding'> = { promise: 'kept', shedding: 'none' };

  async function look(): Promise<void> {
    const totals = await machine.totals();
    const at = timers.now();
    const lateness = { loopDelayMs: machine.loopDelayMs(), framesLateMs: options.framesLateMs() };
    if (before !== null) admission.take(loadBetween(before.totals, totals, at - before.at, lateness));
    before = { at, totals };
    tell();
  }

  function tell(): void {
    const live = options.liveSessions();
    const { promise, shedding, places } = admission.state(live);
    if (shedding !== known.shedding) options.save(shedding);
    if (promise !== known.promise || shedding !== known.shedding)
      log.warn({ promise, saved: shedding, live, places }, LINES[promise]);
    known = { promise, shedding };
  }

  function lookLater(): void {
    if (life === 'closed') return;
    timer = timers.setTimeout(() => {
      look().then(lookLater, (error: unknown) => {
        log.error({ err: error }, 'The load of the machine could not be read');
        lookLater();
      });
    }, LOOK_EVERY_MS);
  }

  function measureMachine(): void {
    measure().then(
      (measured) => {
        if (measured === null) return log.warn('The speed of this machine could not be measured; it counts as slow');
        options.encodeWith(measured.motionPrecision);
        admission.calibrated(sessionCost(measured.frameMs, work));
        const { places } = admission.state(options.liveSessions());
        log.debug({ ...measured, cores: machine.cores, places }, 'This machine was measured');
      },
      (error: unknown) => log.error({ err: error }, 'The speed of this machine could not be measured'),
    );
  }

  // With the operator's own limit, what a session costs here decides nothing.
  if (wanted === 'auto') measureMachine();
  lookLater();

  return {
    state: (live) => admission.state(live),
    close() {
      life = 'closed';
      timers.clearTimeout(timer);
      machine.close();
    },
  };
}

const LINES = {
  kept: 'No live session suffers from a busy machine any more',
  'at risk': 'The machine is too busy: no further session is taken, and faces are shown with less effort',
} as const;

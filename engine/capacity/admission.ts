import type { LoadShedding } from '../face/index.ts';
import type { Load } from './load.ts';
import { BUSIEST_SHARE, placesOf, type Limit } from './places.ts';
import type { SessionCost } from './session-cost.ts';
import { ExponentialAverage } from './exponential-average.ts';
import { OverloadDetector } from './overload-detector.ts';

/** Why no further session is admitted. */
export type Refusal = Limit | 'promise at risk' | 'busy now' | 'limit of the operator';

export interface AdmissionState {
  /** How many sessions can speak at the same time, those that are live included. */
  readonly places: number;
  /** How many it would be without other programs on the machine. */
  readonly placesAlone: number;
  /** How many more are admitted now. */
  readonly free: number;
  /** Null: one more is admitted. */
  readonly refusal: Refusal | null;
  readonly promise: 'kept' | 'at risk';
  readonly shedding: LoadShedding;
}

/** Decides from second to second whether the promise holds with one more session. */
export class Admission {
  readonly #cores: number;
  /** Processes that share them evenly. */
  readonly #engines: number;
  /** Sessions at the same time, or `auto`: as many as the machine carries. */
  readonly #wanted: number | 'auto';
  readonly #others = new ExponentialAverage('slowly');
  readonly #busy = new ExponentialAverage();
  readonly #overload = new OverloadDetector();
  #freeMemoryBytes = Infinity;
  #session: SessionCost;

  /** @param options `engines`: processes that share the machine. @defaultValue 1 */
  constructor(options: {
    readonly cores: number;
    readonly wanted: number | 'auto';
    /** What a session is planned with. */
    readonly session: SessionCost;
    readonly engines?: number;
  }) {
    this.#cores = options.cores;
    this.#engines = options.engines ?? 1;
    this.#wanted = options.wanted;
    this.#session = options.session;
  }

  /** @param session as measured on this machine. */
  calibrated(session: SessionCost): void {
    this.#session = session;
  }

  take(load: Load): void {
    this.#others.add(load.othersCores);
    this.#busy.add(load.busyCores);
    this.#freeMemoryBytes = load.freeMemoryBytes;
    this.#overload.take(load);
  }

  /** @param live sessions now. */
  state(live: number): AdmissionState {
    const { promise, shedding } = this.#toLive(live);
    const by = (places: number, refusal: Refusal | null, alone = places): AdmissionState => ({
      places,
      placesAlone: Math.max(places, alone),
      free: refusal === null ? places - live : 0,
      refusal,
      promise,
      shedding,
    });
    if (this.#wanted !== 'auto') return by(this.#wanted, live < this.#wanted ? null : 'limit of the operator');
    const { places, limit } = this.#placesBeside(this.#others.value, live);
    const alone = this.#placesBeside(0, live).places;
    // A service without sessions takes one: it may be slow, but a service that takes none is of no use.
    if (live === 0) return by(places, null, alone);
    if (live >= places) return by(places, limit, alone);
    if (promise === 'at risk' || shedding !== 'none') return by(places, 'promise at risk', alone);
    const hasRoom = this.#busy.value + this.#session.cores <= this.#cores * BUSIEST_SHARE;
    return by(places, hasRoom ? null : 'busy now', alone);
  }

  #placesBeside(othersCores: number, live: number): ReturnType<typeof placesOf> {
    return placesOf({
      cores: this.#cores / this.#engines,
      session: this.#session,
      othersCores: othersCores / this.#engines,
      freeMemoryBytes: this.#freeMemoryBytes / this.#engines,
      live,
    });
  }

  /** Without a session, nobody suffers from a busy machine, and there is nothing to give up. */
  #toLive(live: number): Pick<AdmissionState, 'promise' | 'shedding'> {
    if (live === 0) return { promise: 'kept', shedding: 'none' };
    return { promise: this.#overload.state === 'calm' ? 'kept' : 'at risk', shedding: this.#overload.shedding };
  }
}

import pino from 'pino';
import { EngineLease } from '../../control/placement/engine-lease.ts';
import type { EngineRegistryInMemory } from '../../control/placement/engine-registry-in-memory.ts';
import { Admission } from '../../engine/capacity/admission.ts';
import type { Load } from '../../engine/capacity/load.ts';
import type { Timers } from '../../runtime/clock.ts';
import { PLANNED, useOf, type Doing, type Use } from './session-use.ts';

export interface SimulatedCall {
  readonly id: string;
  /** ms of the simulated clock. */
  readonly endsAt: number;
  doing: Doing;
  changesAt: number;
}

const log = pino({ level: 'silent' });

/** One life of an engine process: the real admission and the real lease, with sessions that only cost. */
export class SimulatedEngine {
  readonly lease: EngineLease;
  readonly id: string;
  /** Call → gives its place back. */
  readonly #calls = new Map<SimulatedCall, () => void>();
  readonly #admission: Admission;
  #state: 'alive' | 'killed' = 'alive';

  constructor(options: {
    readonly id: string;
    readonly cores: number;
    readonly engines: number;
    readonly registry: EngineRegistryInMemory;
    readonly timers: Timers;
  }) {
    const { id, cores, engines, registry, timers } = options;
    this.id = id;
    this.#admission = new Admission({ cores, engines, wanted: 'auto', session: PLANNED });
    this.lease = new EngineLease({
      registry,
      engine: { id, region: 'eu', url: `http://${id}`, version: '1' },
      places: () => this.#calls.size + this.#admission.state(this.#calls.size).free,
      timers: this.#whileAlive(timers),
      log,
    });
  }

  get calls(): Iterable<SimulatedCall> {
    return this.#calls.keys();
  }

  get count(): number {
    return this.#calls.size;
  }

  get places(): number {
    return this.#admission.state(this.#calls.size).places;
  }

  get isAlive(): boolean {
    return this.#state === 'alive';
  }

  get use(): Use {
    return useOf(Array.from(this.#calls.keys(), ({ doing }) => doing));
  }

  look(load: Load): void {
    this.#admission.take(load);
  }

  /** @returns false when its own admission refuses. */
  admits(): boolean {
    return this.#admission.state(this.#calls.size).refusal === null;
  }

  /** @param giveBack its place. */
  add(call: SimulatedCall, giveBack: () => void): void {
    this.#calls.set(call, giveBack);
  }

  /** @returns false: it does not have this call. */
  end(call: SimulatedCall): boolean {
    const giveBack = this.#calls.get(call);
    if (giveBack === undefined) return false;
    this.#calls.delete(call);
    giveBack();
    return true;
  }

  /** @returns the calls that it had. */
  kill(): SimulatedCall[] {
    this.#state = 'killed';
    const calls = [...this.#calls.keys()];
    this.#calls.clear();
    return calls;
  }

  /** Nothing happens in a process that was killed. */
  #whileAlive(timers: Timers): Timers {
    return {
      now: () => timers.now(),
      setTimeout: (fn, ms) => timers.setTimeout(() => this.#state === 'alive' && fn(), ms),
      clearTimeout: (id) => timers.clearTimeout(id),
    };
  }
}

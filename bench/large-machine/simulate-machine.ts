import pino from 'pino';
import { SimulatedClock } from 'xstate';
import { EngineRegistryInMemory } from '../../control/placement/engine-registry-in-memory.ts';
import { Placement } from '../../control/placement/placement.ts';
import { MovedSessions } from '../../control/placement/engine-processes/moved-sessions.ts';
import type { Timers } from '../../runtime/clock.ts';
import { engineCount, engineIdOf, type MachineSize } from '../../service/settings/engine-count.ts';
import { Random } from '../conversation-quality/random.ts';
import { coresOf, type Use } from './session-use.ts';
import { SimulatedEngine, type SimulatedCall } from './simulated-engine.ts';

/** Mean of the length of calls, ms; lengths are exponential, so calls that began long ago end no sooner. */
const CALL_MS = 300_000;
/** Mean of each turn of speaking and of listening, ms: the persona speaks for half of the time. */
const TURN_MS = 6_000;
const STEP_MS = 100;
const SECOND_MS = 1_000;
/** In which the machine fills. Calls come evenly in its first half. */
const FILL_MS = 120_000;
/** Before an engine is killed, and after. */
const CALM_MS = 600_000;
const AFTER_MS = 120_000;
/** Until a killed process takes sessions again: a container was healthy after 6.8 s. */
const START_MS = 7_000;
/**
 * A call of five minutes is replayed in 0.25 s of a core (`docs/decisions/takeover.md`: 0.5 s for ten minutes), on a thread
 * that is busy for half of the time with other sessions.
 */
const REPLAY_MS = 500;
/** Engines that are asked for one session (`docs/decisions/cluster.md`). */
const ASKED_AT_MOST = 3;

export interface SimulatedLoad {
  /** Calls that come, were none refused: how many there are at a time, as a share of the places. */
  readonly offered: number;
  readonly seed: number;
}

export interface MachineResult {
  readonly processes: number;
  readonly places: number;
  /** Of the calm ten minutes: means over all seconds, and the largest value of any second. */
  readonly sessions: number;
  readonly refusedShare: number;
  /** Sessions of the least and of the most loaded process. */
  readonly least: number;
  readonly most: number;
  /** The largest number that any had in any second. */
  readonly mostAtMost: number;
  readonly busiestMain: number;
  readonly busiestMainAtMost: number;
  readonly cores: number;
  readonly coresAtMost: number;
  /** Of all sessions, mean of the seconds. */
  readonly use: Use;
  readonly startsPerSecond: number;
  /** What happened to the calls of the killed process. */
  readonly kill: {
    readonly calls: number;
    readonly lost: number;
    /** Until the last one went on, ms. */
    readonly tookMs: number;
    /** The largest number of sessions that a sibling had above its places. */
    readonly overflow: number;
    readonly busiestMainAtMost: number;
  };
}

interface Second {
  readonly counts: readonly number[];
  readonly mains: readonly number[];
  readonly cores: number;
  readonly use: Use;
  readonly overflow: number;
}

/** @returns what ten minutes on this machine are like, and two more in which one of its processes is killed. */
export async function simulateMachine(size: MachineSize, { offered, seed }: SimulatedLoad): Promise<MachineResult> {
  const machine = new SimulatedMachine(size, new Random(seed));
  await machine.start();
  const { processes, places } = machine;
  const wanted = places * offered;
  const rate = wanted / CALL_MS;
  await machine.pass(FILL_MS / 2, wanted / (FILL_MS / 2));
  await machine.pass(FILL_MS / 2, rate);
  const before = machine.calls;
  const calm = await machine.pass(CALM_MS, rate);
  const started = machine.calls.started - before.started;
  const refused = machine.calls.refused - before.refused;
  const killed = machine.kill(engineIdOf('main', 1));
  const after = await machine.pass(AFTER_MS, rate);
  return {
    processes,
    places,
    ...calmOf(calm),
    refusedShare: refused / Math.max(1, started + refused),
    startsPerSecond: started / (CALM_MS / SECOND_MS),
    kill: {
      ...killed,
      overflow: Math.max(0, ...after.map(({ overflow }) => overflow)),
      busiestMainAtMost: Math.max(...after.flatMap(({ mains }) => mains)),
    },
  };
}

function calmOf(
  calm: readonly Second[],
): Omit<MachineResult, 'processes' | 'places' | 'refusedShare' | 'startsPerSecond' | 'kill'> {
  return {
    sessions: mean(calm, ({ counts }) => counts.reduce((sum, count) => sum + count, 0)),
    least: mean(calm, ({ counts }) => Math.min(...counts)),
    most: mean(calm, ({ counts }) => Math.max(...counts)),
    mostAtMost: Math.max(...calm.flatMap(({ counts }) => counts)),
    busiestMain: mean(calm, ({ mains }) => Math.max(...mains)),
    busiestMainAtMost: Math.max(...calm.flatMap(({ mains }) => mains)),
    cores: mean(calm, ({ cores }) => cores),
    coresAtMost: Math.max(...calm.map(({ cores }) => cores)),
    use: meanUse(
      calm.map(({ use }) => use),
      calm.length,
    ),
  };
}

/** The engines of one machine, and the calls that come to it. */
class SimulatedMachine {
  readonly processes: number;
  readonly #size: MachineSize;
  readonly #random: Random;
  readonly #clock = new SimulatedClock();
  readonly #timers: Timers;
  readonly #log = pino({ level: 'silent' });
  readonly #registry: EngineRegistryInMemory;
  readonly #placement: Placement;
  readonly #engines = new Map<string, SimulatedEngine>();
  readonly #live = new Map<string, SimulatedCall>();
  #starts = 0;
  #refused = 0;

  constructor(size: MachineSize, random: Random) {
    const clock = this.#clock;
    this.#size = size;
    this.#random = random;
    this.#timers = {
      now: () => clock.now(),
      setTimeout: (fn, ms) => clock.setTimeout(fn, ms),
      clearTimeout: (id) => clock.clearTimeout(id as number),
    };
    this.#registry = new EngineRegistryInMemory(() => clock.now());
    this.#placement = new Placement(this.#registry, this.#log);
    this.processes = engineCount({ PARLEY_ENGINES: 'auto', PARLEY_ROLE: 'all', PARLEY_NODE_URL: undefined }, size);
  }

  async start(): Promise<void> {
    for (let number = 1; number <= this.processes; number += 1) await this.#launch(engineIdOf('main', number));
  }

  get places(): number {
    return [...this.#engines.values()].reduce((sum, engine) => sum + engine.places, 0);
  }

  /** So far. */
  get calls(): { readonly started: number; readonly refused: number } {
    return { started: this.#starts, refused: this.#refused };
  }

  /** @param callsPerMs that come. */
  async pass(ms: number, callsPerMs: number): Promise<Second[]> {
    const clock = this.#clock;
    const seconds: Second[] = [];
    const until = clock.now() + ms;
    let next = clock.now() + this.#exponential(1 / callsPerMs);
    while (clock.now() < until) {
      clock.increment(STEP_MS);
      // What was asked for is answered.
      await new Promise((done) => setImmediate(done));
      this.#advanceCalls();
      for (; next <= clock.now(); next += this.#exponential(1 / callsPerMs)) await this.#startCall();
      if (clock.now() % SECOND_MS === 0) seconds.push(this.#look());
    }
    return seconds;
  }

  /** Its calls go on elsewhere, and it is started again. @returns what becomes of them, while time passes. */
  kill(engineId: string): { readonly calls: number; lost: number; tookMs: number } {
    const killedAt = this.#clock.now();
    const killed = this.#engines.get(engineId)!.kill();
    this.#registry.ended(engineId);
    const moved = new MovedSessions({
      registry: this.#registry,
      siblings: this.#engines.size - 1,
      takeOver: (to, { sessionId }) => this.#takeOver(to, sessionId),
      timers: this.#timers,
      log: this.#log,
    });
    const outcome = { calls: killed.length, lost: 0, tookMs: Infinity };
    void moved.move(killed.map(({ id }) => ({ sessionId: id, entries: [], state: null, ageMs: 0 }))).then((ids) => {
      outcome.tookMs = this.#clock.now() - killedAt;
      // Who hung up meanwhile is not lost.
      for (const id of ids) if (this.#live.delete(id)) outcome.lost += 1;
    });
    this.#timers.setTimeout(() => void this.#launch(engineId), START_MS);
    return outcome;
  }

  async #launch(id: string): Promise<void> {
    const { cores } = this.#size;
    const [registry, timers] = [this.#registry, this.#timers];
    const engine = new SimulatedEngine({ id, cores, engines: this.processes, registry, timers });
    this.#engines.set(id, engine);
    await engine.lease.start();
  }

  async #startCall(): Promise<void> {
    const unwanted: string[] = [];
    while (unwanted.length < ASKED_AT_MOST) {
      const wanted = { region: null, policy: 'preferred' } as const;
      const reservation = await this.#placement.reserve(wanted, unwanted).catch(() => null);
      if (reservation === null) break;
      const engine = this.#engines.get(reservation.engineId)!;
      const place = engine.isAlive && engine.admits() ? await engine.lease.take(reservation).catch(() => null) : null;
      if (place === null) {
        unwanted.push(engine.id);
        await this.#placement.drop(reservation);
        continue;
      }
      const call = this.#newCall();
      this.#live.set(call.id, call);
      engine.add(call, () => place.giveBack());
      await place.startedAs(call.id);
      return;
    }
    this.#refused += 1;
  }

  #newCall(): SimulatedCall {
    const now = this.#clock.now();
    const id = `call-${(this.#starts += 1)}`;
    const endsAt = now + this.#exponential(CALL_MS);
    return { id, endsAt, doing: 'idle', changesAt: now + this.#exponential(TURN_MS) };
  }

  async #takeOver(engineId: string, sessionId: string): Promise<void> {
    const engine = this.#engines.get(engineId)!;
    if (!engine.isAlive) throw new Error('the engine process is not running');
    const place = engine.lease.hold();
    await new Promise<void>((done) => this.#timers.setTimeout(() => done(), REPLAY_MS));
    const call = this.#live.get(sessionId);
    if (call === undefined) return place.giveBack();
    engine.add(call, () => place.giveBack());
    await place.startedAs(sessionId);
  }

  /** Calls end, and take turns. */
  #advanceCalls(): void {
    const now = this.#clock.now();
    for (const call of this.#live.values()) {
      if (call.endsAt <= now) {
        this.#live.delete(call.id);
        for (const engine of this.#engines.values()) if (engine.end(call)) break;
      } else if (call.changesAt <= now) {
        call.doing = call.doing === 'idle' ? 'speaking' : 'idle';
        call.changesAt = now + this.#exponential(TURN_MS);
      }
    }
  }

  /** Once a second, as an engine does it. */
  #look(): Second {
    const all = [...this.#engines.values()];
    const uses = all.map(({ use }) => use);
    const cores = uses.reduce((sum, use) => sum + coresOf(use), 0);
    const calm = { othersCores: 0, waitedShare: 0, loopDelayMs: 0, framesLateMs: 0 };
    for (const engine of all) engine.look({ ...calm, busyCores: cores, freeMemoryBytes: this.#size.memoryBytes });
    return {
      counts: all.map(({ count }) => count),
      mains: uses.map(({ mainCores }) => mainCores),
      cores,
      use: meanUse(uses, 1),
      overflow: Math.max(...all.map(({ count, places }) => count - places)),
    };
  }

  #exponential(mean: number): number {
    return -mean * Math.log(1 - this.#random.next());
  }
}

function mean(seconds: readonly Second[], of: (second: Second) => number): number {
  return seconds.reduce((sum, second) => sum + of(second), 0) / seconds.length;
}

function meanUse(uses: readonly Use[], count: number): Use {
  const names = Object.keys(uses[0]!) as (keyof Use)[];
  const sum = (name: keyof Use): number => uses.reduce((total, use) => total + use[name], 0) / count;
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as unknown as Use;
}

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
  const random = new Random(seed);
  const clock = new SimulatedClock();
  const timers: Timers = {
    now: () => clock.now(),
    setTimeout: (fn, ms) => clock.setTimeout(fn, ms),
    clearTimeout: (id) => clock.clearTimeout(id as number),
  };
  const log = pino({ level: 'silent' });
  const registry = new EngineRegistryInMemory(() => clock.now());
  const placement = new Placement(registry, log);
  const processes = engineCount({ PARLEY_ENGINES: 'auto', PARLEY_ROLE: 'all', PARLEY_NODE_URL: undefined }, size);
  const engines = new Map<string, SimulatedEngine>();
  const live = new Map<string, SimulatedCall>();
  let starts = 0;
  let refused = 0;

  const exponential = (mean: number): number => -mean * Math.log(1 - random.next());
  const wait = (ms: number): Promise<void> => new Promise((done) => timers.setTimeout(() => done(), ms));

  async function launch(id: string): Promise<void> {
    const engine = new SimulatedEngine({ id, cores: size.cores, engines: processes, registry, timers });
    engines.set(id, engine);
    await engine.lease.start();
  }

  async function startCall(): Promise<void> {
    const unwanted: string[] = [];
    while (unwanted.length < ASKED_AT_MOST) {
      const reservation = await placement.reserve({ region: null, policy: 'preferred' }, unwanted).catch(() => null);
      if (reservation === null) break;
      const engine = engines.get(reservation.engineId)!;
      const place = engine.isAlive && engine.admits() ? await engine.lease.take(reservation).catch(() => null) : null;
      if (place === null) {
        unwanted.push(engine.id);
        await placement.drop(reservation);
        continue;
      }
      const now = clock.now();
      const id = `call-${(starts += 1)}`;
      const endsAt = now + exponential(CALL_MS);
      const call: SimulatedCall = { id, endsAt, doing: 'idle', changesAt: now + exponential(TURN_MS) };
      live.set(id, call);
      engine.add(call, () => place.giveBack());
      await place.startedAs(id);
      return;
    }
    refused += 1;
  }

  async function takeOver(engineId: string, sessionId: string): Promise<void> {
    const engine = engines.get(engineId)!;
    if (!engine.isAlive) throw new Error('the engine process is not running');
    const place = engine.lease.hold();
    await wait(REPLAY_MS);
    const call = live.get(sessionId);
    if (call === undefined) return place.giveBack();
    engine.add(call, () => place.giveBack());
    await place.startedAs(sessionId);
  }

  function goOn(): void {
    const now = clock.now();
    for (const call of live.values()) {
      if (call.endsAt <= now) {
        live.delete(call.id);
        for (const engine of engines.values()) if (engine.end(call)) break;
      } else if (call.changesAt <= now) {
        call.doing = call.doing === 'idle' ? 'speaking' : 'idle';
        call.changesAt = now + exponential(TURN_MS);
      }
    }
  }

  function look(): Second {
    const all = [...engines.values()];
    const uses = all.map(({ use }) => use);
    const cores = uses.reduce((sum, use) => sum + coresOf(use), 0);
    for (const engine of all)
      engine.look({
        busyCores: cores,
        othersCores: 0,
        waitedShare: 0,
        loopDelayMs: 0,
        framesLateMs: 0,
        freeMemoryBytes: size.memoryBytes,
      });
    return {
      counts: all.map(({ count }) => count),
      mains: uses.map(({ mainCores }) => mainCores),
      cores,
      use: meanUse(uses, 1),
      overflow: Math.max(...all.map(({ count, places }) => count - places)),
    };
  }

  /** @param callsPerMs that come. */
  async function pass(ms: number, callsPerMs: number): Promise<Second[]> {
    const seconds: Second[] = [];
    const until = clock.now() + ms;
    let next = clock.now() + exponential(1 / callsPerMs);
    while (clock.now() < until) {
      clock.increment(STEP_MS);
      // What was asked for is answered.
      await new Promise((done) => setImmediate(done));
      goOn();
      for (; next <= clock.now(); next += exponential(1 / callsPerMs)) await startCall();
      if (clock.now() % SECOND_MS === 0) seconds.push(look());
    }
    return seconds;
  }

  for (let number = 1; number <= processes; number += 1) await launch(engineIdOf('main', number));
  const places = [...engines.values()].reduce((sum, engine) => sum + engine.places, 0);
  const wanted = places * offered;
  const rate = wanted / CALL_MS;
  await pass(FILL_MS / 2, wanted / (FILL_MS / 2));
  await pass(FILL_MS / 2, rate);
  refused = 0;
  const startsBefore = starts;
  const calm = await pass(CALM_MS, rate);
  const started = starts - startsBefore;
  const refusedShare = refused / Math.max(1, started + refused);

  const killedId = engineIdOf('main', 1);
  const killedAt = clock.now();
  const killed = engines.get(killedId)!.kill();
  registry.ended(killedId);
  const moved = new MovedSessions({
    registry,
    siblings: engines.size - 1,
    takeOver: (engineId, { sessionId }) => takeOver(engineId, sessionId),
    timers,
    log,
  });
  let tookMs = Infinity;
  let lost = 0;
  void moved.move(killed.map(({ id }) => ({ sessionId: id, entries: [], state: null, ageMs: 0 }))).then((ids) => {
    tookMs = clock.now() - killedAt;
    // Who hung up meanwhile is not lost.
    for (const id of ids) if (live.delete(id)) lost += 1;
  });
  timers.setTimeout(() => void launch(killedId), START_MS);
  const after = await pass(AFTER_MS, rate);

  return {
    processes,
    places,
    sessions: mean(calm, ({ counts }) => counts.reduce((sum, count) => sum + count, 0)),
    refusedShare,
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
    startsPerSecond: started / (CALM_MS / SECOND_MS),
    kill: {
      calls: killed.length,
      lost,
      tookMs,
      overflow: Math.max(0, ...after.map(({ overflow }) => overflow)),
      busiestMainAtMost: Math.max(...after.flatMap(({ mains }) => mains)),
    },
  };
}

function mean(seconds: readonly Second[], of: (second: Second) => number): number {
  return seconds.reduce((sum, second) => sum + of(second), 0) / seconds.length;
}

function meanUse(uses: readonly Use[], count: number): Use {
  const names = Object.keys(uses[0]!) as (keyof Use)[];
  const sum = (name: keyof Use): number => uses.reduce((total, use) => total + use[name], 0) / count;
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as unknown as Use;
}

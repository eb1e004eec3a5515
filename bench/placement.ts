/**
 * What one Redis carries of placement: 1,000 engines with 100,000 live sessions, of which each ends after five minutes and
 * is followed by another. The engines and their renewals run on a simulated clock, the scripts in a real Redis. Needs
 * `redis-server`. Prints how long a decision takes, how many come in a second, what Redis itself spends, and how evenly
 * the engines are loaded.
 */
import pino from 'pino';
import { SimulatedClock } from 'xstate';
import { EngineLease } from '../control/placement/engine-lease.ts';
import { EngineRegistryInRedis } from '../control/placement/engine-registry-in-redis.ts';
import { Placement } from '../control/placement/placement.ts';
import { openRedis } from '../control/store/redis.ts';
import type { TakenPlace } from '../control/placement/engine-places.ts';
import { startPrivateRedis } from '../control/testing/private-redis.ts';
import { quantile } from './lib/statistics.ts';

const ENGINES = 1000;
const SESSIONS = 100_000;
const REGIONS = ['eu', 'us', 'asia', 'south'];
/** Engines differ: some machines are three times as large as others. */
const placesOf = (index: number): number => 60 + (index % 13) * 10;
const SESSION_S = 300;
/** What is simulated of the churn. */
const CHURN_S = 20;
const STEP_MS = 10;

const log = pino({ level: 'silent' });
const server = await startPrivateRedis();
const redis = await openRedis(server.url, log);
redis.setMaxListeners(0);
const registry = new EngineRegistryInRedis(redis);
const placement = new Placement(registry, log);
const clock = new SimulatedClock();
const timers = {
  now: () => clock.now(),
  setTimeout: (fn: (...args: unknown[]) => void, ms: number): unknown => clock.setTimeout(fn, ms),
  clearTimeout: (id: unknown): void => clock.clearTimeout(id as number),
};

const engines = new Map<string, { lease: EngineLease; places: number; used: number }>();
for (let index = 0; index < ENGINES; index += 1) {
  const places = placesOf(index);
  const engine = {
    id: `engine-${index}`,
    region: REGIONS[index % REGIONS.length]!,
    url: `http://10.0.${index >> 8}.${index & 255}:8080`,
    version: '1',
  };
  const lease = new EngineLease({ registry, engine, places: () => places, timers, log });
  await lease.start();
  engines.set(engine.id, { lease, places, used: 0 });
}

const live: (() => void)[] = [];
const decisions: number[] = [];
let scripts = 0;

/** Starts one session, as the two nodes that take part in it do. */
async function start(n: number): Promise<void> {
  const began = performance.now();
  const reservation = await placement.reserve({ region: REGIONS[n % REGIONS.length]!, policy: 'preferred' });
  decisions.push(performance.now() - began);
  const engine = engines.get(reservation.engineId)!;
  const place: TakenPlace = await engine.lease.take(reservation);
  engine.used += 1;
  scripts += 2;
  live.push(() => {
    engine.used -= 1;
    place.giveBack();
  });
}

function endOne(random: number): void {
  const index = Math.floor(random * live.length);
  const end = live[index]!;
  live[index] = live.at(-1)!;
  live.pop();
  end();
}

async function inParallel(count: number, atOnce: number): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      await start(n);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Everything that was sent so far is answered. */
const settled = (): Promise<unknown> => redis.ping();

const redisCpuMs = async (): Promise<number> => {
  const info = await redis.info('cpu');
  const of = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)![1]);
  return 1000 * (of('used_cpu_user') + of('used_cpu_sys'));
};

async function measured(name: string, run: () => Promise<void>): Promise<void> {
  decisions.length = 0;
  scripts = 0;
  const cpuBefore = await redisCpuMs();
  const began = performance.now();
  await run();
  const seconds = (performance.now() - began) / 1000;
  const cpuMs = (await redisCpuMs()) - cpuBefore;
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(decisions, share).toFixed(2));
  const rate = Math.round(decisions.length / seconds);
  const cpuUs = ((1000 * cpuMs) / decisions.length).toFixed(0);
  console.log(`${name}: ${rate} starts/s, decision p50 ${p50} ms, p99 ${p99} ms, Redis ${cpuUs} µs of CPU a start`);
  const shares = [...engines.values()].map(({ used, places }) => (100 * used) / places);
  const mean = shares.reduce((total, share) => total + share, 0) / shares.length;
  const [average, least, most] = [mean, Math.min(...shares), Math.max(...shares)].map((share) => share.toFixed(1));
  console.log(`  ${live.length} live; engines loaded ${average} % on average, ${least} to ${most} %`);
}

/** Renewals are due every 2 s of simulated time; filling takes longer than a lease, so time goes on meanwhile. */
const BATCH = 2000;
await measured(`filling ${ENGINES} engines, 64 at once`, async () => {
  for (let started = 0; started < SESSIONS; started += BATCH) {
    await inParallel(BATCH, 64);
    clock.increment(500);
    await settled();
  }
});
await measured('with these, one at a time', async () => {
  await inParallel(5000, 1);
  clock.increment(2000);
  await settled();
});
for (let ended = 0; ended < 5000; ended += 1) endOne((ended * 0.618) % 1);
clock.increment(2000);
await settled();

const cpuBefore = await redisCpuMs();
await measured(`churn, ${CHURN_S} simulated seconds`, async () => {
  let due = 0;
  for (let at = 0; at < CHURN_S * 1000; at += STEP_MS) {
    due += (SESSIONS / SESSION_S) * (STEP_MS / 1000);
    const now = Math.floor(due);
    due -= now;
    for (let n = 0; n < now; n += 1) endOne((at * 0.618 + n * 0.414) % 1);
    await Promise.all(Array.from({ length: now }, (_, n) => start(at + n)));
    clock.increment(STEP_MS);
    await settled();
  }
});
const share = ((await redisCpuMs()) - cpuBefore) / (CHURN_S * 1000);
console.log(
  `  in real time this is ${(100 * share).toFixed(1)} % of a core of Redis, renewals of all engines included`,
);

await Promise.all([...engines.values()].map(({ lease }) => lease.close()));
redis.disconnect();
await server.stop();

/**
 * What one Redis carries of counted sessions: 20,000 live ones of 400 organizations are held by two processes' ledgers,
 * and more are started and ended. Needs `redis-server`. Prints starts a second, the time of one, and what Redis itself
 * spends: its CPU time is steadier than the rest on a busy machine.
 */
import pino from 'pino';
import { openRedis } from '../control/store/redis.ts';
import { SlotsInRedis } from '../control/placement/slots-in-redis.ts';
import { startPrivateRedis } from '../control/testing/private-redis.ts';
import type { TakenSlot } from '../control/placement/slot-ledger.ts';
import { systemTimers } from '../runtime/clock.ts';
import { quantile } from './lib/statistics.ts';

const LIVE = 20_000;
const ORGANIZATIONS = 400;
const LEDGERS = 2;

const log = pino({ level: 'silent' });
const server = await startPrivateRedis();
const nodes = await Promise.all(
  Array.from({ length: LEDGERS }, async (_, index) => {
    const redis = await openRedis(server.url, log);
    const ledger = new SlotsInRedis(redis, { timers: systemTimers, now: Date.now, log });
    return { redis, ledger, engine: `engine:${index}` };
  }),
);

const start = (n: number): Promise<TakenSlot> => {
  const { ledger, engine } = nodes[n % LEDGERS]!;
  const shares = [
    { key: engine, limit: LIVE },
    { key: `organization:${n % ORGANIZATIONS}`, limit: LIVE },
  ];
  return ledger.take(shares, null);
};
const redisCpuMs = async (): Promise<number> => {
  const info = await nodes[0]!.redis.info('cpu');
  const of = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)![1]);
  return 1000 * (of('used_cpu_user') + of('used_cpu_sys'));
};

/** Starts so many sessions, so many at the same time, and ends each at once unless it stays. */
async function round(count: number, atOnce: number, stay: boolean): Promise<string> {
  const took: number[] = [];
  const cpuBefore = await redisCpuMs();
  const began = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      const at = performance.now();
      const taken = await start(n);
      took.push(performance.now() - at);
      if (!taken.taken) throw new Error('a place was refused although there was one');
      if (!stay) taken.giveBack();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const seconds = (performance.now() - began) / 1000;
  const cpu = ((await redisCpuMs()) - cpuBefore) / count;
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(took, share).toFixed(2));
  return `${Math.round(count / seconds)} starts/s, p50 ${p50} ms, p99 ${p99} ms, Redis ${(1000 * cpu).toFixed(0)} µs of CPU each`;
}

console.log(`up to ${LIVE} live sessions, 64 at once: ${await round(LIVE, 64, true)}`);
const cpuBefore = await redisCpuMs();
await new Promise((resolve) => setTimeout(resolve, 10_000));
const renewing = ((await redisCpuMs()) - cpuBefore) / 10_000;
console.log(`renewing ${LIVE} live sessions: ${(100 * renewing).toFixed(1)} % of a core of Redis`);
console.log(`with these, one at a time: ${await round(5000, 1, false)}`);
console.log(`with these, 64 at once: ${await round(50_000, 64, false)}`);

for (const { ledger, redis } of nodes) {
  await ledger.close();
  redis.disconnect();
}
await server.stop();

/**
 * How long a call is interrupted when its engine is killed, when its whole machine is gone, and when it hands its sessions
 * over. Two engines and a node without one, on one Redis and one PostgreSQL; light clients without a browser. The engine
 * with the sessions is killed with SIGKILL (alone, or with its guard), or stopped. Times in ms: the longest time without a
 * packet of sound, and of picture. Needs `redis-server` and PostgreSQL.
 *
 *   node bench/failover.ts [--kills 20] [--losses 20] [--stops 20] [--users 2] [--browser public] [--browser parley] [--trace]
 *
 * `--browser` adds a call in Chromium, with the public client or Parley's own.
 * `--trace` also prints what the engines logged of each move, in ms since the last packet of sound before it.
 */
import { parseArgs } from 'node:util';
import { isReady } from '../e2e/support/is-ready.ts';
import { openNodes } from '../e2e/support/nodes.ts';
import type { ClientName } from '../e2e/support/sdk-page.ts';
import { type RunningService, runningServices } from '../e2e/support/service.ts';
import { engineNow } from '../runtime/clock.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';
import { type Gaps, watchBrowserCall, watchHeadlessCall, type WatchedCall } from './lib/watched-call.ts';

const { values: args } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    losses: { type: 'string', default: '20' },
    stops: { type: 'string', default: '20' },
    users: { type: 'string', default: '2' },
    browser: { type: 'string', multiple: true, default: [] },
    trace: { type: 'boolean', default: false },
  },
});
const SETTLE_MS = 2_000;
const BACK_WITHIN_MS = 30_000;
const TRACED_BEFORE_MS = 5_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const nodes = await openNodes();
const engines = new Map<string, RunningService>();
const calls: WatchedCall[] = [];

const sessionsOf = async ({ url }: RunningService): Promise<number> => {
  const answer = await fetch(`${url}/readyz`);
  return ((await answer.json()) as { activeSessions: number }).activeSessions;
};

/** How an engine ends. */
const END = {
  killed: (engine: RunningService) => engine.crash(),
  lost: (engine: RunningService) => engine.kill(),
  stopped: (engine: RunningService) => engine.stop(),
};
type End = keyof typeof END;

interface Logged extends Readonly<Record<string, unknown>> {
  readonly time: number | string;
  readonly msg: string;
}

/** What the engines have logged of a session, by the clock of its gap. */
function trace(sessionId: string, { sound, since, cameBackAt }: Gaps): void {
  const after = (time: number | string): number => Math.round(new Date(time).getTime() - since);
  console.error(`  gap ${Math.round(sound)}; offered at ${cameBackAt === null ? '–' : after(cameBackAt)}`);
  for (const [id, service] of engines)
    for (const line of service.output().split('\n')) {
      if (!line.includes(sessionId)) continue;
      const {
        time,
        msg,
        level: _level,
        pid: _pid,
        hostname: _host,
        sessionId: _id,
        ...more
      } = JSON.parse(line) as Logged;
      if (after(time) > -TRACED_BEFORE_MS)
        console.error(`  ${after(time)} ${id}: ${msg} ${JSON.stringify(more).slice(0, 200)}`);
    }
}

/**
 * Ends the engine with most sessions, and waits until all calls have sound and picture again. @returns the gaps of
 * those that moved.
 */
async function move(how: End): Promise<Gaps[]> {
  const counts = await Promise.all([...engines].map(async ([id, engine]) => [id, await sessionsOf(engine)] as const));
  const [id] = counts.toSorted(([, a], [, b]) => b - a)[0]!;
  await Promise.all(calls.map((call) => call.begin()));
  const begun = engineNow();
  const ended = engines.get(id)!;
  await END[how](ended);
  const until = engineNow() + BACK_WITHIN_MS;
  let gaps: Gaps[];
  do {
    await pause(SETTLE_MS);
    gaps = await Promise.all(calls.map((call) => call.gaps()));
  } while (!gaps.every(({ isBack }) => isBack) && engineNow() < until);
  if (args.trace) for (const [index, { sessionId }] of calls.entries()) trace(sessionId, gaps[index]!);
  const late = gaps.filter(({ isBack }) => !isBack).length;
  if (late > 0) console.error(`${late} of ${calls.length} calls did not come back`);
  // A guard does it by itself.
  if (how !== 'killed') engines.set(id, await nodes.start(id, { PARLEY_ROLE: 'engine' }));
  else while (!(await isReady(ended))) await pause(SETTLE_MS);
  return gaps.filter(({ cameBackAt }) => cameBackAt !== null && cameBackAt >= begun);
}

async function measure(): Promise<void> {
  for (const id of ['one', 'two']) engines.set(id, await nodes.start(id, { PARLEY_ROLE: 'engine' }));
  const front = await nodes.start('front', { PARLEY_ROLE: 'control' });
  for (let index = 0; index < Number(args.users); index += 1) calls.push(await watchHeadlessCall(front));
  for (const client of args.browser) calls.push(await watchBrowserCall(front, client as ClientName));
  const rows: (string | number)[][] = [];
  for (const [how, times] of [
    ['killed', Number(args.kills)],
    ['lost', Number(args.losses)],
    ['stopped', Number(args.stops)],
  ] as const) {
    if (times === 0) continue;
    const loop = watchEventLoop();
    const sound: number[] = [];
    const picture: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const moved = await move(how);
      sound.push(...moved.map((gap) => gap.sound));
      picture.push(...moved.map((gap) => gap.picture));
      console.error(
        `${how}: ${moved.map((gap) => `${Math.round(gap.sound)} / ${Math.round(gap.picture)}`).join(', ')}`,
      );
    }
    const delay = loop.stop();
    const spread = (values: readonly number[]) => [0.5, 0.95, 1].map((share) => quantile(values, share));
    rows.push([how, times, sound.length, ...spread(sound), ...spread(picture), delay.p99, delay.max]);
  }
  printTable(
    ['engine', 'times', 'calls', 'sound p50', 'p95', 'max', 'picture p50', 'p95', 'max', 'loop p99', 'max'],
    rows,
  );
}

try {
  await measure();
} finally {
  // Also when it failed.
  await Promise.all(calls.map((call) => call.close().catch(() => {})));
  await Promise.all([...runningServices].map((service) => service.kill()));
  await nodes.stop();
}
process.exit(0);

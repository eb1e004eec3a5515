/**
 * How long a call is interrupted when its engine is killed, and when it hands its sessions over. Two engines and a node
 * without one, on one Redis and one PostgreSQL; light clients without a browser, which speak all the time. The engine with
 * the sessions is killed with SIGKILL (or stopped), and started again. Times in ms, from that moment to the first packet of
 * sound and of picture on the new connection. Needs `redis-server` and PostgreSQL.
 *
 *   node bench/failover.ts [--kills 20] [--stops 20] [--users 2]
 */
import { parseArgs } from 'node:util';
import { openNodes } from '../e2e/support/nodes.ts';
import type { RunningService } from '../e2e/support/service.ts';
import { engineNow } from '../engine/clock.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { openLightConversation, type LightConversation } from './lib/light-conversation.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    stops: { type: 'string', default: '20' },
    users: { type: 'string', default: '2' },
  },
});
const SETTLE_MS = 2_000;
const BACK_WITHIN_MS = 30_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface User {
  readonly conversation: LightConversation;
  /** Engine time of its last packets. */
  readonly last: { sound: number; picture: number; gapSound: number; gapPicture: number };
}

const nodes = await openNodes();
const engines = new Map<string, RunningService>();
for (const id of ['one', 'two']) engines.set(id, await nodes.start(id, { PARLEY_ROLE: 'engine' }));
const front = await nodes.start('front', { PARLEY_ROLE: 'control' });
const users: User[] = [];
for (let index = 0; index < Number(args.users); index += 1) {
  const last = { sound: engineNow(), picture: engineNow(), gapSound: 0, gapPicture: 0 };
  const conversation = await openLightConversation(
    front,
    {},
    {
      onAudio({ arrivedAt }) {
        last.gapSound = Math.max(last.gapSound, arrivedAt - last.sound);
        last.sound = arrivedAt;
      },
      onVideo({ arrivedAt }) {
        last.gapPicture = Math.max(last.gapPicture, arrivedAt - last.picture);
        last.picture = arrivedAt;
      },
    },
  );
  users.push({ conversation, last });
}

const sessionsOf = async ({ url }: RunningService): Promise<number> => {
  const answer = await fetch(`${url}/readyz`);
  return ((await answer.json()) as { activeSessions: number }).activeSessions;
};

/** Ends the engine with most sessions, and waits until all users have sound and picture again. @returns their gaps. */
async function move(how: 'killed' | 'stopped'): Promise<{ sound: number[]; picture: number[] }> {
  const counts = await Promise.all([...engines].map(async ([id, engine]) => [id, await sessionsOf(engine)] as const));
  const [id] = counts.toSorted(([, a], [, b]) => b - a)[0]!;
  for (const { last } of users) Object.assign(last, { gapSound: 0, gapPicture: 0 });
  await (how === 'killed' ? engines.get(id)!.kill() : engines.get(id)!.stop());
  const until = engineNow() + BACK_WITHIN_MS;
  const isBack = ({ last }: User): boolean => engineNow() - last.sound < 100 && engineNow() - last.picture < 200;
  do await pause(SETTLE_MS);
  while (!users.every(isBack) && engineNow() < until);
  const late = users.filter((user) => !isBack(user)).length;
  if (late > 0) console.error(`${late} of ${users.length} calls did not come back`);
  const gaps = {
    sound: users.map(({ last }) => last.gapSound),
    picture: users.map(({ last }) => last.gapPicture),
  };
  engines.set(id, await nodes.start(id, { PARLEY_ROLE: 'engine' }));
  return gaps;
}

const rows: (string | number)[][] = [];
for (const [how, times] of [['killed', Number(args.kills)] as const, ['stopped', Number(args.stops)] as const]) {
  const loop = watchEventLoop();
  const sound: number[] = [];
  const picture: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const gaps = await move(how);
    // Users whose sessions were on the other engine noticed nothing.
    sound.push(...gaps.sound.filter((gap) => gap > 100));
    picture.push(...gaps.picture.filter((gap) => gap > 200));
    console.error(
      `${how}: sound ${gaps.sound.map(Math.round).join(', ')}; picture ${gaps.picture.map(Math.round).join(', ')}`,
    );
  }
  const delay = loop.stop();
  const spread = (values: readonly number[]) => [0.5, 0.95, 1].map((share) => quantile(values, share));
  rows.push([how, times, sound.length, ...spread(sound), ...spread(picture), delay.p99]);
}
printTable(['engine', 'times', 'calls', 'sound p50', 'p95', 'max', 'picture p50', 'p95', 'max', 'loop p99'], rows);
for (const { conversation } of users) conversation.close();
await Promise.all([...engines.values(), front].map((service) => service.stop()));
await nodes.stop();
process.exit(0);

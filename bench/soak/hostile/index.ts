import { setTimeout as pause } from 'node:timers/promises';
import { loadavg } from 'node:os';
import { engineNow } from '../../../runtime/clock.ts';
import { ArrivalLateness, type MediaKind } from '../../lib/arrival-lateness.ts';
import { converse, type Conversation } from '../../lib/conversation.ts';
import { processTree } from '../../lib/process-tree.ts';
import { startServiceProcess } from '../../lib/service-process.ts';
import { speakSentence } from '../../lib/spoken-sentence.ts';
import { median, quantile } from '../../lib/statistics.ts';
import { stealTimeLine, watchStealTime } from '../../lib/steal-time.ts';
import { printTable } from '../../lib/table.ts';
import type { Disturbance, Incident } from './disturbance.ts';
import { Curve, CURVE_HEADERS, type Questions } from './curve.ts';
import { startKills } from './kills.ts';
import { HARD, LIGHT } from './pace.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { startStrangers } from './start-strangers.ts';
import { watchService, type ServiceSample } from './watch-service.ts';

export interface HostileSoakOptions {
  readonly sessions: number;
  readonly minutes: number;
  /** Whether it is to leave the machine to others. */
  readonly light: boolean;
}

/** Time before the first disturbance, to know the usual values. */
const CALM_MS = 20_000;
/** How long the disk is full, in the middle of the run. Less in a short run. */
const FULL_MS = 60_000;
/**
 * Memory is checked from here on. In two hours, RSS rose for 25 minutes while the heap stayed at 100 to 140 MB, and by
 * 26 MB in the half hour after them (`bench/README.md`).
 */
const SETTLED_MS = 25 * 60_000;
/** Growth of the service's process from the first quarter after that to the last, and of open files. */
const MAX_GROWTH_MB = 60;
const MAX_NEW_FILES = 30;
/** How long after an incident a failure may be its effect. */
const EXPLAINS_MS = 15_000;
const EVERY_OTHER_SPEAKS = 2;

const ENVIRONMENT = { PARLEY_MAX_SESSIONS: '30', PARLEY_LOG_LEVEL: 'warn' };

/**
 * Conversations during everything that may happen to a machine or a service. @returns the limits that were exceeded.
 */
export async function soakHostile({ sessions, minutes, light }: HostileSoakOptions): Promise<string[]> {
  const pace = light ? LIGHT : HARD;
  const disk = mountSmallDisk();
  if (disk === null) console.error('Only root may mount a small disk: it will not be filled.');
  const service = await startServiceProcess(ENVIRONMENT, disk?.folder);
  const arrivals = { audio: new ArrivalLateness('audio'), video: new ArrivalLateness('video') };
  const sentence = speakSentence('What time is it in London today?');
  const incidents: Incident[] = [];
  // In any case, the service and the file system must end with this process.
  process.once('exit', () => leaveNothing(service.pid, disk));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  const died = whenGone(service.pid);
  let deathNote = '';
  try {
    const conversations: Conversation[] = [];
    for (let index = 0; index < sessions; index += 1) {
      conversations.push(
        await converse(service, {
          arrivals,
          restMs: pace.restMs,
          ...(pace.speaks && index % EVERY_OTHER_SPEAKS !== 0 && { spoken: sentence }),
        }),
      );
    }
    const host = watchStealTime();
    await pause(CALM_MS);
    const curve = new Curve(service.pid, () => countTurns(conversations));
    const watch = watchService(service, (sample) => curve.add(sample));
    const from = engineNow();
    const until = from + minutes * 60_000;
    const disturbances = [startStrangers(service, incidents, pace), startKills(service.pid, incidents, pace)];
    const ready = disk === null ? [] : await fullDiskInTheMiddle(service.url, disk, until, incidents, died);
    await Promise.race([
      pause(Math.max(0, until - engineNow())),
      died.then(() => (deathNote = service.output().slice(-1_000))),
    ]);
    await Promise.all(disturbances.map((disturbance) => disturbance.stop()));
    await Promise.all(conversations.map((conversation) => conversation.stop()));
    watch.stop();

    const machine = `load average ${loadavg()[0]?.toFixed(1)}. ${stealTimeLine(host.stop())}`;
    console.log(`${sessions} conversations for ${minutes} minutes, ${machine}`);
    printEvents(disturbances, ready);
    printLateness(arrivals, from, until);
    return [
      ...(deathNote === '' ? [] : [`The service ended: ${deathNote}`]),
      ...conversations.flatMap(({ ended }) => (ended() === null ? [] : [`A conversation was ended: ${ended()}`])),
      ...judgeTurns(conversations, incidents, pace.speaks),
      ...judgeMemory(watch.samples, curve),
    ];
  } finally {
    await service.stop();
  }
}

function printEvents(disturbances: readonly Disturbance[], ready: readonly string[]): void {
  printTable(
    ['what happened', 'times'],
    disturbances.flatMap(({ counts }) => [...counts]).toSorted(([a], [b]) => a.localeCompare(b)),
  );
  for (const line of ready) console.log(line);
}

function printLateness(arrivals: Readonly<Record<MediaKind, ArrivalLateness>>, from: number, until: number): void {
  printTable(
    ['late, ms', 'n', 'p50', 'p99', 'max', 'missed'],
    (['audio', 'video'] as const).map((kind) => {
      const { frames, p50, p99, max, missed } = arrivals[kind].between(from, until);
      return [`${kind} frames received`, frames, p50, p99, max, missed];
    }),
  );
}

function leaveNothing(pid: number, disk: SmallDisk | null): void {
  for (const { pid: running } of processTree(pid).toReversed()) process.kill(running, 'SIGKILL');
  disk?.remove();
}

/** @returns the answers of `/readyz` before, during and after the full disk. */
async function fullDiskInTheMiddle(
  url: string,
  disk: SmallDisk,
  until: number,
  incidents: Incident[],
  died: Promise<void>,
): Promise<string[]> {
  const said: string[] = [];
  const look = async (when: string): Promise<void> => {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    said.push(`/readyz ${when}: ${answer === null ? 'no answer' : `${answer.status} ${await answer.text()}`}`);
  };
  const left = until - engineNow();
  const fullMs = Math.min(FULL_MS, left / 3);
  await Promise.race([pause((left - fullMs) / 2), died]);
  await look('before the disk was full');
  disk.fill();
  incidents.push({ at: engineNow(), what: 'the disk was full' });
  await Promise.race([pause(fullMs), died]);
  await look(`after ${(fullMs / 1_000).toFixed(0)} s of a full disk`);
  disk.free();
  await Promise.race([pause(Math.min(EXPLAINS_MS, left / 6)), died]);
  await look('afterwards');
  return said;
}

function countTurns(conversations: readonly Conversation[]): Questions {
  const turns = conversations.flatMap((conversation) => conversation.turns);
  return { asked: turns.length, lost: turns.filter(({ answeredAt }) => answeredAt === null).length };
}

function judgeTurns(conversations: readonly Conversation[], incidents: readonly Incident[], speaks: boolean): string[] {
  const turns = conversations.flatMap((conversation, index) =>
    conversation.turns.map((turn) => ({
      ...turn,
      how: speaks && index % EVERY_OTHER_SPEAKS !== 0 ? 'spoken' : 'typed',
    })),
  );
  const lost = turns.filter(({ answeredAt }) => answeredAt === null);
  printTable(
    ['questions', 'asked', 'lost', 'answer p50, ms', 'p99', 'slowest'],
    (speaks ? ['typed', 'spoken'] : ['typed']).map((how) => {
      const asked = turns.filter((turn) => turn.how === how);
      const waits = asked.flatMap(({ askedAt, answeredAt }) => (answeredAt === null ? [] : [answeredAt - askedAt]));
      return [how, asked.length, asked.length - waits.length, median(waits), quantile(waits, 0.99), quantile(waits, 1)];
    }),
  );
  return lost.map(({ askedAt, how }) => {
    const before = incidents.filter(({ at }) => at > askedAt - EXPLAINS_MS && at < askedAt + EXPLAINS_MS);
    return `A ${how} question was not answered${before.map(({ at, what }) => `; ${what} ${((at - askedAt) / 1_000).toFixed(1)} s after it`).join('')}.`;
  });
}

function judgeMemory(samples: readonly ServiceSample[], curve: Curve): string[] {
  const began = samples[0]?.at ?? 0;
  printTable(CURVE_HEADERS, curve.rows);
  const settled = samples.filter(({ at }) => at - began > SETTLED_MS);
  const quarter = Math.floor(settled.length / 4);
  if (quarter === 0) {
    console.log(`Memory is judged in runs of more than ${SETTLED_MS / 60_000} minutes.`);
    return [];
  }
  const grown = (value: (sample: ServiceSample) => number): number =>
    median(settled.slice(-quarter).map(value)) - median(settled.slice(0, quarter).map(value));
  const [memory, files] = [grown(({ rssMb }) => rssMb), grown((sample) => sample.files)];
  console.log(
    `Growth after the first ${SETTLED_MS / 60_000} minutes: ${memory.toFixed(0)} MB (bound ${MAX_GROWTH_MB}), ${files.toFixed(0)} open files (bound ${MAX_NEW_FILES}).`,
  );
  return [
    ...(memory > MAX_GROWTH_MB ? ['The service grows.'] : []),
    ...(files > MAX_NEW_FILES ? ['Open files grow.'] : []),
  ];
}

async function whenGone(pid: number): Promise<void> {
  while (processTree(pid).length > 0) await pause(1_000, null, { ref: false });
}

/**
 * What a service takes of memory while nobody talks, and what each further conversation takes. The service is the real
 * one; the callers, who all talk and are recorded, and their speech recognition are stand-ins in other processes. A page
 * that processes share counts a part in each (PSS), so the sum is what the machine gives. Nothing is drawn ahead: faces at rest
 * have no loops, and each has an encoder all the time.
 *
 *   node bench/memory.ts [--engines 1] [--people 1,2,5,10,20 | none] [--seconds 15] [--rest 50] [--models DIR] [--parts]
 *
 * `--models`: a folder of neural models as `scripts/models.ts` fetches them, which then recognize and speak. `--parts`: of
 * what kind the memory of the service's largest process is, at each step.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryParts } from './lib/memory-parts.ts';
import { processTree, proportionalMb } from './lib/process-tree.ts';
import { startServiceProcess } from './lib/service-process.ts';
import { median, slope } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';
import { Crowd } from './many-cores/crowd.ts';
import { openStandInRecognizer } from './many-cores/stand-in-recognizer.ts';

const { values: args } = parseArgs({
  options: {
    engines: { type: 'string', default: '1' },
    people: { type: 'string', default: '1,2,5,10,20' },
    seconds: { type: 'string', default: '15' },
    rest: { type: 'string', default: '50' },
    models: { type: 'string' },
    parts: { type: 'boolean', default: false },
  },
});
/** By then all are connected and have had an answer, ms. */
const SETTLE_MS = 5_000;
/** Between two looks, ms. Collections make each differ by some MB, so the median of a step counts. */
const LOOK_EVERY_MS = 1_000;
/** Between two people who come, ms. */
const EVERY_MS = 200;
/** What all sessions share is there from the first one on: the slope begins with it. */
const people = args.people === 'none' ? [] : args.people.split(',').map(Number);

interface ProcessPart {
  readonly name: string;
  readonly mb: number;
}

function processesOf(pid: number): ProcessPart[] {
  return processTree(pid).map(({ pid: each, name }) => ({ name, mb: proportionalMb(each) }));
}

const sum = (parts: readonly ProcessPart[]): number => parts.reduce((total, { mb }) => total + mb, 0);

/** @returns in all, MB: the median of some looks. */
async function settledMb(pid: number): Promise<number> {
  await pause(SETTLE_MS);
  const looks: number[] = [];
  for (let look = 0; look < Number(args.seconds); look++) {
    looks.push(sum(processesOf(pid)));
    await pause(LOOK_EVERY_MS);
  }
  return median(looks);
}

function printProcesses(title: string, pid: number): void {
  const processes = processesOf(pid);
  console.log(`\n${title}: ${sum(processes).toFixed(0)} MB in all`);
  printTable(
    ['process', 'MB'],
    processes.toSorted((a, b) => b.mb - a.mb).map(({ name, mb }) => [name, mb]),
  );
  if (args.parts) printParts(pid);
}

function printParts(pid: number): void {
  const largest = processTree(pid).toSorted((a, b) => b.rssMb - a.rssMb)[0]!;
  printTable(['part of the largest', 'MB'], memoryParts(readFileSync(`/proc/${largest.pid}/smaps`, 'utf8')));
}

const recognizer = args.models === undefined ? await openStandInRecognizer('What time is it in London today?') : null;
const service = await startServiceProcess({
  PARLEY_ENGINES: args.engines,
  PARLEY_MAX_SESSIONS: '200',
  PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '100000',
  ...(args.models === undefined ? {} : { PARLEY_MODELS_DIR: args.models }),
  ...(recognizer === null ? {} : { PARLEY_STT_BASE_URL: recognizer.url, PARLEY_OFFLINE_FALLBACK: 'false' }),
});
const crowd = new Crowd(1);
const rows: { readonly sessions: number; readonly mb: number }[] = [];
try {
  await pause(Number(args.rest) * 1_000);
  printProcesses('Nobody talks', service.pid);
  let there = 0;
  for (const count of people) {
    const { taken, refusals } = await crowd.call(service, count - there, EVERY_MS);
    if (refusals.length > 0) throw new Error(refusals[0]);
    there += taken;
    rows.push({ sessions: there, mb: await settledMb(service.pid) });
    if (args.parts || count === people.at(-1)) printProcesses(`${there} talk`, service.pid);
  }
} finally {
  crowd.close();
  recognizer?.close();
  await service.stop();
}
if (rows.length > 0) {
  console.log('');
  printTable(
    ['sessions', 'MB'],
    rows.map(({ sessions, mb }) => [sessions, mb]),
  );
  const each = slope(rows.map(({ sessions, mb }) => [sessions, mb]));
  console.log(`Each further session: ${each.toFixed(1)} MB (least squares).`);
}
console.log(`Load average ${loadavg()[0]?.toFixed(1)}.`);
process.exit(0);

/**
 * How many people one machine carries, by the number of its engine processes, and what becomes of calls when one of these is
 * killed. The service is the real one with its offline voices, its rule-based LLM and recording; only speech recognition is
 * a stand-in, which answers at once. The callers run on the same machine, and all of them talk.
 *
 *   node bench/many-cores.ts [--processes 1,2,4,5,8] [--people 40,80,120] [--seconds 15] [--limit auto] [--kills 0]
 *     [--crowd 4] [--models DIR] [--json FILE]
 *
 * `--models`: a folder of neural models as `scripts/models.ts` fetches them, which then recognize and speak in place of the
 * stand-in and the offline voices.
 * More people come at each step, and those who are there stay. `--limit` is `PARLEY_MAX_SESSIONS`: with a number, more are
 * taken than Parley would take, which shows what is beyond. `--kills`: so often the process with most calls is killed then.
 * For a machine without anything, `bench/many-cores/pack.sh` puts all that is needed into two files.
 */
import { appendFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningService } from '../e2e/support/service.ts';
import { engineNow } from '../runtime/clock.ts';
import { processTree } from './lib/process-tree.ts';
import { startServiceProcess } from './lib/service-process.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';
import { Crowd } from './many-cores/crowd.ts';
import { killOne } from './many-cores/kill-one.ts';
import type { Heard } from './many-cores/messages.ts';
import { watchProcessorUse, type ProcessorUse } from './many-cores/processor-use.ts';
import { openStandInRecognizer } from './many-cores/stand-in-recognizer.ts';

const { values: args } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,2,4,5,8' },
    people: { type: 'string', default: '40,80,120' },
    seconds: { type: 'string', default: '15' },
    limit: { type: 'string', default: 'auto' },
    kills: { type: 'string', default: '0' },
    crowd: { type: 'string', default: '4' },
    models: { type: 'string' },
    json: { type: 'string' },
  },
});
const numbers = (text: string): number[] => text.split(',').map(Number);
const measuredMs = Number(args.seconds) * 1_000;
/** Between two people who come, ms. */
const EVERY_MS = 60;
/** By then all are connected and have had an answer, ms. */
const SETTLE_MS = 6_000;

/** What the machine did while so many talked. */
interface Step {
  readonly processes: number;
  readonly people: number;
  readonly taken: number;
  /** The first one's words. */
  readonly refusal: string;
  readonly use: ProcessorUse;
  readonly callers: ProcessorUse;
  readonly memoryMb: number;
  readonly heard: Heard;
}

async function measureStep(
  service: RunningService,
  crowd: Crowd,
  step: Pick<Step, 'processes' | 'people' | 'taken' | 'refusal'>,
): Promise<Step> {
  await pause(SETTLE_MS);
  const since = engineNow();
  const [used, called] = [watchProcessorUse([service.pid]), watchProcessorUse(crowd.pids)];
  await pause(measuredMs);
  const [use, callers] = [used(), called()];
  const heard = await crowd.heard(since);
  const memoryMb = processTree(service.pid).reduce((sum, { rssMb }) => sum + rssMb, 0);
  return { ...step, use, callers, memoryMb, heard };
}

function rowOf({ processes, people, taken, use, callers, memoryMb, heard }: Step): (string | number)[] {
  const { audio, video } = heard.frames;
  const answers = heard.answers.filter((ms) => ms !== null);
  return [
    processes,
    people,
    taken,
    answers.length,
    quantile(answers, 0.5),
    quantile(answers, 0.95),
    heard.answers.length - answers.length,
    quantile(video.late, 0.99),
    quantile(audio.late, 0.99),
    (100 * video.missed) / Math.max(1, video.missed + video.late.length),
    heard.dead,
    use.cores,
    callers.cores,
    use.waited,
    memoryMb,
  ];
}

const HEAD = [
  'processes',
  'come',
  'taken',
  'answers',
  'answer p50',
  'p95',
  'no answer',
  'frames p99',
  'sound p99',
  'frames missed %',
  'dead',
  'cores',
  'cores of callers',
  'waited s/s',
  'MB',
];

function note(line: object): void {
  console.error(JSON.stringify(line));
  if (args.json !== undefined) appendFileSync(args.json, `${JSON.stringify(line)}\n`);
}

/** One service with so many engine processes, from its start to its end. */
async function measureProcesses(processes: number, recognition: Readonly<Record<string, string>>): Promise<Step[]> {
  const service = await startServiceProcess({
    PARLEY_ENGINES: String(processes),
    PARLEY_MAX_SESSIONS: args.limit,
    ...recognition,
    PARLEY_DRAW_AHEAD: 'true',
    PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '100000',
    PARLEY_LOG_LEVEL: 'info',
  });
  const crowd = new Crowd(Number(args.crowd));
  const steps: Step[] = [];
  let [there, before] = [0, 0];
  try {
    for (const people of numbers(args.people)) {
      const { taken, refusals } = await crowd.call(service, people - before, EVERY_MS);
      [there, before] = [there + taken, people];
      const refusal = refusals[0] ?? '';
      const step = await measureStep(service, crowd, { processes, people, taken: there, refusal });
      steps.push(step);
      note({ ...Object.fromEntries(HEAD.map((name, index) => [name, rowOf(step)[index]])), refusal });
    }
    for (let kill = 0; kill < Number(args.kills); kill++) note({ processes, ...(await killOne(service, crowd)) });
    const problems = service
      .output()
      .split('\n')
      .filter((line) => /"level":[456]0/.test(line));
    note({ processes, warnings: problems.length, first: problems.slice(0, 3) });
  } finally {
    crowd.close();
    await service.kill();
  }
  return steps;
}

const recognizer = args.models === undefined ? await openStandInRecognizer('What time is it in London today?') : null;
const recognition: Readonly<Record<string, string>> =
  recognizer === null
    ? { PARLEY_MODELS_DIR: args.models! }
    : { PARLEY_STT_BASE_URL: recognizer.url, PARLEY_OFFLINE_FALLBACK: 'false' };
const steps: Step[] = [];
try {
  for (const processes of numbers(args.processes)) steps.push(...(await measureProcesses(processes, recognition)));
} finally {
  recognizer?.close();
}
console.log(
  `${availableParallelism()} cores (${cpus()[0]?.model}), ${args.seconds} s a step, limit ${args.limit}; times in ms:`,
);
printTable(HEAD, steps.map(rowOf));
// Personas that say nothing take half as much.
const silent = steps.filter(({ heard }) => heard.answers.every((ms) => ms === null));
for (const { processes, people } of silent)
  console.error(`${processes} processes, ${people} people: nobody was answered.`);
process.exit(silent.length > 0 ? 1 : 0);

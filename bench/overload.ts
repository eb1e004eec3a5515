/**
 * What happens when more people come than the machine carries. They come to the engine with its default limit, `auto`,
 * and all of them talk. The admitted ones must be served on time at every step, and the others must be refused. Then a
 * burner takes half of every core for a while. Engine, face and offline voice are real, over loopback WebRTC. The LLM is
 * a stand-in, and so is STT: `--recognizer offline` takes the one of a service without any account, on the same machine.
 * The clients run on the same machine, in this process. Exits with 1 if the promise is broken.
 *
 *   node bench/overload.ts [--steps 5,10,15,20,30,60] [--seconds 60] [--burner 30] [--beside 0.33] [--recognizer offline]
 *
 * `--beside`: another program takes this share of each core from the beginning to the end of the steps. Then no frame of an
 * admitted session may be missing, either; and after its end, more people must be admitted again.
 */
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { SERVICE_LEVEL } from '../engine/capacity/service-level.ts';
import { openBenchClient, type BenchClient } from './lib/bench-client.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { startBackgroundLoad } from './lib/background-load.ts';
import { speakSentence } from './lib/spoken-sentence.ts';
import { MAX_STEAL_SHARE, stealTimeLine, watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';
import type { Report } from './soak/messages.ts';
import { startEngineProcess, type EngineProcess } from './soak/start-engine.ts';

const { values: args } = parseArgs({
  options: {
    steps: { type: 'string', default: '5,10,15,20,30,60' },
    seconds: { type: 'string', default: '60' },
    burner: { type: 'string', default: '30' },
    beside: { type: 'string', default: '0' },
    recognizer: { type: 'string', default: 'stand-in' },
  },
});
if (args.recognizer !== 'stand-in' && args.recognizer !== 'offline')
  throw new Error(`--recognizer ${args.recognizer}: there are offline and stand-in.`);
const { recognizer } = args;
const steps = args.steps.split(',').map(Number);
const measuredMs = Number(args.seconds) * 1_000;
const burnMs = Number(args.burner) * 1_000;

/** Time between two people who come. */
const ARRIVE_EVERY_MS = 200;
/** By then all are connected and have had their first answer. */
const SETTLE_MS = 15_000;
/** Between two steps. After a step in which something was given up, it takes a while until nothing is any more. */
const REST_MS = { kept: 8_000, 'at risk': 45_000 };
/** Of each core. */
const BURNER_SHARE = 0.5;
const SENTENCE = 'What time is it in London today?';
const sentence = speakSentence(SENTENCE);

interface Step {
  readonly name: string;
  readonly offered: number;
  readonly taken: number;
  readonly answered: number;
  readonly report: Report;
}

/** A person who talks until the end. @returns the number of questions. */
async function converse(client: BenchClient, over: AbortSignal): Promise<void> {
  await client.ready;
  while (!over.aborted) {
    await pause(500 + Math.random() * 1_500);
    await client.say(sentence);
    await pause(4_000);
  }
}

async function offer(engine: EngineProcess, offered: number, name: string, burnFor = 0): Promise<Step> {
  const over = new AbortController();
  const sessionIds: string[] = [];
  const coming: Promise<BenchClient>[] = [];
  // Each connects as soon as it is taken. A session whose client does not come within 10 s is given up.
  for (let person = 0; person < offered; person++) {
    const opened = await engine.ask({ type: 'open', sessions: 1 }, 'opened');
    sessionIds.push(...opened.sessionIds);
    coming.push(...opened.sessionIds.map((id) => openBenchClient(engine.url, id)));
    await pause(ARRIVE_EVERY_MS);
  }
  const clients = await Promise.all(coming);
  const conversations = clients.map((client) => converse(client, over.signal));
  await pause(SETTLE_MS);
  engine.tell({ type: 'measure' });
  const burner = burnFor > 0 ? startBackgroundLoad(BURNER_SHARE) : null;
  await pause(burnFor > 0 ? burnFor : measuredMs);
  const { report } = await engine.ask({ type: 'report' }, 'report');
  burner?.stop();
  over.abort();
  await Promise.all(conversations);
  for (const client of clients) client.close();
  const { answers } = await engine.ask({ type: 'stop', sessionIds }, 'stopped');
  await pause(REST_MS[report.worst.promise]);
  const step = { name, offered, taken: sessionIds.length, answered: answers, report };
  const { video, audio } = report.frames;
  console.error(
    `${name}: ${step.taken} taken, ${answers} answers; frames late p99 ${video.p99.toFixed(1)} ms, sound ` +
      `${audio.p99.toFixed(1)} ms; ${video.missed + audio.missed} frames given up (${report.worst.shedding}).`,
  );
  return step;
}

function problems({ name, taken, answered, report }: Step, kind: 'step' | 'burner'): string[] {
  const { added, frames } = report;
  const beyond = (what: string, ms: number, bound: number): string[] =>
    ms > bound ? [`${name}: ${what} ${ms.toFixed(0)} ms (bound ${bound}).`] : [];
  if (answered < taken) return [`${name}: not every session was answered.`];
  // Under the burner, no call may end, and faces may give up frames.
  if (kind === 'burner') return [];
  return [
    ...beyond('answers late p95', added.p95, SERVICE_LEVEL.answerMs),
    ...beyond('frames late p99', frames.video.p99, SERVICE_LEVEL.frameMs),
    ...beyond('sound late p99', frames.audio.p99, SERVICE_LEVEL.soundMs),
  ];
}

/** A frame that never came is as bad as a late one. */
function missedFrames({ name, report: { frames } }: Step): string[] {
  const missed = frames.video.missed + frames.audio.missed;
  return missed > 0 ? [`${name}: ${missed} frames were given up.`] : [];
}

/** @param during the same offer beside another program. */
function placesBack(after: Step, steps: readonly Step[]): string[] {
  const during = Math.max(...steps.map((step) => step.taken));
  return after.taken > during ? [] : [`${after.name}: ${after.taken} taken, as beside it.`];
}

const most = Math.max(...steps);
const utterances = Math.ceil((steps.reduce((sum, each) => sum + each, 0) * (measuredMs + SETTLE_MS)) / 3_000) + 1_000;
const besideShare = Number(args.beside);
const beside = besideShare > 0 ? startBackgroundLoad(besideShare) : null;
const engine = await startEngineProcess(
  { sessions: most, utterances, sentence: SENTENCE, capacity: 'auto', recognizer },
  (how) => {
    console.error(`The engine's process ended: ${how}.`);
    process.exit(1);
  },
);
// In the first session of a look, its idle loops are encoded. On a new machine that takes minutes of one core.
const first = await engine.ask({ type: 'open', sessions: 1 }, 'opened');
await engine.ask({ type: 'prepare' }, 'prepared');
await engine.ask({ type: 'stop', sessionIds: first.sessionIds }, 'stopped');

const host = watchStealTime();
const loop = watchEventLoop();
const taken: Step[] = [];
for (const offered of steps) taken.push(await offer(engine, offered, `${offered} offered`));
const besideHad = beside?.stop() ?? 0;
// What takes the cores again and again counts for half a minute.
if (beside !== null) await pause(REST_MS['at risk']);
const after = beside === null ? null : await offer(engine, most, `${most} offered, nothing beside them any more`);
const burned =
  burnMs > 0 ? await offer(engine, 10, `10 offered, half of every core burns for ${args.burner} s`, burnMs) : null;
const clientsDelay = loop.stop();
const stolen = host.stop();

console.log(
  `${availableParallelism()} cores, ${args.seconds} s a step, load average ${loadavg()[0]?.toFixed(1)}; ms late:`,
);
printTable(
  ['', 'taken', 'answers', 'answer p50', 'answer p95', 'frames p99', 'sound p99', 'missed %', 'loop p99', 'given up'],
  [...taken, after, burned]
    .filter((step) => step !== null)
    .map(({ name, taken: admitted, answered, report }) => {
      const { added, frames, eventLoop, worst } = report;
      const all = frames.video.count + frames.audio.count;
      const missed = frames.video.missed + frames.audio.missed;
      return [
        name,
        admitted,
        answered,
        added.p50,
        added.p95,
        frames.video.p99,
        frames.audio.p99,
        (missed / Math.max(1, all + missed)) * 100,
        eventLoop.p99,
        worst.shedding,
      ];
    }),
);
console.log(`Event-loop delay of the clients: p99 ${clientsDelay.p99.toFixed(1)} ms.`);
if (beside !== null) console.log(`Another program had ${(besideHad * 100).toFixed(0)} % of each core.`);
console.log(stealTimeLine(stolen, 'lateness is not judged'));
const { warnings } = await engine.ask({ type: 'settle' }, 'settled');
for (const [text, times] of warnings) console.log(`The engine warned ${times} times: ${text}`);
await engine.close();
const found =
  stolen > MAX_STEAL_SHARE
    ? []
    : [
        ...taken.flatMap((step) => [...problems(step, 'step'), ...(beside === null ? [] : missedFrames(step))]),
        ...(after === null ? [] : [...problems(after, 'step'), ...placesBack(after, taken)]),
        ...(burned === null ? [] : problems(burned, 'burner')),
      ];
for (const problem of found) console.error(problem);
process.exit(found.length > 0 ? 1 : 0);

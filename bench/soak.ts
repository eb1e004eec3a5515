/**
 * Many sessions that talk in turns, then many that come and go. Checks that the service stays up, that frames are on
 * time, and that memory does not grow. Engine, face and offline voice are real, over loopback WebRTC. STT and LLM are
 * stand-ins. The engine has its own process, so that its memory and CPU are measured without the clients. Exits with 1
 * beyond a limit below, and says which.
 *
 *   node bench/soak.ts [--sessions 10] [--minutes 2] [--visits 400]
 *   node bench/soak.ts --hostile [--light] [--sessions 4] [--minutes 60]
 *
 * With `--hostile`, the whole service is tested. During the conversations, visitors come and go, each of its processes
 * is killed at some time, two clients flood it, and its disk is full for a minute. With `--light`, all of that is rarer:
 * two sessions take a fifth of a core, so that it can run for hours beside other work.
 */
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { openBenchClient, type BenchClient } from './lib/bench-client.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { speakSentence } from './lib/spoken-sentence.ts';
import { MAX_STEAL_SHARE, stealTimeLine, watchStealTime } from './lib/steal-time.ts';
import { printTable } from './lib/table.ts';
import { soakHostile } from './soak/hostile/index.ts';
import type { Report } from './soak/messages.ts';
import { startEngineProcess, type EngineProcess } from './soak/start-engine.ts';

const { values: args } = parseArgs({
  options: {
    hostile: { type: 'boolean', default: false },
    light: { type: 'boolean', default: false },
    sessions: { type: 'string' },
    minutes: { type: 'string' },
    visits: { type: 'string', default: '400' },
  },
});
const sessions = Number(args.sessions ?? (args.hostile ? 4 : 10));
const minutes = Number(args.minutes ?? (args.hostile ? 60 : 2));
const visits = Number(args.visits);

/**
 * Growth a minute. A conversation keeps its history and its report, some kilobytes. Below this, growth over two minutes
 * cannot be told from the noise of collectors and allocators.
 */
const HEAP_MB_PER_SESSION_MINUTE = 0.25;
const RSS_MB_PER_SESSION_MINUTE = 1.5;
/** Memory that remains after a short session. A leaked peer connection alone is 0.15 MB. */
const RSS_MB_PER_VISIT = 0.1;
/** In shorter runs, first use counts more than growth, so growth is printed but not checked. */
const JUDGED_SESSION_MINUTES = 20;
const JUDGED_VISITS = 200;
/** Share of frames that were left out because the machine was too busy. */
const MISSED_SHARE = 0.002;
/**
 * One frame in a hundred may be so late that the next one is due. Browsers buffer about as much, so this is not audible
 * or visible.
 */
const LATE_P99_MS = 40;
/** Longer steps hang. Idle loops on a new machine take a minute or two of CPU, at the lowest priority. */
const ANSWER_WITHIN_MS = 60_000;
const PREPARED_WITHIN_MS = 20 * 60_000;

/**
 * Warm-up, after which everything was used once: packet histories are full, code is compiled, and heaps have their
 * largest size (`runtime/heap-growth-limit.ts`: a round takes one to two minutes). It comes before the measured
 * minutes.
 */
const WARM_UP_MS = 180_000;
const SENTENCE = 'What time is it in London today?';
const sentence = speakSentence(SENTENCE);

function giveUp(why: string): never {
  console.error(why);
  process.exit(1);
}

async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = pause(ms, null, { signal: over.signal }).then(
    () => giveUp(`${what} took more than ${ms / 1_000} s.`),
    () => undefined,
  );
  const result = await Promise.race([promise, late]);
  over.abort();
  return result as T;
}

async function connect(url: string, sessionId: string): Promise<BenchClient> {
  const client = await openBenchClient(url, sessionId);
  await client.ready;
  return client;
}

/** A user who talks until the end. */
async function converse(url: string, sessionId: string, until: number): Promise<void> {
  const client = await within(ANSWER_WITHIN_MS, 'A connection', connect(url, sessionId));
  while (performance.now() < until) {
    await pause(500 + Math.random() * 1_500);
    await client.say(sentence);
    await pause(4_000);
  }
  client.close();
}

/** A visitor who connects, sees the face for a moment, says a word, and leaves. */
async function visit(engine: EngineProcess): Promise<void> {
  const { sessionIds } = await engine.ask({ type: 'open', sessions: 1 }, 'opened');
  const client = await within(ANSWER_WITHIN_MS, 'A connection', connect(engine.url, sessionIds[0] ?? ''));
  await Promise.race([client.say(sentence), pause(300)]);
  client.close();
  await engine.ask({ type: 'stop', sessionIds }, 'stopped');
}

async function talkAtOnce(engine: EngineProcess): Promise<string[]> {
  const { sessionIds } = await engine.ask({ type: 'open', sessions }, 'opened');
  const until = performance.now() + WARM_UP_MS + minutes * 60_000;
  const conversations = sessionIds.map((id) => converse(engine.url, id, until));
  await pause(WARM_UP_MS);
  engine.tell({ type: 'measure' });
  const loop = watchEventLoop();
  const host = watchStealTime();
  const cpu = process.cpuUsage();
  await pause(until - performance.now());
  const { user, system } = process.cpuUsage(cpu);
  const delay = loop.stop();
  const stolen = host.stop();
  const { report } = await engine.ask({ type: 'report' }, 'report');
  await Promise.all(conversations);
  const { answers } = await engine.ask({ type: 'stop', sessionIds }, 'stopped');

  const frames = Object.entries(report.frames);
  console.log(
    `${sessions} sessions, ${minutes} minutes, ${answers} answers with the warm-up, load average ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores; in ${report.seconds.toFixed(0)} s:`,
  );
  printTable(
    ['late, ms', 'n', 'p50', 'p95', 'p99', 'max', 'missed'],
    frames.map(([kind, { count, p50, p95, p99, max, missed }]) => [
      `${kind} frames sent`,
      count,
      p50,
      p95,
      p99,
      max,
      missed,
    ]),
  );
  console.log(
    `A drawn frame takes ${report.drawnFrameMs.toFixed(2)} ms; ${report.skipped} were left out; ${report.drawn} faces are drawn at the end, the others shown from loops.`,
  );
  console.log(
    `First audio of an answer after its first words: p50 ${report.firstAudio.p50.toFixed(0)}, p95 ${report.firstAudio.p95.toFixed(0)} ms.`,
  );
  printCpu(report, (user + system) / 1_000 / report.seconds, delay.p99);
  const judged = stolen <= MAX_STEAL_SHARE;
  console.log(stealTimeLine(stolen, 'lateness is not judged'));
  return [
    ...(answers < sessions ? ['Not every session was answered.'] : []),
    ...frames
      .filter(([, { missed, count }]) => judged && missed > count * MISSED_SHARE)
      .map(([kind]) => `Frames are missing: ${kind}. Bound: ${MISSED_SHARE * 100} %.`),
    ...frames
      .filter(([, { p99 }]) => judged && p99 > LATE_P99_MS)
      .map(([kind]) => `Frames are late: ${kind}. Bound of p99: ${LATE_P99_MS} ms.`),
    ...memoryGrowth(report),
  ];
}

function printCpu({ threads, seconds, eventLoop }: Report, clientsMsPerSecond: number, clientsDelay: number): void {
  const percent = (ms: number): string => (ms / seconds / 10).toFixed(1);
  const total = threads.reduce(
    (sum, { cpuMs, waitedMs }) => ({ cpuMs: sum.cpuMs + cpuMs, waitedMs: sum.waitedMs + waitedMs }),
    { cpuMs: 0, waitedMs: 0 },
  );
  const busy = threads.filter(({ cpuMs }) => cpuMs / seconds > 1);
  printTable(
    ['% of a core', 'used', 'a session', 'waited for'],
    [...busy, { name: 'engine, all', ...total }].map(({ name, cpuMs, waitedMs }) => [
      name,
      percent(cpuMs),
      percent(cpuMs / sessions),
      percent(waitedMs),
    ]),
  );
  console.log(
    `Clients: ${(clientsMsPerSecond / 10).toFixed(0)} % of a core, event-loop delay p99 ${clientsDelay.toFixed(1)} ms. Engine: event-loop delay p50 ${eventLoop.p50.toFixed(1)}, p99 ${eventLoop.p99.toFixed(1)}, max ${eventLoop.max.toFixed(0)} ms.`,
  );
}

function memoryGrowth({ samples, growth, seconds }: Report): string[] {
  const sessionMinutes = (sessions * seconds) / 60;
  const rss = growth.rssMb / sessionMinutes;
  const heap = growth.heapMb / sessionMinutes;
  const step = Math.max(1, Math.ceil(samples.length / 8));
  printTable(
    ['s', 'RSS MB', 'heap MB'],
    samples
      .filter((_, index) => index % step === 0)
      .map((sample) => [sample.seconds.toFixed(0), sample.rssMb.toFixed(0), sample.heapMb.toFixed(0)]),
  );
  console.log(
    `Growth per session-minute, after collections: RSS ${rss.toFixed(2)} MB (bound ${RSS_MB_PER_SESSION_MINUTE}), heap ${heap.toFixed(3)} MB (bound ${HEAP_MB_PER_SESSION_MINUTE}).`,
  );
  if (sessions * minutes < JUDGED_SESSION_MINUTES) return [];
  return [
    ...(heap > HEAP_MB_PER_SESSION_MINUTE ? ['The heap grows.'] : []),
    ...(rss > RSS_MB_PER_SESSION_MINUTE ? ['The process grows.'] : []),
  ];
}

async function comeAndGo(engine: EngineProcess): Promise<string[]> {
  const rows: [number, string, string][] = [];
  const measured: number[] = [];
  const part = Math.ceil(visits / 4);
  let left = 0;
  for (let done = 0; done < visits;) {
    for (const end = Math.min(visits, done + part); done < end; done += 1) await visit(engine);
    // Ended sessions are freed after their goodbye.
    await pause(1_000);
    const {
      memory: { rssMb, heapMb },
      live,
    } = await engine.ask({ type: 'settle' }, 'settled');
    rows.push([done, rssMb.toFixed(0), heapMb.toFixed(1)]);
    measured.push(rssMb);
    left = live;
  }
  // The first half is warm-up, because allocators keep memory.
  const growth = ((measured[3] ?? 0) - (measured[1] ?? 0)) / (visits / 2);
  console.log(`\n${visits} sessions one after the other, talked to for a moment:`);
  printTable(['sessions', 'RSS MB', 'heap MB'], rows);
  console.log(
    `Growth per session in the second half: RSS ${growth.toFixed(3)} MB (bound ${RSS_MB_PER_VISIT}). Still live: ${left}.`,
  );
  return [
    ...(visits >= JUDGED_VISITS && growth > RSS_MB_PER_VISIT ? ['Sessions leave memory behind.'] : []),
    ...(left > 0 ? ['Sessions did not end.'] : []),
  ];
}

async function soakEngine(): Promise<string[]> {
  const utterances = Math.ceil(sessions * (minutes + WARM_UP_MS / 60_000) * 20) + 2 * visits;
  const engine = await startEngineProcess({ sessions, utterances, sentence: SENTENCE }, (how) =>
    giveUp(`The engine's process ended: ${how}.`),
  );
  // In the first session of a look, its idle loops are encoded. On a new machine that takes minutes of one core.
  await visit(engine);
  const { seconds: preparing } = await within(
    PREPARED_WITHIN_MS,
    'The encoding of idle loops',
    engine.ask({ type: 'prepare' }, 'prepared'),
  );
  console.log(`Idle loops were there after ${preparing.toFixed(0)} s.`);
  const problems = [...(minutes > 0 ? await talkAtOnce(engine) : []), ...(visits > 0 ? await comeAndGo(engine) : [])];
  const { warnings } = await engine.ask({ type: 'settle' }, 'settled');
  await engine.close();
  return [...problems, ...warnings.map(([text, times]) => `The engine warned ${times} times: ${text}`)];
}

const problems = args.hostile ? await soakHostile({ sessions, minutes, light: args.light }) : await soakEngine();
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

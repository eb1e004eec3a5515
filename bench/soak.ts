/**
 * Many sessions at once, talking in turns, then many that come and go: does it stay up, on time and of one size? The
 * engine, the face and the offline voice are real, over loopback WebRTC; recognition and the mind are stand-ins. The engine
 * has a process of its own, so that its memory and its CPU are told from those of the clients.
 * Exits with 1 when a bound below is broken, and says which.
 *
 *   node bench/soak.ts [--sessions 10] [--minutes 2] [--visits 400]
 */
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { openBenchClient } from './lib/bench-client.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { speakSentence } from './lib/spoken-sentence.ts';
import { median } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';
import type { Report } from './soak/messages.ts';
import { startEngineProcess, type EngineProcess } from './soak/start-engine.ts';

const { values: args } = parseArgs({ options: { sessions: { type: 'string', default: '10' }, minutes: { type: 'string', default: '2' }, visits: { type: 'string', default: '400' } } });
const sessions = Number(args.sessions);
const minutes = Number(args.minutes);
const visits = Number(args.visits);

/**
 * A conversation may keep its history, its report and nothing else: some kilobytes a minute. Below these the noise of
 * collectors and allocators over two minutes cannot be told from growth.
 */
const HEAP_MB_PER_SESSION_MINUTE = 0.25;
const RSS_MB_PER_SESSION_MINUTE = 1.5;
/** What a session that came and went may leave. A leaked peer connection alone is 0.15 MB. */
const RSS_MB_PER_VISIT = 0.1;
/** Frames that the machine was too busy for, of all. */
const MISSED_SHARE = 0.002;

/** Share of the time after which everything was used once: caches are full, code is compiled, loops are drawn. */
const WARM_UP_SHARE = 0.25;
const SENTENCE = 'What time is it in London today?';
const sentence = speakSentence(SENTENCE);

/** One user who talks until the time is over. */
async function converse(url: string, sessionId: string, until: number): Promise<void> {
  const client = await openBenchClient(url, sessionId);
  await client.ready;
  while (performance.now() < until) {
    await pause(500 + Math.random() * 1_500);
    await client.say(sentence);
    await pause(4_000);
  }
  client.close();
}

/** Somebody who connects, sees the face for a moment, says a word and leaves. */
async function visit(engine: EngineProcess): Promise<void> {
  const { sessionIds } = await engine.ask({ type: 'open', sessions: 1 }, 'opened');
  const client = await openBenchClient(engine.url, sessionIds[0] ?? '');
  await client.ready;
  await Promise.race([client.say(sentence), pause(300)]);
  client.close();
  await engine.ask({ type: 'stop', sessionIds }, 'stopped');
}

async function talkAtOnce(engine: EngineProcess): Promise<string[]> {
  const { sessionIds } = await engine.ask({ type: 'open', sessions }, 'opened');
  const until = performance.now() + minutes * 60_000;
  const conversations = sessionIds.map((id) => converse(engine.url, id, until));
  await pause(minutes * 60_000 * WARM_UP_SHARE);
  engine.tell({ type: 'measure' });
  const loop = watchEventLoop();
  const cpu = process.cpuUsage();
  await pause(until - performance.now());
  const { user, system } = process.cpuUsage(cpu);
  const delay = loop.stop();
  const { report } = await engine.ask({ type: 'report' }, 'report');
  await Promise.all(conversations);
  const { answers } = await engine.ask({ type: 'stop', sessionIds }, 'stopped');

  const { audio, video } = report.frames;
  console.log(`${sessions} sessions, ${minutes} minutes, ${answers} answers; the last ${report.seconds.toFixed(0)} s:`);
  printTable(['late, ms', 'n', 'p50', 'p95', 'p99', 'max', 'missed'], Object.entries(report.frames).map(([kind, { count, p50, p95, p99, max, missed }]) => [`${kind} frames sent`, count, p50, p95, p99, max, missed]));
  console.log(`A drawn picture takes ${report.drawnFrameMs.toFixed(2)} ms; ${report.skipped} were left out; ${report.drawn} faces are drawn at the end, the others shown from loops.`);
  printCpu(report, (user + system) / 1_000 / report.seconds, delay.p99);
  return [
    ...(answers < sessions ? ['Not every session was answered.'] : []),
    ...[audio, video].filter(({ missed, count }) => missed > count * MISSED_SHARE).map((kind) => `Frames are missing: ${kind === audio ? 'audio' : 'video'}.`),
    ...memoryGrowth(report),
  ];
}

function printCpu({ threads, seconds, eventLoop }: Report, clientsMsPerSecond: number, clientsDelay: number): void {
  const percent = (ms: number): string => (ms / seconds / 10).toFixed(1);
  const total = threads.reduce((sum, { cpuMs, waitedMs }) => ({ cpuMs: sum.cpuMs + cpuMs, waitedMs: sum.waitedMs + waitedMs }), { cpuMs: 0, waitedMs: 0 });
  const busy = threads.filter(({ cpuMs }) => cpuMs / seconds > 1);
  printTable(['% of a core', 'used', 'a session', 'waited for'], [...busy, { name: 'engine, all', ...total }].map(({ name, cpuMs, waitedMs }) => [name, percent(cpuMs), percent(cpuMs / sessions), percent(waitedMs)]));
  console.log(`Clients: ${(clientsMsPerSecond / 10).toFixed(0)} % of a core, event-loop delay p99 ${clientsDelay.toFixed(1)} ms. Engine: event-loop delay p50 ${eventLoop.p50.toFixed(1)}, p99 ${eventLoop.p99.toFixed(1)}, max ${eventLoop.max.toFixed(0)} ms.`);
}

function memoryGrowth({ memory, heapGrowthMb, seconds }: Report): string[] {
  const sessionMinutes = (sessions * seconds) / 60;
  const part = Math.max(1, Math.floor(memory.length / 4));
  const rssMb = (samples: typeof memory): number => median(samples.map((sample) => sample.rssMb));
  // From the middle of the first quarter to the middle of the last one.
  const rss = (rssMb(memory.slice(-part)) - rssMb(memory.slice(0, part))) / (sessionMinutes * 0.75);
  const heap = heapGrowthMb / sessionMinutes;
  const step = Math.max(1, Math.ceil(memory.length / 8));
  printTable(['s', 'RSS MB', 'heap MB'], memory.filter((_, index) => index % step === 0).map((sample) => [sample.seconds.toFixed(0), sample.rssMb.toFixed(0), sample.heapMb.toFixed(0)]));
  console.log(`Growth per session-minute: RSS ${rss.toFixed(2)} MB (bound ${RSS_MB_PER_SESSION_MINUTE}), heap ${heap.toFixed(3)} MB (bound ${HEAP_MB_PER_SESSION_MINUTE}).`);
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
  for (let done = 0; done < visits; ) {
    for (const end = Math.min(visits, done + part); done < end; done += 1) await visit(engine);
    // Ended sessions are let go of after their goodbye.
    await pause(1_000);
    const { memory: { rssMb, heapMb }, live } = await engine.ask({ type: 'settle' }, 'settled');
    rows.push([done, rssMb.toFixed(0), heapMb.toFixed(1)]);
    measured.push(rssMb);
    left = live;
  }
  // The first half warms up: allocators keep what they had to have once.
  const growth = ((measured[3] ?? 0) - (measured[1] ?? 0)) / (visits / 2);
  console.log(`\n${visits} sessions one after the other, talked to for a moment:`);
  printTable(['sessions', 'RSS MB', 'heap MB'], rows);
  console.log(`Growth per session in the second half: RSS ${growth.toFixed(3)} MB (bound ${RSS_MB_PER_VISIT}). Still live: ${left}.`);
  return [...(growth > RSS_MB_PER_VISIT ? ['Sessions leave memory behind.'] : []), ...(left > 0 ? ['Sessions did not end.'] : [])];
}

function giveUp(why: string): never {
  console.error(why);
  process.exit(1);
}

const engine = await startEngineProcess({ sessions, utterances: Math.ceil(sessions * minutes * 20) + 2 * visits, sentence: SENTENCE }, (how) => giveUp(`The engine's process ended: ${how}.`));
// The first session of a look has its idle loops encoded, once for ever: on a new machine that takes minutes of one core.
await visit(engine);
const { seconds: preparing } = await engine.ask({ type: 'prepare' }, 'prepared');
console.log(`Idle loops were there after ${preparing.toFixed(0)} s.`);
const problems = [...(minutes > 0 ? await talkAtOnce(engine) : []), ...(visits > 0 ? await comeAndGo(engine) : [])];
await engine.close();
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

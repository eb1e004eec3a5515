/**
 * Many sessions at once, talking in turns, then many that come and go: does it stay up, on time and of one size? The
 * engine, the face and the offline voice are real, over loopback WebRTC; recognition and the mind are stand-ins.
 * Exits with 1 when memory grows beyond the bounds below or frames are missing.
 *
 *   node bench/soak.ts [--sessions 10] [--minutes 2] [--visits 400]
 */
import { parseArgs } from 'node:util';
import { createFakeLlm } from '../models/fakes/index.ts';
import { AVATAR_CACHE } from './lib/avatar-cache.ts';
import { openBenchClient } from './lib/bench-client.ts';
import { startBenchEngine, type BenchEngine } from './lib/bench-engine.ts';
import { benchSession } from './lib/bench-session.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { FrameLateness } from './lib/frame-lateness.ts';
import { memoryAfterCollection, memoryNow, type Memory } from './lib/memory.ts';
import { speakSentence, type SpokenSentence } from './lib/spoken-sentence.ts';
import { median, spread } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';

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
const SAMPLE_MS = 2_000;
const SENTENCE = 'What time is it in London today?';
const ANSWER = 'It is four in the afternoon in London. The sun is shining, and people are having tea.';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const voice = { voiceId: null, provider: 'LOCAL', providerVoiceId: 'slt', family: 'local', tuning: {} } as const;

/** One user who talks until the time is over. @returns how many answers were heard. */
async function converse(bench: BenchEngine, sentence: SpokenSentence, until: number): Promise<number> {
  const config = benchSession({ avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey }, voice });
  const llm = createFakeLlm({ answers: () => [{ type: 'text', text: ANSWER }], firstTokenMs: 100, tokenMs: 10 });
  await bench.engine.createSession(config, { llm, knowledge: { search: async () => [] } });
  const client = await openBenchClient(bench.url, config.sessionId);
  await client.ready;
  while (performance.now() < until) {
    await pause(500 + Math.random() * 1_500);
    await client.say(sentence);
    await pause(4_000);
  }
  client.close();
  bench.engine.stopSession(config.sessionId, 'stopped_by_api');
  return (bench.entries.get(config.sessionId) ?? []).filter((entry) => entry.kind === 'turn').length;
}

/** Somebody who connects, sees the face for a moment, says a word and leaves. */
async function visit(bench: BenchEngine, sentence: SpokenSentence): Promise<void> {
  const config = benchSession({ avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey }, voice });
  const llm = createFakeLlm({ answers: () => [{ type: 'text', text: ANSWER }] });
  await bench.engine.createSession(config, { llm, knowledge: { search: async () => [] } });
  const client = await openBenchClient(bench.url, config.sessionId);
  await client.ready;
  const said = client.say(sentence);
  await Promise.race([said, pause(300)]);
  client.close();
  bench.engine.stopSession(config.sessionId, 'stopped_by_api');
}

async function talkAtOnce(bench: BenchEngine, sentence: SpokenSentence, frames: FrameLateness): Promise<string[]> {
  const began = performance.now();
  const until = began + minutes * 60_000;
  const conversations = Array.from({ length: sessions }, () => converse(bench, sentence, until));
  await pause(minutes * 60_000 * WARM_UP_SHARE);
  const first = memoryAfterCollection();
  frames.restart();
  const loop = watchEventLoop();
  const cpu = process.cpuUsage();
  const measuredFrom = performance.now();
  const samples: (Memory & { readonly at: number })[] = [];
  while (performance.now() < until - SAMPLE_MS) {
    await pause(SAMPLE_MS);
    samples.push({ at: performance.now(), ...memoryNow() });
  }
  const delay = loop.stop();
  const { user, system } = process.cpuUsage(cpu);
  const measuredMs = performance.now() - measuredFrom;
  const stats = bench.videoStats();
  const kinds = (['video', 'audio'] as const).map((kind) => ({ kind, missed: frames.of(kind).missed, ...spread(frames.of(kind).late) }));
  // Not what this bench itself has written down.
  frames.restart();
  const last = memoryAfterCollection();
  const answers = (await Promise.all(conversations)).reduce((sum, count) => sum + count, 0);

  const sessionMinutes = (sessions * measuredMs) / 60_000;
  const part = Math.max(1, Math.floor(samples.length / 4));
  const rssGrowth = (median(samples.slice(-part).map(({ rssMb }) => rssMb)) - median(samples.slice(0, part).map(({ rssMb }) => rssMb))) / (sessionMinutes * 0.75);
  const heapGrowth = (last.heapMb - first.heapMb) / sessionMinutes;
  console.log(`${sessions} sessions, ${minutes} minutes, ${answers} answers; the last ${(measuredMs / 1_000).toFixed(0)} s:`);
  printTable(['late, ms', 'n', 'p50', 'p95', 'p99', 'missed'], kinds.map(({ kind, count, p50, p95, p99, missed }) => [`${kind} frames sent`, count, p50, p95, p99, missed]));
  for (const { sessions: shown, live, skipped, latenessP50Ms, latenessP99Ms, liveFrameMs } of stats) {
    console.log(`Video thread: ${shown} faces (${live} drawn), leaves p50 ${latenessP50Ms.toFixed(1)} / p99 ${latenessP99Ms.toFixed(1)} ms late, ${liveFrameMs.toFixed(2)} ms a drawn frame, ${skipped} skipped since its start.`);
  }
  const step = Math.max(1, Math.ceil(samples.length / 8));
  printTable(['s', 'RSS MB', 'heap MB'], samples.filter((_, index) => index % step === 0).map(({ at, rssMb, heapMb }) => [((at - began) / 1_000).toFixed(0), rssMb.toFixed(0), heapMb.toFixed(0)]));
  console.log(`Growth per session-minute: RSS ${rssGrowth.toFixed(2)} MB (bound ${RSS_MB_PER_SESSION_MINUTE}), heap ${heapGrowth.toFixed(3)} MB (bound ${HEAP_MB_PER_SESSION_MINUTE}).`);
  console.log(`CPU, clients included: ${((user + system) / 10 / measuredMs).toFixed(0)} % of a core. Event-loop delay p50 ${delay.p50.toFixed(1)}, p99 ${delay.p99.toFixed(1)}, max ${delay.max.toFixed(0)} ms.`);
  return [
    ...(answers < sessions ? ['Not every session was answered.'] : []),
    ...(heapGrowth > HEAP_MB_PER_SESSION_MINUTE ? ['The heap grows.'] : []),
    ...(rssGrowth > RSS_MB_PER_SESSION_MINUTE ? ['The process grows.'] : []),
    ...kinds.filter(({ missed, count }) => missed > count * MISSED_SHARE).map(({ kind }) => `Frames are missing: ${kind}.`),
  ];
}

async function comeAndGo(bench: BenchEngine, sentence: SpokenSentence): Promise<string[]> {
  const rows: [number, string, string][] = [];
  const measured: number[] = [];
  const part = Math.ceil(visits / 4);
  for (let done = 0; done < visits; ) {
    for (const end = Math.min(visits, done + part); done < end; done += 1) await visit(bench, sentence);
    // Ended sessions are let go of after their goodbye.
    await pause(1_000);
    const { rssMb, heapMb } = memoryAfterCollection();
    rows.push([done, rssMb.toFixed(0), heapMb.toFixed(1)]);
    measured.push(rssMb);
  }
  // The first half warms up: allocators keep what they had to have once.
  const growth = ((measured[3] ?? 0) - (measured[1] ?? 0)) / (visits / 2);
  console.log(`\n${visits} sessions one after the other, talked to for a moment:`);
  printTable(['sessions', 'RSS MB', 'heap MB'], rows);
  console.log(`Growth per session in the second half: RSS ${growth.toFixed(3)} MB (bound ${RSS_MB_PER_VISIT}). Still live: ${bench.engine.liveSessions()}.`);
  return [...(growth > RSS_MB_PER_VISIT ? ['Sessions leave memory behind.'] : []), ...(bench.engine.liveSessions() > 0 ? ['Sessions did not end.'] : [])];
}

const frames = new FrameLateness();
const bench = await startBenchEngine({
  recognizer: { provider: 'fake', utterances: Array.from({ length: Math.ceil(sessions * minutes * 20) + 2 * visits }, () => SENTENCE), finalMs: 50 },
  capacity: sessions + 10,
  synthesizer: {},
  avatarCache: AVATAR_CACHE,
  wrapTransport: (transport) => frames.watch(transport),
});
const sentence = speakSentence(SENTENCE);
const problems = [...(minutes > 0 ? await talkAtOnce(bench, sentence, frames) : []), ...(visits > 0 ? await comeAndGo(bench, sentence) : [])];
await bench.close();
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

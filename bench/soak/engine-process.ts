/** The process that is measured: the engine with its real voice and face. The clients are in the parent process. */
import { setTimeout as pause } from 'node:timers/promises';
import { createFakeLlm, fakeRecognizer } from '../../models/fakes/index.ts';
import { AVATAR_CACHE } from '../lib/avatar-cache.ts';
import { startBenchEngine } from '../lib/bench-engine.ts';
import { benchSession } from '../lib/bench-session.ts';
import { watchEventLoop } from '../lib/event-loop.ts';
import { FrameLateness } from '../lib/frame-lateness.ts';
import { memoryNow, settledMemory, type Memory } from '../lib/memory.ts';
import { spread } from '../lib/statistics.ts';
import { watchThreads } from '../lib/thread-use.ts';
import type { EngineSetup, FromEngineProcess, MemorySample, Report, ToEngineProcess } from './messages.ts';

const SAMPLE_MS = 2_000;
/**
 * Idle loops are encoded in the background, at low priority. That is over when the thread runs or waits to run for less
 * than this share of the time. Between two loops it reads a file.
 */
const PREPARING_SHARE = 0.02;
const QUIET_SAMPLES = 3;
/** About five seconds of speech. */
const ANSWER = 'It is four in the afternoon in London. The sun is shining, and people are having tea.';
const voice = { voiceId: null, provider: 'LOCAL', providerVoiceId: 'slt', family: 'local', tuning: {} } as const;

const setup = JSON.parse(process.argv[2] ?? '{}') as EngineSetup;
const send = (message: FromEngineProcess): void => void process.send?.(message);

const frames = new FrameLateness();
const warnings = new Map<string, number>();

function warned(line: string): void {
  const { msg, err } = JSON.parse(line) as { msg: string; err?: { message?: string } };
  const text = [msg, err?.message].filter(Boolean).join(' ');
  warnings.set(text, (warnings.get(text) ?? 0) + 1);
}

const bench = await startBenchEngine({
  recognizer: fakeRecognizer({
    utterances: Array.from({ length: setup.utterances }, () => setup.sentence),
    finalMs: 50,
  }),
  capacity: setup.sessions + 10,
  synthesizer: {},
  avatarCache: AVATAR_CACHE,
  wrapTransport: (transport) => frames.watch(transport),
  onWarning: warned,
});

/** @returns how long it took, s. */
async function prepared(): Promise<number> {
  const began = performance.now();
  for (let quiet = 0; quiet < QUIET_SAMPLES;) {
    const used = watchThreads();
    await pause(SAMPLE_MS);
    const avatars = used().find(({ name }) => name === 'avatars');
    quiet = avatars === undefined || avatars.cpuMs + avatars.waitedMs < SAMPLE_MS * PREPARING_SHARE ? quiet + 1 : 0;
  }
  return (performance.now() - began) / 1_000;
}

async function open(): Promise<string> {
  const config = benchSession({ avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey }, voice });
  const llm = createFakeLlm({ answers: () => [{ type: 'text', text: ANSWER }], firstTokenMs: 100, tokenMs: 10 });
  await bench.engine.createSession(config, { llm, knowledge: { search: async () => [] } });
  return config.sessionId;
}

const answersOf = (sessionId: string): number =>
  (bench.entries.get(sessionId) ?? []).filter((entry) => entry.kind === 'turn').length;

function stop(sessionIds: readonly string[]): number {
  for (const id of sessionIds) bench.engine.stopSession(id, 'stopped_by_api');
  return sessionIds.reduce((sum, id) => sum + answersOf(id), 0);
}

let began: { at: number; skipped: number; settled: Memory } = { at: 0, skipped: 0, settled: memoryNow() };
let used = watchThreads();
let loop = watchEventLoop();
let samples: MemorySample[] = [];
let sampling: NodeJS.Timeout | undefined;
/** From the first words of an answer to its first audio, ms, for all answers. */
const firstAudio = (): number[] =>
  [...bench.entries.values()].flat().flatMap((entry) => {
    if (entry.kind !== 'turn') return [];
    const { synthesisStartedAt, synthesisFirstAudioAt } = entry.turn;
    return synthesisStartedAt === null || synthesisFirstAudioAt === null
      ? []
      : [synthesisFirstAudioAt - synthesisStartedAt];
  });
const skipped = (): number => bench.videoStats().reduce((sum, stats) => sum + stats.skipped, 0);
const seconds = (): number => (performance.now() - began.at) / 1_000;

/** Starts to measure, after a collection that is not measured. */
async function measure(): Promise<void> {
  const settled = await settledMemory();
  began = { at: performance.now(), skipped: skipped(), settled };
  samples = [];
  clearInterval(sampling);
  sampling = setInterval(() => samples.push({ seconds: seconds(), ...memoryNow() }), SAMPLE_MS);
  frames.restart();
  loop.stop();
  loop = watchEventLoop();
  used = watchThreads();
}

async function report(): Promise<Report> {
  clearInterval(sampling);
  const stats = bench.videoStats();
  const measured = {
    seconds: seconds(),
    frames: { audio: frames.of('audio'), video: frames.of('video') },
    skipped: skipped() - began.skipped,
    drawn: stats.reduce((sum, { live }) => sum + live, 0),
    drawnFrameMs: Math.max(0, ...stats.map(({ liveFrameMs }) => liveFrameMs)),
    samples,
    threads: used(),
    eventLoop: loop.stop(),
    firstAudio: spread(firstAudio()),
  };
  const { rssMb, heapMb } = await settledMemory();
  return { ...measured, growth: { rssMb: rssMb - began.settled.rssMb, heapMb: heapMb - began.settled.heapMb } };
}

process.on('message', (message: ToEngineProcess) => {
  switch (message.type) {
    case 'prepare':
      return void prepared().then((seconds) => send({ type: 'prepared', seconds }));
    case 'open':
      return void Promise.all(Array.from({ length: message.sessions }, open)).then((sessionIds) =>
        send({ type: 'opened', sessionIds }),
      );
    case 'stop':
      return send({ type: 'stopped', answers: stop(message.sessionIds) });
    case 'measure':
      return void measure();
    case 'report':
      return void report().then((made) => send({ type: 'report', report: made }));
    case 'settle':
      return void settledMemory().then((memory) =>
        send({ type: 'settled', memory, live: bench.engine.liveSessions(), warnings: [...warnings] }),
      );
  }
});
// The workers end first: if the process exits while one of them is inside the media library, it aborts.
process.on('disconnect', () => void bench.close().then(() => process.exit(0)));
send({ type: 'ready', url: bench.url });

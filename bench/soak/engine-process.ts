/** The process that is measured: the engine with its real voice and face. The clients are in the parent process. */
import { setTimeout as pause } from 'node:timers/promises';
import { CapacityError } from '../../engine/ports.ts';
import { LOAD_SHEDDING } from '../../engine/face/index.ts';
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
const FIRST_TOKEN_MS = 100;
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
  recognizer:
    setup.recognizer === 'offline'
      ? { provider: 'pocketsphinx', options: {} }
      : fakeRecognizer({
          utterances: Array.from({ length: setup.utterances }, () => setup.sentence),
          finalMs: 50,
        }),
  capacity: setup.capacity ?? setup.sessions + 10,
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

/** @returns those that were taken. */
async function openAll(sessions: number): Promise<string[]> {
  const taken: string[] = [];
  for (let i = 0; i < sessions; i++) {
    try {
      taken.push(await open());
    } catch (error) {
      if (!(error instanceof CapacityError)) throw error;
    }
  }
  return taken;
}

async function open(): Promise<string> {
  const config = benchSession({ avatar: { avatarId: 'bench', model: 'cara-3', engineKey: bench.engineKey }, voice });
  const llm = createFakeLlm({
    answers: () => [{ type: 'text', text: ANSWER }],
    firstTokenMs: FIRST_TOKEN_MS,
    tokenMs: 10,
  });
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
let worst: Report['worst'] = { promise: 'kept', shedding: 'none' };
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
/** Entries of each session that came before the measurement. */
let measuredFrom: number[] = [];
/** What the server added to each answer since then. A preemptive request comes before the decision. */
const added = (): number[] =>
  [...bench.entries.values()]
    .flatMap((entries, index) => entries.slice(measuredFrom[index] ?? 0))
    .flatMap((entry) => {
      if (entry.kind !== 'turn') return [];
      const { endOfTurnAt, llmRequestedAt, llmFirstOutputAt, synthesisFirstAudioAt, speakingStartedAt } = entry.turn;
      if (endOfTurnAt === null || llmRequestedAt === null || llmFirstOutputAt === null) return [];
      if (synthesisFirstAudioAt === null || speakingStartedAt === null) return [];
      const late = (ms: number): number => Math.max(0, ms);
      return [
        late(llmRequestedAt - endOfTurnAt) +
          late(llmFirstOutputAt - llmRequestedAt - FIRST_TOKEN_MS) +
          late(speakingStartedAt - Math.max(endOfTurnAt, synthesisFirstAudioAt)),
      ];
    });

function sample(): void {
  samples.push({ seconds: seconds(), ...memoryNow() });
  const { promise, shedding } = bench.capacity.state(bench.engine.liveSessions());
  worst = {
    promise: promise === 'at risk' ? promise : worst.promise,
    shedding: LOAD_SHEDDING[Math.max(LOAD_SHEDDING.indexOf(shedding), LOAD_SHEDDING.indexOf(worst.shedding))]!,
  };
}

const skipped = (): number => bench.videoStats().reduce((sum, stats) => sum + stats.skipped, 0);
const seconds = (): number => (performance.now() - began.at) / 1_000;

/** Starts to measure, after a collection that is not measured. */
async function measure(): Promise<void> {
  const settled = await settledMemory();
  began = { at: performance.now(), skipped: skipped(), settled };
  samples = [];
  clearInterval(sampling);
  measuredFrom = [...bench.entries.values()].map(({ length }) => length);
  worst = { promise: 'kept', shedding: 'none' };
  sampling = setInterval(sample, SAMPLE_MS);
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
    added: spread(added()),
    worst,
  };
  const { rssMb, heapMb } = await settledMemory();
  return { ...measured, growth: { rssMb: rssMb - began.settled.rssMb, heapMb: heapMb - began.settled.heapMb } };
}

process.on('message', (message: ToEngineProcess) => {
  switch (message.type) {
    case 'prepare':
      return void prepared().then((seconds) => send({ type: 'prepared', seconds }));
    case 'open':
      return void openAll(message.sessions).then((sessionIds) =>
        send({ type: 'opened', sessionIds, state: bench.capacity.state(bench.engine.liveSessions()) }),
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

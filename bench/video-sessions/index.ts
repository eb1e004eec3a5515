/**
 * How many whole sessions one core can serve: Opus decoding, VAD, noise filter, a stand-in for TTS, mouth shapes,
 * drawing, encoding and sending over loopback WebRTC, with every frame sent within 20 ms (p99). The engine runs on one
 * core. The clients, and what is prepared once for an avatar, run on the others. The first step shows the cost of a
 * session. The next ones fill 70, 80 and 90 % of the core, until frames are late. The same core then measures the floor
 * (bench/cost-floor.ts), and the last column says how many times the floor a session costs.
 *
 *   node bench/video-sessions/index.ts [--seconds 4] [--steps 10,20,30] [--core 0] [--only 720x480,h264,speaking]
 *
 * Needs taskset. It takes about five minutes. The first run waits a minute longer, until idle loops are ready.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { opusPackets } from '../../engine/audio-in/testing/opus-packets.ts';
import { tripled, whiteNoise } from '../../models/testing/sounds.ts';
import { openBenchClient, type BenchClient } from '../lib/bench-client.ts';
import { costFloorOf, type CostFloor } from '../lib/cost-floor.ts';
import type { SpokenSentence } from '../lib/spoken-sentence.ts';
import { stealTimeLine, watchStealTime } from '../lib/steal-time.ts';
import { printTable } from '../lib/table.ts';
import { cpuOf, nextStep } from './next-step.ts';
import type { Codec, FromEngineProcess, ProcessSetup, Report, ToEngineProcess } from './messages.ts';

const { values: args } = parseArgs({
  options: {
    steps: { type: 'string', default: '' },
    seconds: { type: 'string', default: '4' },
    core: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
});
const steps = args.steps
  .split(',')
  .filter((word) => word !== '')
  .map(Number);
const measureMs = Number(args.seconds) * 1000;
const only = args.only.split(',').filter((word) => word !== '');
/** Ms. A frame is shown for 40 ms. */
const MAX_LATENESS = 20;
/** Share of frames. If more are left out, the sessions are not whole. */
const MAX_LEFT_OUT = 0.01;
const SIZES = [
  [720, 480],
  [1152, 768],
] as const;
const CODECS = ['h264', 'vp8'] as const satisfies readonly Codec[];
const MODES = ['speaking', 'idle'] as const;
const FIRST_STEP = { speaking: 4, idle: 16 } as const;
/** CPU time of other processes, ms a second of a core, above which they may be the cause of late frames. */
const FULL = 700;
/** Cores of this machine, without the measured one. */
const otherCores = Array.from({ length: availableParallelism() }, (_, core) => core).filter(
  (core) => core !== Number(args.core),
);
/** Kept between runs: an avatar and its idle loops take a minute. */
const avatarCache = join(tmpdir(), 'parley-bench-avatars');
/** By then all sessions speak, and the handshakes are over. */
const SETTLE_MS = 3_000;
/** A new process spends a third of its time on compiling. */
const WARM_UP_MS = 8_000;
/** Idle faces are drawn until a loop can begin: 5 s, or longer when loops are encoded for the first time. */
const LOOPS_WITHIN_MS = 240_000;
/** When a loop ends and the next one is not due, the face is drawn for a moment. So a few faces are always drawn. */
const MAX_DRAWN = 0.1;
/** The rate of a usual network, above what these faces need. */
const NETWORK_BITRATE = 5_000_000;
const NETWORK_REPORT_MS = 1_000;

/**
 * The level of a quiet room after a browser's own noise suppression: −66 dB. It is decoded, and the VAD runs. The noise
 * filter does not run, as in most of a conversation (bench/audio-in has its cost).
 */
const room: SpokenSentence = {
  packets: opusPackets(tripled(whiteNoise(16_000 * 10, 0.0008))),
  firstVoicedPacket: 0,
  voicedUntilMs: 0,
};

interface Engine {
  readonly child: ChildProcess;
  ask<T extends FromEngineProcess['type']>(
    message: ToEngineProcess | null,
    answer: T,
  ): Promise<Extract<FromEngineProcess, { type: T }>>;
}

function startEngine(setup: ProcessSetup): Engine {
  const script = fileURLToPath(new URL('engine-process.ts', import.meta.url));
  const child = spawn(
    'taskset',
    ['-c', args.core, process.execPath, '--disable-warning=ExperimentalWarning', script, JSON.stringify(setup)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  return {
    child,
    async ask(message, answer) {
      if (message !== null) child.send(message);
      for (;;) {
        const [received] = (await once(child, 'message')) as [FromEngineProcess];
        if (received.type === answer) return received as never;
      }
    },
  };
}

/** On the measured core, after its sessions: the speed of a shared core changes within minutes. */
function floorOn(core: string, size: string, codec: Codec): CostFloor {
  const script = fileURLToPath(new URL('../cost-floor.ts', import.meta.url));
  const printed = execFileSync(
    'taskset',
    ['-c', core, process.execPath, script, '--size', size, '--codec', codec, '--json'],
    { encoding: 'utf8' },
  );
  return (JSON.parse(printed) as { floor: CostFloor }[])[0]!.floor;
}

/** A microphone in a quiet room: the same ten seconds in a loop. */
async function listen(client: BenchClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await client.say(room);
}

/** Sends RTCP reports as a browser does. */
function report(client: BenchClient, signal: AbortSignal): void {
  const timer = setInterval(() => client.allowBitrate(NETWORK_BITRATE), NETWORK_REPORT_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

interface Held {
  readonly sessions: number;
  readonly report: Report;
}

/** @returns the clients that connected: not all if the core has no time for their handshakes. */
async function connect(
  url: string,
  sessionIds: readonly string[],
  codec: Codec,
  over: AbortSignal,
): Promise<BenchClient[]> {
  const clients: BenchClient[] = [];
  try {
    for (const id of sessionIds) {
      const client = await openBenchClient(url, id, { videoCodecs: [codec] });
      clients.push(client);
      void listen(client, over);
      report(client, over);
    }
  } catch (error) {
    console.error(
      `Session ${clients.length + 1} of this step did not connect: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return clients;
}

async function measure(engine: Engine, ms: number): Promise<Report> {
  engine.child.send({ type: 'measure' } satisfies ToEngineProcess);
  await sleep(ms);
  return (await engine.ask({ type: 'report' }, 'report')).report;
}

async function loopsShown(engine: Engine): Promise<void> {
  for (let waited = 0; waited < LOOPS_WITHIN_MS; waited += 1_000) {
    const { live, sessions } = await measure(engine, 1_000);
    if (live <= Math.max(1, sessions * MAX_DRAWN)) return;
  }
}

/** @returns the measurements of each step, also of the one that does not fit. */
async function addSessions(setup: ProcessSetup, codec: Codec, mode: (typeof MODES)[number]): Promise<Held[]> {
  const engine = startEngine(setup);
  const { url } = await engine.ask(null, 'ready');
  const clients: BenchClient[] = [];
  const over = new AbortController();
  const results: Held[] = [];
  const planned = (): number | null =>
    steps.length > 0 ? (steps[results.length] ?? null) : nextStep(FIRST_STEP[mode], results);
  for (let wanted = planned(); wanted !== null; wanted = planned()) {
    const { sessionIds } = await engine.ask(
      { type: 'open', sessions: wanted - clients.length, talkative: mode === 'speaking' },
      'opened',
    );
    const connected = await connect(url, sessionIds, codec, over.signal);
    clients.push(...connected);
    if (connected.length < sessionIds.length) break;
    await sleep(results.length === 0 ? WARM_UP_MS : SETTLE_MS);
    if (mode === 'idle') await loopsShown(engine);
    const step = { sessions: wanted, report: await measure(engine, measureMs) };
    results.push(step);
    console.error(
      `${setup.width}x${setup.height} ${codec} ${mode}: ${wanted} sessions, p99 ${step.report.latenessP99?.toFixed(1) ?? '–'} ms, ${(cpuOf(step.report) / 10).toFixed(0)} % CPU`,
    );
    // Frames are late although the core is not full: something else on this machine was the cause.
    if (!holds(step) && cpuOf(step.report) > FULL) break;
  }
  over.abort();
  for (const client of clients) client.close();
  engine.child.disconnect();
  await once(engine.child, 'exit');
  return results;
}

function holds({ report: { latenessP99, skipped, frames } }: Held): boolean {
  return latenessP99 !== null && latenessP99 <= MAX_LATENESS && skipped <= frames * MAX_LEFT_OUT;
}

const host = watchStealTime();
const summary: (string | number)[][] = [];
const rows: (string | number)[][] = [];
for (const [width, height] of SIZES) {
  for (const codec of CODECS) {
    for (const mode of MODES) {
      const words = [`${width}x${height}`, codec, mode];
      if (!only.every((word) => words.includes(word))) continue;
      const results = await addSessions({ width, height, avatarCache, otherCores }, codec, mode);
      for (const { sessions, report } of results) {
        const total = cpuOf(report);
        rows.push([
          words.join(' '),
          sessions,
          report.latenessP50 ?? '–',
          report.latenessP99 ?? '–',
          report.skipped,
          report.live,
          total / 10,
          Math.floor((sessions * 1000) / total),
          report.eventLoopP99,
        ]);
      }
      const held = results.findLast(holds);
      const shown = held ?? results[0];
      if (shown === undefined) continue;
      const { sessions, report } = shown;
      const each = report.threads
        .slice(0, 4)
        .map(([name, ms]) => `${name} ${(ms / 10 / sessions).toFixed(2)}`)
        .join(', ');
      const session = cpuOf(report) / sessions;
      const floor = costFloorOf(floorOn(args.core, `${width}x${height}`, codec), mode);
      summary.push([
        words.join(' '),
        held?.sessions ?? 0,
        Math.floor(1000 / session),
        session / 10,
        each,
        floor / 10,
        session / floor,
      ]);
    }
  }
}
console.log(
  `One core of ${availableParallelism()}, ${args.seconds} s a step, load average ${loadavg()[0]!.toFixed(1)}. "By CPU": sessions that fill the core.`,
);
printTable(
  ['', 'sessions', 'late p50, ms', 'late p99', 'left out', 'drawn', 'CPU %', 'by CPU', 'event-loop p99, ms'],
  rows,
);
console.log(
  `\nHeld: the most of these with p99 within ${MAX_LATENESS} ms and no more than ${MAX_LEFT_OUT * 100} % of the frames left out.`,
);
printTable(['', 'held', 'by CPU', 'CPU % a session', 'of which threads', 'floor, CPU %', '× floor'], summary);
console.log(stealTimeLine(host.stop()));
process.exit(0);

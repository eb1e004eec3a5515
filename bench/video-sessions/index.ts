/**
 * How many whole sessions one core holds: Opus decoding, voice activity, noise filter, a stand-in for the synthesiser,
 * mouth, drawing, encoding and sending over loopback WebRTC, with every picture on its way within 20 ms (p99). The engine is
 * pinned to one core; the clients run on the others. Sessions are added until they no longer fit.
 *
 *   node bench/video-sessions/index.ts [--steps 10,20,30,40] [--seconds 10] [--prepare 300] [--core 0] [--only 720x480,h264,speaking]
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { opusPackets } from '../../engine/hearing/testing/opus-packets.ts';
import { tripled, whiteNoise } from '../../models/testing/sounds.ts';
import { openBenchClient, type BenchClient } from '../lib/bench-client.ts';
import type { SpokenSentence } from '../lib/spoken-sentence.ts';
import { printTable } from '../lib/table.ts';
import type { Codec, FromEngineProcess, ProcessSetup, Report, ToEngineProcess } from './messages.ts';

const { values: args } = parseArgs({
  options: {
    steps: { type: 'string', default: '10,20,30,40,60,80,100' },
    seconds: { type: 'string', default: '10' },
    prepare: { type: 'string', default: '300' },
    core: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
  },
});
const steps = args.steps.split(',').map(Number);
const measureMs = Number(args.seconds) * 1000;
const preparedWithinMs = Number(args.prepare) * 1000;
const only = args.only.split(',').filter((word) => word !== '');
/** Ms; a picture is shown for 40. */
const MOST_LATENESS = 20;
const SIZES = [[720, 480], [1152, 768]] as const;
const CODECS = ['h264', 'vp8'] as const satisfies readonly Codec[];
const MODES = ['speaking', 'idle'] as const;
/** Kept between runs: idle loops take minutes to encode. */
const avatarCache = join(tmpdir(), 'parley-bench-avatars');
/** Idle loops are encoded in the background at first; that is over when their thread uses less than this, ms of CPU a second. */
const BUSY_PREPARING_MS = 20;

/**
 * What a browser's own noise suppression leaves of a quiet room: −66 dB. It is decoded and judged; the noise filter
 * sleeps, as it does for most of a conversation (bench/hearing has its price).
 */
const room: SpokenSentence = { packets: opusPackets(tripled(whiteNoise(16_000 * 10, 0.0008))), firstVoicedPacket: 0, voicedUntilMs: 0 };

interface Engine {
  readonly child: ChildProcess;
  ask<T extends FromEngineProcess['type']>(message: ToEngineProcess | null, answer: T): Promise<Extract<FromEngineProcess, { type: T }>>;
}

function startEngine(setup: ProcessSetup): Engine {
  const script = fileURLToPath(new URL('engine-process.ts', import.meta.url));
  const child = spawn('taskset', ['-c', args.core, process.execPath, '--disable-warning=ExperimentalWarning', script, JSON.stringify(setup)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
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

/** Keeps a microphone in a quiet room: the same ten seconds again and again. */
async function listen(client: BenchClient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await client.say(room);
}

interface Held {
  readonly sessions: number;
  readonly report: Report;
}

/** @returns what was measured at each step, the one that no longer fits included. */
async function addSessions(setup: ProcessSetup, codec: Codec, mode: (typeof MODES)[number]): Promise<Held[]> {
  const engine = startEngine(setup);
  const { url } = await engine.ask(null, 'ready');
  const clients: BenchClient[] = [];
  const over = new AbortController();
  const results: Held[] = [];
  for (const wanted of steps) {
    const { sessionIds } = await engine.ask({ type: 'open', sessions: wanted - clients.length, talkative: mode === 'speaking' }, 'opened');
    for (const id of sessionIds) {
      const client = await openBenchClient(url, id, { videoCodecs: [codec] });
      clients.push(client);
      void listen(client, over.signal);
    }
    await sleep(6_000);
    for (let waited = 0; waited < preparedWithinMs; waited += 2_000) {
      engine.child.send({ type: 'measure' } satisfies ToEngineProcess);
      await sleep(2_000);
      const { report } = await engine.ask({ type: 'report' }, 'report');
      const preparing = report.threads.find(([name]) => name === 'avatars')?.[1] ?? 0;
      // Loops are spliced in when a breath ends, so a few faces are always drawn.
      if (preparing < BUSY_PREPARING_MS && (mode === 'speaking' || report.live <= Math.max(1, report.sessions * 0.1))) break;
    }
    engine.child.send({ type: 'measure' } satisfies ToEngineProcess);
    await sleep(measureMs);
    const { report } = await engine.ask({ type: 'report' }, 'report');
    results.push({ sessions: wanted, report });
    if (report.latenessP99 > MOST_LATENESS) break;
  }
  over.abort();
  for (const client of clients) client.close();
  engine.child.disconnect();
  await once(engine.child, 'exit');
  return results;
}

const rows: (string | number)[][] = [];
for (const [width, height] of SIZES) {
  for (const codec of CODECS) {
    for (const mode of MODES) {
      const words = [`${width}x${height}`, codec, mode];
      if (!only.every((word) => words.includes(word))) continue;
      for (const { sessions, report } of await addSessions({ width, height, avatarCache }, codec, mode)) {
        const total = report.threads.reduce((sum, [, ms]) => sum + ms, 0);
        rows.push([words.join(' '), sessions, report.latenessP50, report.latenessP99, report.skipped, report.live, total / 10, Math.floor((sessions * 1000) / total), report.threads.slice(0, 4).map(([name, ms]) => `${name} ${(ms / 10).toFixed(0)}`).join(', '), report.eventLoopP99]);
      }
    }
  }
}
console.log(`One core of ${availableParallelism()}, ${args.seconds} s a step. "by CPU": sessions that fill the core.`);
printTable(['', 'sessions', 'late p50, ms', 'late p99', 'left out', 'drawn', 'CPU %', 'by CPU', 'threads, CPU %', 'event-loop p99, ms'], rows);
process.exit(0);

import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { engineNow } from '../runtime/clock.ts';
import { FRAME_SAMPLES, SAMPLE_RATE } from '../engine/media/audio-format.ts';
import { Downsampler } from '../engine/audio-in/decode/downsample.ts';
import { ENCODER_DELAY_MS } from '../engine/audio-in/receive/user-audio.ts';
import { createAudioIn, type RunningAudioIn } from '../engine/audio-in/index.ts';
import type { AudioInStream } from '../engine/ports.ts';
import { NoiseStage } from '../engine/audio-in/enhance/noise-stage.ts';
import { OpusDecoder } from '../engine/audio-in/decode/opus-decoder.ts';
import { toFloat } from '../engine/audio-in/vad/audio-level.ts';
import { opusPackets } from '../engine/audio-in/testing/opus-packets.ts';
import { VadLanes, runVad } from '../engine/audio-in/vad/vad-batch.ts';
import { loadGtcrn } from '../models/noise/gtcrn.ts';
import { loadRnnoise } from '../models/noise/rnnoise.ts';
import { concat, silence, spoken, tripled, whiteNoise } from '../models/testing/sounds.ts';
import { createSileroVad } from '../models/vad/silero.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { quantile } from './lib/statistics.ts';
import { printTable } from './lib/table.ts';
import { fakeRecognizer } from '../models/fakes/index.ts';

/**
 * What audio-in costs: each stage alone on one thread, and many sessions in real time through the worker.
 *
 *   node bench/audio-in.ts --sessions 20 --seconds 10 --gtcrn path/to/gtcrn_simple.onnx
 */

const { values: options } = parseArgs({
  options: {
    sessions: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '10' },
    gtcrn: { type: 'string' },
  },
});

/** Speech with a little noise, and pauses with noise alone. About half of the time is speech. */
function conversation(): Int16Array {
  const audio = concat(
    silence(16_000),
    spoken('I would like to book a table for two people tomorrow evening.'),
    silence(40_000),
    spoken('At seven, if that is possible.', 'rms'),
    silence(40_000),
  );
  const hiss = whiteNoise(audio.length, 0.004);
  return tripled(audio.map((sample, i) => sample + (hiss[i] as number)));
}

const audio = conversation();
const packets = opusPackets(audio);
const audioSeconds = (packets.length * FRAME_SAMPLES) / SAMPLE_RATE;

/** @returns CPU time of this thread for a second of one session's audio, ms. */
function cost(run: () => void, sessions = 1): number {
  run(); // warm
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / audioSeconds / sessions;
}

function decodeAll(): Float32Array[] {
  const decoder = new OpusDecoder();
  const decoded = packets.map((packet) => toFloat(decoder.decode(packet) ?? new Int16Array(FRAME_SAMPLES)));
  decoder.close();
  return decoded;
}

function downsampleAll(pieces: readonly Float32Array[]): Float32Array[] {
  const downsampler = new Downsampler();
  const narrow = pieces.map((piece) => downsampler.process(piece).slice());
  downsampler.close();
  return narrow;
}

function filterAll(stage: NoiseStage, pieces: readonly Float32Array[]): void {
  for (const piece of pieces) stage.process(piece, 0.8);
  stage.close();
}

function stages(): void {
  const wide = decodeAll();
  const narrow = downsampleAll(wide);
  const samples = Float32Array.from(narrow.flatMap((piece) => [...piece]));
  const windows = Array.from({ length: Math.floor(samples.length / 512) }, (_, i) =>
    samples.slice(i * 512, (i + 1) * 512),
  );
  const vad = createSileroVad();
  const run = (sessions: number, lanes: 'raw' | 'both') =>
    cost(() => {
      const memory = Array.from({ length: sessions }, () => new VadLanes());
      for (const raw of windows) {
        runVad(
          vad,
          memory.map((session) => ({
            lanes: session,
            window: {
              raw,
              filtered: lanes === 'both' ? raw : null,
              levelDb: 0,
              loudMs: 0,
              endsAt: 0,
              follows: 'previous',
            },
          })),
        );
      }
    }, sessions);
  const rnnoise = loadRnnoise();
  const gtcrn = options.gtcrn === undefined ? null : loadGtcrn(options.gtcrn);
  printTable(
    ['Stage', 'CPU ms per session-second'],
    [
      ['Opus decode', cost(decodeAll)],
      ['48 → 16 kHz', cost(() => downsampleAll(wide))],
      ['RNNoise', cost(() => filterAll(new NoiseStage(rnnoise.createFilter()), wide))],
      [
        'GTCRN',
        gtcrn === null ? '– (no file given)' : cost(() => filterAll(new NoiseStage(gtcrn.createFilter()), narrow)),
      ],
      ['voice activity, 1 session', run(1, 'raw')],
      ['voice activity, 1 session, raw and filtered', run(1, 'both')],
      ['voice activity, 8 sessions, raw and filtered', run(8, 'both')],
      ['voice activity, 32 sessions, raw and filtered', run(32, 'both')],
    ],
  );
  void vad.close();
}

async function live(sessions: number, seconds: number): Promise<void> {
  const audioIn = createAudioIn({ recognizers: [fakeRecognizer({ utterances: [] })], log: pino({ level: 'warn' }) });
  await audioIn.ready();
  const delays: number[] = [];
  let sendMs = 0;
  let sent = 0;
  const start = engineNow() + 100;
  const streams = Array.from({ length: sessions }, (_, session) => {
    const sentAt: number[] = [];
    // Sessions begin at different times within a packet and within the conversation, like independent callers.
    const from = start + (20 * session) / sessions;
    const stream = openStream(audioIn, session, { sentAt, delays });
    return { stream, from, sentAt, offset: session * 37 };
  });
  const loop = watchEventLoop();
  const cpu = process.cpuUsage();
  const mainCpu = process.threadCpuUsage();
  for (let now = engineNow(); now < start + seconds * 1_000; now = engineNow()) {
    for (const { stream, from, sentAt, offset } of streams) {
      while (from + 20 * sentAt.length <= now) {
        const index = sentAt.length;
        const arrivedAt = engineNow();
        sentAt.push(arrivedAt);
        stream.packet({
          payload: packets[(index + offset) % packets.length] as Uint8Array,
          sequence: index & 0xffff,
          timestamp: index * FRAME_SAMPLES,
          arrivedAt,
        });
        sendMs += engineNow() - arrivedAt;
        sent++;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const used = process.cpuUsage(cpu);
  const main = process.threadCpuUsage(mainCpu);
  const delay = loop.stop();
  await audioIn.close();
  printLive({ sessions, seconds }, { used, main, delay }, { sendMs, sent, delays });
}

/** @param times.sentAt when each of its packets was sent. @param times.delays gets how late each window came, ms. */
function openStream(
  audioIn: RunningAudioIn,
  session: number,
  { sentAt, delays }: { readonly sentAt: readonly number[]; readonly delays: number[] },
): AudioInStream {
  return audioIn.open({
    sessionId: `bench-${session}`,
    language: 'en',
    enhancementLevel: 0.8,
    handlers: {
      report(event) {
        if (event.type === 'stt.failed') process.stderr.write(`${event.message}\n`);
        if (event.type !== 'vad.window') return;
        const at = sentAt[Math.ceil((event.endsAt + ENCODER_DELAY_MS - (sentAt[0] ?? 0)) / 20 - 1e-3)];
        if (at !== undefined && event.levelDb > -100) delays.push(engineNow() - at);
      },
    },
  });
}

function printLive(
  { sessions, seconds }: { readonly sessions: number; readonly seconds: number },
  {
    used,
    main,
    delay,
  }: {
    readonly used: NodeJS.CpuUsage;
    readonly main: NodeJS.CpuUsage;
    readonly delay: { readonly p50: number; readonly p99: number };
  },
  { sendMs, sent, delays }: { readonly sendMs: number; readonly sent: number; readonly delays: readonly number[] },
): void {
  const sessionSeconds = sessions * seconds;
  printTable(
    [`${sessions} sessions, ${seconds} s, real time`, ''],
    [
      ['CPU of the process, ms per session-second', (used.user + used.system) / 1_000 / sessionSeconds],
      ['of it on the main thread, this bench included', (main.user + main.system) / 1_000 / sessionSeconds],
      ['main thread per packet, ms', sendMs / sent],
      ['packet in → window out, p50 ms', quantile(delays, 0.5)],
      ['p95', quantile(delays, 0.95)],
      ['p99', quantile(delays, 0.99)],
      ['event-loop delay p50 / p99, ms', `${delay.p50.toFixed(2)} / ${delay.p99.toFixed(2)}`],
    ],
  );
}

stages();
console.log();
await live(Number(options.sessions), Number(options.seconds));
process.exit(0);

/**
 * Whether the memory of a long recording stays constant, and its file is whole. Records sessions of an hour as fast as
 * possible: a drawn face and both voices through the recorder and its thread, with the times of a real session. At the
 * same time, a short session begins every ten seconds. Exits with 1 when memory grows beyond the limit, or the file is
 * not an hour of video and audio.
 *
 *   node bench/recording-hour.ts [--minutes 60] [--codec h264]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { engineNow } from '../runtime/clock.ts';
import { FaceAnimator } from '../engine/face/animation/animator.ts';
import { timedShapes } from '../engine/face/animation/mouth-blend.ts';
import { createIllustratedSource } from '../engine/face/avatars/illustrated-source.ts';
import { bitrateCeiling, type EncodedFrame } from '../engine/face/encode/video-encoder.ts';
import { FRAME_MS } from '../engine/face/frame-rate.ts';
import { drawAvatar } from '../engine/face/prepare/draw-avatar.ts';
import { PatchRenderer } from '../engine/face/rendering/patch-renderer.ts';
import { createSessionRenderer } from '../engine/face/worker/session-renderer.ts';
import { VISEMES } from '../engine/ports.ts';
import { createRecording, type RecordedFile, type RecordingStream } from '../engine/recording/index.ts';
import { Resampler } from '../engine/audio-out/tts/resampler.ts';
import { watchEventLoop } from './lib/event-loop.ts';
import { memoryAfterCollection, type Memory } from './lib/memory.ts';
import { spokenPcm } from './lib/spoken-pcm.ts';
import { printTable } from './lib/table.ts';

const { values: args } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, codec: { type: 'string', default: 'h264' } },
});
const minutes = Number(args.minutes);
const codec = args.codec === 'vp8' ? 'vp8' : 'h264';
const [WIDTH, HEIGHT] = [720, 480];

const PACKET_MS = 20;
const PACKET_SAMPLES = PACKET_MS * 48;
const KEYFRAME_FRAMES = 5_000 / FRAME_MS;
const MINUTE_FRAMES = 60_000 / FRAME_MS;
/** Share of each minute in which the persona speaks. */
const SPEAKING = { fromMs: 15_000, toMs: 35_000 };
/** Time between short recordings. When one ends, the recorder has processed everything before it. */
const VISIT_MS = 10_000;
const SAMPLE_MINUTES = 5;
/** By then everything was used once: code is compiled, and allocators have their memory. */
const WARM_UP_MINUTES = 10;
/**
 * Largest growth from then to the end, with the short recordings. Below this, growth cannot be told from the noise of
 * allocators.
 */
const RSS_GROWTH_MB = 5;

/** One minute of a face. It begins with a keyframe, so that minutes can be joined. */
async function drawMinute(): Promise<EncodedFrame[]> {
  const avatar = drawAvatar(await createIllustratedSource().open('stock-elena', WIDTH, HEIGHT));
  const sessionRenderer = createSessionRenderer(
    new PatchRenderer(avatar),
    { codec, width: WIDTH, height: HEIGHT, bitsPerSecond: bitrateCeiling(WIDTH, HEIGHT), effort: 'live' },
    null,
  );
  const animator = new FaceAnimator({ seed: 1, startsAt: 0, mood: 'idle', tag: null, expressivity: 0.6 });
  const shapes = timedShapes({
    segmentId: 'bench',
    startsAt: SPEAKING.fromMs,
    shapes: Array.from({ length: 200 }, (_, i) => ({
      shape: VISEMES[(i * 7) % VISEMES.length]!,
      startMs: i * 100,
      endMs: (i + 1) * 100,
      weight: 1,
    })),
  });
  const frames: EncodedFrame[] = [];
  for (let frame = 0; frame < MINUTE_FRAMES; frame++) {
    const at = frame * FRAME_MS;
    animator.show(at >= SPEAKING.fromMs && at < SPEAKING.toMs ? 'speaking' : 'idle', null);
    const { data, keyframe } = sessionRenderer.show(animator.step(at, shapes), at, frame % KEYFRAME_FRAMES === 0);
    frames.push({ data: Uint8Array.from(data), keyframe });
    if (frame % 50 === 0) await nextTurn();
  }
  sessionRenderer.close();
  return frames;
}

/** A voice in packets of 20 ms. */
function voicePackets(text: string, voice: string): Int16Array[] {
  const { samples, rate } = spokenPcm(text, voice);
  const pcm = new Resampler(rate).convert(samples);
  return Array.from({ length: Math.floor(pcm.length / PACKET_SAMPLES) }, (_, i) =>
    pcm.slice(i * PACKET_SAMPLES, (i + 1) * PACKET_SAMPLES),
  );
}

const framesOfMinute = await drawMinute();
const persona = voicePackets(
  'Good afternoon. The harbor is open until six, and the last boat leaves at half past five.',
  'slt',
);
const user = voicePackets('Could you tell me when the last boat leaves, please?', 'awb');
const silence = new Int16Array(PACKET_SAMPLES);

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const recorder = createRecording({ folder, log: pino({ level: 'error' }) });
const failures: string[] = [];
function record(sessionId: string): { stream: RecordingStream; finished: Promise<RecordedFile> } {
  const finished = Promise.withResolvers<RecordedFile>();
  const stream = recorder.open({
    sessionId,
    width: WIDTH,
    height: HEIGHT,
    handlers: { finished: finished.resolve, failed: (message) => finished.reject(new Error(message)) },
  });
  return { stream, finished: finished.promise };
}

const START = 1_790_000_000_000;
/** A user who is connected for a moment. */
async function visit(at: number): Promise<void> {
  const { stream, finished } = record('visit');
  for (const [frame, videoFrame] of framesOfMinute.slice(0, 5).entries())
    stream.frame({ ...videoFrame, at: at + frame * FRAME_MS }, codec);
  for (const [packet, pcm] of user.slice(0, 10).entries()) stream.audio('user', pcm.slice(), at + packet * PACKET_MS);
  stream.close();
  const { path } = await finished;
  rmSync(path);
}

const { stream, finished } = record('hour');
const frames = minutes * MINUTE_FRAMES;
const samples: (Memory & { readonly minute: number })[] = [];
const loop = watchEventLoop();
const beganAt = engineNow();
for (let frame = 0; frame < frames; frame++) {
  const elapsed = frame * FRAME_MS;
  const at = START + elapsed;
  const inMinute = elapsed % 60_000;
  stream.frame({ ...framesOfMinute[frame % MINUTE_FRAMES]!, at }, codec);
  for (const half of [0, PACKET_MS]) {
    const spoken = Math.floor((inMinute + half - SPEAKING.fromMs) / PACKET_MS);
    // The persona's silence is not recorded. The microphone never stops, and its packets arrive irregularly.
    if (spoken >= 0 && inMinute < SPEAKING.toMs)
      stream.audio('persona', persona[spoken % persona.length]!.slice(), at + half);
    const asked = Math.floor((inMinute + half) / PACKET_MS);
    stream.audio('user', (user[asked] ?? silence).slice(), at + half + ((frame * 7) % 11));
  }
  if (elapsed % VISIT_MS === 0) await visit(at);
  if (elapsed % (SAMPLE_MINUTES * 60_000) === 0) samples.push({ minute: elapsed / 60_000, ...memoryAfterCollection() });
}
await visit(START + frames * FRAME_MS);
samples.push({ minute: minutes, ...memoryAfterCollection() });
const tookMs = engineNow() - beganAt;
const delay = loop.stop();
stream.close();
const { path, durationMs, bytes } = await finished;

interface ProbedStream {
  readonly codec_type: string;
  readonly codec_name: string;
  readonly duration: string;
  readonly nb_read_packets: string;
}
const probed = JSON.parse(
  execFileSync('ffprobe', [
    '-v',
    'error',
    '-count_packets',
    '-show_entries',
    'stream=codec_type,codec_name,duration,nb_read_packets:format=duration',
    '-of',
    'json',
    path,
  ]).toString(),
) as { streams: ProbedStream[]; format: { duration: string } };
/** The last seconds must have video and audio, too. */
const ending = execFileSync('ffmpeg', ['-v', 'error', '-sseof', '-10', '-i', path, '-f', 'null', '-'], {
  stdio: ['ignore', 'pipe', 'pipe'],
}).toString();
await recorder.close();
rmSync(folder, { recursive: true, force: true });

console.log(
  `${minutes} minutes of ${codec} at ${WIDTH}×${HEIGHT} with two voices, recorded in ${(tookMs / 1_000).toFixed(0)} s (${((minutes * 60_000) / tookMs).toFixed(0)} × real time), ${Math.floor((minutes * 60_000) / VISIT_MS) + 1} short recordings beside it. Event-loop delay p99 ${delay.p99.toFixed(0)} ms.`,
);
printTable(
  ['minute', 'RSS MB', 'heap MB'],
  samples.map(({ minute, rssMb, heapMb }) => [minute, rssMb.toFixed(1), heapMb.toFixed(1)]),
);
printTable(
  ['stream', 'codec', 'seconds', 'packets'],
  probed.streams.map((s) => [s.codec_type, s.codec_name, s.duration, s.nb_read_packets]),
);
console.log(
  `File: ${(bytes / 1e6).toFixed(0)} MB, ${probed.format.duration} s by its index, ${durationMs / 1_000} s by the recorder.`,
);

const warm = samples.find(({ minute }) => minute >= Math.min(WARM_UP_MINUTES, minutes / 2));
const growth = (samples.at(-1)?.rssMb ?? Number.NaN) - (warm?.rssMb ?? Number.NaN);
console.log(`Growth after minute ${warm?.minute}: ${growth.toFixed(1)} MB (bound ${RSS_GROWTH_MB}).`);
const SECONDS_OFF = 0.1;
for (const kind of ['video', 'audio']) {
  const seconds = Number(probed.streams.find((s) => s.codec_type === kind)?.duration ?? Number.NaN);
  if (!(Math.abs(seconds - minutes * 60) <= SECONDS_OFF))
    failures.push(`The ${kind} lasts ${seconds} s and not ${minutes * 60}.`);
}
if (probed.streams.find((s) => s.codec_type === 'video')?.nb_read_packets !== String(frames))
  failures.push('Frames are missing.');
if (ending !== '') failures.push(`The end cannot be decoded: ${ending}`);
if (!(growth <= RSS_GROWTH_MB)) failures.push('The process grows.');
for (const failure of failures) console.log(failure);
process.exit(failures.length === 0 ? 0 : 1);

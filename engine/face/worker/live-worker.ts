import { parentPort, workerData } from 'node:worker_threads';
import { engineNow, systemTimers } from '../../../runtime/clock.ts';
import { releaseMemoryWhenIdle, THREAD_MEMORY } from '../../../runtime/idle-memory.ts';
import { drawLabel } from '../rendering/disclosure.ts';
import type { Label } from '../rendering/disclosure.ts';
import { PatchRenderer } from '../rendering/patch-renderer.ts';
import { unpackAvatar } from '../rendering/prepared-file.ts';
import { bytesOf } from '../rendering/prepared-memory.ts';
import { loopKey, unpackLoop } from '../prepare/idle-loop.ts';
import type { IdleLoop } from '../prepare/idle-loop.ts';
import type { PackedLoop } from '../prepare/loop-files.ts';
import { mapPath } from '../rendering/mapped-file.ts';
import type { FaceRenderer } from '../renderer.ts';
import type { EncodedFrame, MotionPrecision, VideoCodec } from '../encode/video-encoder.ts';
import { openLipSync } from '../neural/lip-sync.ts';
import { NeuralRenderer } from '../neural/neural-renderer.ts';
import { SpeechTrack } from '../neural/speech-track.ts';
import type { PreparedAvatar } from '../rendering/prepared-avatar.ts';
import { createSessionRenderer } from './session-renderer.ts';
import { FrameClock } from './frame-clock.ts';
import { RecentValues } from './lateness.ts';
import { LiveSession } from './live-session.ts';
import type { BatchedFrame, FromLiveWorker, StreamLook, ToLiveWorker } from './protocol.ts';
import type { LoadShedding } from './load-shedding.ts';

const STATS_EVERY_MS = 1000;
/**
 * Frames from loops are sent together, since each message costs the main thread a few hundredths of a millisecond.
 * Drawn frames take some milliseconds each: a finished one does not wait for those that are due after it.
 */
const BATCH_MS = 4;

// A thread that draws and encodes the frames of many sessions. Everything in it is synchronous between two timers.
if (parentPort === null) throw new Error('live-worker.ts runs as a worker.');
const port = parentPort;
const post = (message: FromLiveWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

interface LiveFrame extends EncodedFrame {
  readonly stream: number;
  /** When it is to be seen, engine time. */
  readonly at: number;
}

const renderers = new Map<string, FaceRenderer>();
const loops = new Map<string, IdleLoop[]>();
const labels = new Map<string, Label>();
const sessions = new Map<number, LiveSession>();
/** The sound of each stream's speech; only kept if a model moves the mouths by it. */
const speech = new Map<number, SpeechTrack>();
const { lipSyncModel } = workerData as { lipSyncModel: string | null };
const lipSync =
  lipSyncModel === null ? null : openLipSync(lipSyncModel, (message) => post({ type: 'lip-sync-failed', message }));
const clock = new FrameClock((stream) => sessions.get(stream)?.live === false);
const lateness = new RecentValues();
/** Since the last report. */
let lately = new RecentValues();
const liveCost = new RecentValues();
releaseMemoryWhenIdle(() => sessions.size === 0, systemTimers, THREAD_MEMORY);
let timer: NodeJS.Timeout | null = null;
let lastStatsAt = 0;
let shedding: LoadShedding = 'none';
let motionPrecision: MotionPrecision = 'full pixel';

function rendererOf(avatar: PreparedAvatar): FaceRenderer {
  return lipSync === null ? new PatchRenderer(avatar) : new NeuralRenderer(avatar, lipSync);
}

function rendererKey(engineKey: string, width: number, height: number): string {
  return `${engineKey} ${width}x${height}`;
}

function labelFor(text: string | null, height: number): Label | null {
  if (text === null) return null;
  const key = `${height} ${text}`;
  let label = labels.get(key);
  if (label === undefined) {
    label = drawLabel(text, height);
    labels.set(key, label);
  }
  return label;
}

function open(stream: number, look: StreamLook, codec: VideoCodec): void {
  const renderer = renderers.get(rendererKey(look.engineKey, look.width, look.height));
  if (renderer === undefined) {
    post({ type: 'failed', stream, message: 'The avatar has not been prepared.' });
    return;
  }
  const key = loopKey({ ...look, codec });
  const label = labelFor(look.disclosure, look.height);
  sessions.get(stream)?.close();
  const track = lipSync === null ? undefined : new SpeechTrack();
  if (track !== undefined) speech.set(stream, track);
  sessions.set(
    stream,
    new LiveSession({
      ...look,
      codec,
      openSessionRenderer: (bitsPerSecond) =>
        createSessionRenderer(
          renderer,
          { codec, width: look.width, height: look.height, bitsPerSecond, effort: 'live', motionPrecision },
          label,
          track,
        ),
      loops: () => loops.get(key) ?? [],
      shedding: () => shedding,
    }),
  );
  clock.remove(stream);
  clock.add(stream, engineNow());
  schedule();
}

function schedule(): void {
  if (timer !== null) clearTimeout(timer);
  const next = clock.nextAt();
  timer = next === null ? null : setTimeout(run, Math.max(0, next - engineNow()));
}

function run(): void {
  timer = null;
  let began = engineNow();
  let batch: LiveFrame[] = [];
  for (const { id, at } of clock.take(began)) {
    const frame = frameOf(id, at);
    if (frame !== null) batch.push(frame);
    const now = engineNow();
    if (now - began < BATCH_MS) continue;
    send(batch);
    batch = [];
    began = now;
  }
  send(batch);
  schedule();
}

/** Null: the session has none for this time, or has failed. */
function frameOf(stream: number, at: number): LiveFrame | null {
  const session = sessions.get(stream);
  if (session === undefined) return null;
  const began = engineNow();
  try {
    const frame = session.tick(at);
    if (session.live) liveCost.add(engineNow() - began);
    return frame === null ? null : { ...frame, stream, at };
  } catch (error) {
    closeSession(stream);
    post({ type: 'failed', stream, message: error instanceof Error ? error.message : String(error) });
    return null;
  }
}

function send(batched: readonly LiveFrame[]): void {
  if (batched.length === 0) return;
  const frames: BatchedFrame[] = [];
  const data = new Uint8Array(batched.reduce((sum, frame) => sum + frame.data.length, 0));
  let end = 0;
  for (const { stream, at, keyframe, data: bytes } of batched) {
    const start = end;
    end += bytes.length;
    data.set(bytes, start);
    frames.push({ stream, start, end, keyframe, at });
  }
  post({ type: 'frames', data: data.buffer, frames }, [data.buffer]);
  const now = engineNow();
  for (const frame of frames) {
    lateness.add(now - frame.at);
    lately.add(now - frame.at);
  }
  if (now - lastStatsAt > STATS_EVERY_MS) reportStats(now);
}

function reportStats(now: number): void {
  lastStatsAt = now;
  let live = 0;
  for (const session of sessions.values()) if (session.live) live++;
  post({
    type: 'stats',
    stats: {
      sessions: sessions.size,
      live,
      frames: lateness.count,
      skipped: clock.skipped,
      latenessP50Ms: lateness.percentile(0.5),
      latenessP99Ms: lateness.percentile(0.99),
      latelyP99Ms: lately.percentile(0.99),
      liveFrameMs: liveCost.mean(),
    },
  });
  lately = new RecentValues();
}

function closeSession(stream: number): void {
  clock.remove(stream);
  sessions.get(stream)?.close();
  sessions.delete(stream);
  speech.delete(stream);
}

function addAvatar({ engineKey, width, height, prepared }: Extract<ToLiveWorker, { type: 'avatar' }>): void {
  try {
    renderers.set(rendererKey(engineKey, width, height), rendererOf(unpackAvatar(bytesOf(prepared))));
  } catch {
    // It was given up before this thread has seen it. Whoever shows it is told.
  }
}

function addLoop(key: string, packed: PackedLoop): void {
  let loop: IdleLoop;
  try {
    loop = unpackLoop(typeof packed === 'string' ? mapPath(packed).content : packed);
  } catch {
    // Its file has been deleted. Another loop is shown, or the face is encoded live.
    return;
  }
  const others = (loops.get(key) ?? []).filter(
    (known) => known.mood !== loop.mood || known.variation !== loop.variation,
  );
  loops.set(key, [...others, loop]);
}

port.on('message', (message: ToLiveWorker) => {
  switch (message.type) {
    case 'avatar':
      return addAvatar(message);
    // A session that shows it keeps its renderer until it ends.
    case 'forget-avatar':
      return void renderers.delete(rendererKey(message.engineKey, message.width, message.height));
    case 'loop':
      return addLoop(message.key, message.loop);
    case 'forget-loops':
      return void loops.delete(message.key);
    case 'open':
      return open(message.stream, message.look, message.codec);
    case 'show':
      return sessions.get(message.stream)?.show(message.mood);
    case 'cue':
      return sessions.get(message.stream)?.cue(message.tag);
    case 'mouth':
      return sessions.get(message.stream)?.mouth(message.track);
    case 'mouth-stopped':
      speech.get(message.stream)?.stop(message.at);
      return sessions.get(message.stream)?.mouthStopped(message.at);
    case 'hear':
      return speech.get(message.stream)?.add(message.audio);
    case 'keyframe':
      return sessions.get(message.stream)?.keyframe();
    case 'bitrate':
      return sessions.get(message.stream)?.setBitrate(message.bitsPerSecond);
    case 'load-shedding':
      shedding = message.shedding;
      return;
    case 'motion-precision':
      motionPrecision = message.motionPrecision;
      return;
    case 'close':
      closeSession(message.stream);
      return schedule();
    case 'stop':
      for (const stream of sessions.keys()) closeSession(stream);
      for (const renderer of renderers.values()) renderer.close();
      void lipSync?.close();
      if (timer !== null) clearTimeout(timer);
      port.close();
  }
});

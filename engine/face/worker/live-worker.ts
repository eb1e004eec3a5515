import { parentPort, workerData } from 'node:worker_threads';
import { engineNow } from '../../clock.ts';
import { drawLabel } from '../picture/disclosure.ts';
import type { Label } from '../picture/disclosure.ts';
import { PatchRenderer } from '../picture/patch-renderer.ts';
import { unpackAvatar } from '../picture/prepared-file.ts';
import { loopKey, unpackLoop } from '../prepare/idle-loop.ts';
import type { IdleLoop } from '../prepare/idle-loop.ts';
import type { FaceRenderer } from '../renderer.ts';
import type { VideoCodec } from '../encode/video-encoder.ts';
import { openLipSync } from '../neural/lip-sync.ts';
import { NeuralRenderer } from '../neural/neural-renderer.ts';
import { SpeechTrack } from '../neural/speech-track.ts';
import type { PreparedAvatar } from '../picture/prepared-avatar.ts';
import { createEasel } from './easel.ts';
import { FrameClock } from './frame-clock.ts';
import { RecentValues } from './lateness.ts';
import { LiveSession } from './live-session.ts';
import type { BatchedFrame, FromLiveWorker, StreamLook, ToLiveWorker } from './protocol.ts';

/** A thread that draws and encodes the pictures of many sessions. Everything in it is synchronous between two timers. */
const STATS_EVERY_MS = 1000;

if (parentPort === null) throw new Error('live-worker.ts runs as a worker.');
const port = parentPort;
const post = (message: FromLiveWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

const renderers = new Map<string, FaceRenderer>();
const loops = new Map<string, IdleLoop[]>();
const labels = new Map<string, Label>();
const sessions = new Map<number, LiveSession>();
/** What each stream says, as sound; only kept when a model moves the mouths by it. */
const speech = new Map<number, SpeechTrack>();
const { lipSyncModel } = workerData as { lipSyncModel: string | null };
const lipSync = lipSyncModel === null ? null : openLipSync(lipSyncModel, (message) => post({ type: 'lip-sync-failed', message }));
const clock = new FrameClock();
const lateness = new RecentValues();
const liveCost = new RecentValues();
let timer: NodeJS.Timeout | null = null;
let lastStatsAt = 0;

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
  sessions.set(stream, new LiveSession({
    ...look,
    codec,
    openEasel: (bitsPerSecond) => createEasel(renderer, { codec, width: look.width, height: look.height, bitsPerSecond, effort: 'live' }, label, track),
    loops: () => loops.get(key) ?? [],
  }));
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
  const frames: BatchedFrame[] = [];
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (const { id, at } of clock.take(engineNow())) {
    const session = sessions.get(id);
    if (session === undefined) continue;
    const began = engineNow();
    try {
      const picture = session.tick(at);
      if (picture === null) continue;
      const { data, keyframe } = picture;
      frames.push({ stream: id, start: bytes, end: bytes + data.length, keyframe, at });
      chunks.push(data);
      bytes += data.length;
    } catch (error) {
      closeSession(id);
      post({ type: 'failed', stream: id, message: error instanceof Error ? error.message : String(error) });
      continue;
    }
    if (session.live) liveCost.add(engineNow() - began);
  }
  if (frames.length > 0) {
    const data = new Uint8Array(bytes);
    chunks.forEach((chunk, i) => data.set(chunk, frames[i]!.start));
    post({ type: 'frames', data: data.buffer, frames }, [data.buffer]);
    const now = engineNow();
    for (const frame of frames) lateness.add(now - frame.at);
    if (now - lastStatsAt > STATS_EVERY_MS) reportStats(now);
  }
  schedule();
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
      liveFrameMs: liveCost.mean(),
    },
  });
}

function closeSession(stream: number): void {
  clock.remove(stream);
  sessions.get(stream)?.close();
  sessions.delete(stream);
  speech.delete(stream);
}

function addLoop(key: string, shared: SharedArrayBuffer): void {
  const loop = unpackLoop(shared);
  const others = (loops.get(key) ?? []).filter((known) => known.mood !== loop.mood || known.variation !== loop.variation);
  loops.set(key, [...others, loop]);
}

port.on('message', (message: ToLiveWorker) => {
  switch (message.type) {
    case 'avatar':
      renderers.set(rendererKey(message.engineKey, message.width, message.height), rendererOf(unpackAvatar(message.prepared)));
      return;
    // A session that shows it keeps its renderer until it ends.
    case 'forget-avatar': return void renderers.delete(rendererKey(message.engineKey, message.width, message.height));
    case 'loop': return addLoop(message.key, message.loop);
    case 'forget-loops': return void loops.delete(message.key);
    case 'open': return open(message.stream, message.look, message.codec);
    case 'show': return sessions.get(message.stream)?.show(message.mood);
    case 'cue': return sessions.get(message.stream)?.cue(message.tag);
    case 'mouth': return sessions.get(message.stream)?.mouth(message.track);
    case 'mouth-stopped':
      speech.get(message.stream)?.stop(message.at);
      return sessions.get(message.stream)?.mouthStopped(message.at);
    case 'hear': return speech.get(message.stream)?.add(message.sound);
    case 'keyframe': return sessions.get(message.stream)?.keyframe();
    case 'bitrate': return sessions.get(message.stream)?.setBitrate(message.bitsPerSecond);
    case 'close':
      closeSession(message.stream);
      return schedule();
    case 'stop':
      for (const stream of sessions.keys()) closeSession(stream);
      for (const renderer of renderers.values()) renderer.close();
      lipSync?.close();
      if (timer !== null) clearTimeout(timer);
      port.close();
  }
});

import { createCipheriv } from 'node:crypto';
import { calibrate } from '../../engine/capacity/calibrate.ts';
import { toFloat } from '../../engine/audio-in/vad/audio-level.ts';
import { FRAME_MS as PACKET_MS, FRAME_SAMPLES } from '../../engine/media/audio-format.ts';
import { Downsampler } from '../../engine/audio-in/decode/downsample.ts';
import { OpusDecoder } from '../../engine/audio-in/decode/opus-decoder.ts';
import { opusPackets } from '../../engine/audio-in/testing/opus-packets.ts';
import { VadLanes, runVad } from '../../engine/audio-in/vad/vad-batch.ts';
import { OpusEncoder } from '../../engine/audio-out/encode/opus-encoder.ts';
import { FaceAnimator } from '../../engine/face/animation/animator.ts';
import { HalfRateHead } from '../../engine/face/animation/half-rate-head.ts';
import { timedShapes } from '../../engine/face/animation/mouth-blend.ts';
import { createIllustratedSource } from '../../engine/face/avatars/illustrated-source.ts';
import { createVideoEncoder } from '../../engine/face/encode/av-encoder.ts';
import { bitrateCeiling, type MotionPrecision, type VideoCodec } from '../../engine/face/encode/video-encoder.ts';
import { FRAMES_PER_SECOND, FRAME_MS } from '../../engine/face/frame-rate.ts';
import { drawAvatar } from '../../engine/face/prepare/draw-avatar.ts';
import { PatchRenderer } from '../../engine/face/rendering/patch-renderer.ts';
import { VISEMES } from '../../engine/ports.ts';
import { MAX_PAYLOAD_BYTES } from '../../engine/transport/rtp/rtp-packet.ts';
import { concat, silence, spoken, tripled } from '../../models/testing/sounds.ts';
import { AVATAR_CACHE } from './avatar-cache.ts';
import { createSileroVad, VAD_WINDOW_SAMPLES } from '../../models/vad/silero.ts';

/** CPU time for each second of a session, ms. */
export interface CostFloor {
  readonly encodeVideo: number;
  readonly encodeAudio: number;
  readonly decodeAudio: number;
  readonly vad: number;
  /** Of the packets of a session that speaks, and of one that listens. */
  readonly srtp: { readonly speaking: number; readonly idle: number };
}

/** Sessions take turns, as in a service: each finds the caches used by the others. */
const SESSIONS = 4;
const WARM_FRAMES = 50;
const MEASURED_FRAMES = 200;
const VISEME_MS = 90;
const PACKETS_PER_SECOND = 1_000 / PACKET_MS;
const VAD_RATE = 16_000;
/** Bytes of an idle loop's frame: 0.5 Mbit/s (engine/face/encode/av-encoder.ts). */
const LOOP_FRAME_BYTES = 2_500;
/** Of an RTP packet, its header and the extensions that frames have. */
const HEADER_BYTES = 24;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;

/** @returns CPU time of this thread for a run, ms. */
function cpuOf(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** The second run is measured: the first one compiles. */
function warmCpuOf(run: () => void): number {
  run();
  return cpuOf(run);
}

interface Face {
  /** @returns bytes of the frame, and the CPU time to encode it, ms. */
  next(frame: number): { bytes: number; cpuMs: number };
  close(): void;
}

function openFace(
  renderer: PatchRenderer,
  {
    codec,
    width,
    height,
    motionPrecision,
  }: { codec: VideoCodec; width: number; height: number; motionPrecision: MotionPrecision },
  seed: number,
): Face {
  const encoder = createVideoEncoder({
    codec,
    width,
    height,
    bitsPerSecond: bitrateCeiling(width, height),
    effort: 'live',
    motionPrecision,
  });
  const painter = renderer.createPainter(encoder.frame);
  const head = new HalfRateHead();
  const animator = new FaceAnimator({ seed, startsAt: 0, mood: 'speaking', tag: null, expressivity: 0.6 });
  const frames = WARM_FRAMES + MEASURED_FRAMES;
  const shapes = timedShapes({
    segmentId: 'floor',
    startsAt: 0,
    shapes: Array.from({ length: Math.ceil((frames * FRAME_MS) / VISEME_MS) }, (_, i) => ({
      shape: VISEMES[(i * 7) % VISEMES.length]!,
      startMs: i * VISEME_MS,
      endMs: (i + 1) * VISEME_MS,
      weight: 1,
    })),
  });
  return {
    next(frame) {
      const at = frame * FRAME_MS;
      const first = Math.max(0, Math.floor(at / VISEME_MS) - 2);
      const changed = painter.paint(head.hold(animator.step(at, shapes.slice(first, first + 5)), at));
      let bytes = 0;
      const cpuMs = cpuOf(() => (bytes = encoder.encode(frame === 0, changed).data.length));
      return { bytes, cpuMs };
    },
    close() {
      painter.close?.();
      encoder.close();
    },
  };
}

/** Frames of a talking face: drawing is not counted. @returns CPU time for a second, ms, and bytes of each frame. */
async function encodeVideo(codec: VideoCodec, width: number, height: number): Promise<{ ms: number; sizes: number[] }> {
  const renderer = new PatchRenderer(drawAvatar(await createIllustratedSource().open('stock-elena', width, height)));
  const motionPrecision = (await calibrate(AVATAR_CACHE))?.motionPrecision ?? 'full pixel';
  const faces = Array.from({ length: SESSIONS }, (_, seed) =>
    openFace(renderer, { codec, width, height, motionPrecision }, seed),
  );
  const sizes: number[] = [];
  let ms = 0;
  for (let frame = 0; frame < WARM_FRAMES + MEASURED_FRAMES; frame++) {
    for (const face of faces) {
      const { bytes, cpuMs } = face.next(frame);
      if (frame < WARM_FRAMES) continue;
      ms += cpuMs;
      sizes.push(bytes);
    }
  }
  for (const face of faces) face.close();
  return { ms: (ms / (MEASURED_FRAMES * SESSIONS)) * FRAMES_PER_SECOND, sizes };
}

function audio(): Pick<CostFloor, 'encodeAudio' | 'decodeAudio' | 'vad'> {
  const pcm = tripled(
    concat(spoken('I would like to book a table for two people tomorrow evening.'), silence(VAD_RATE / 2)),
  );
  const frames = Array.from({ length: Math.floor(pcm.length / FRAME_SAMPLES) }, (_, i) =>
    pcm.slice(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES),
  );
  const seconds = frames.length / PACKETS_PER_SECOND;
  const encoder = new OpusEncoder('plain');
  const encodeMs = warmCpuOf(() => frames.forEach((frame) => encoder.encode(frame)));
  encoder.close();
  const packets = opusPackets(pcm);
  const decoder = new OpusDecoder();
  const decodeMs = warmCpuOf(() => packets.forEach((packet) => decoder.decode(packet)));
  decoder.close();
  const downsampler = new Downsampler();
  const narrow = downsampler.process(toFloat(pcm));
  downsampler.close();
  return { encodeAudio: encodeMs / seconds, decodeAudio: decodeMs / seconds, vad: vad(narrow) };
}

/** One run for the windows of all sessions. */
function vad(samples: Float32Array): number {
  const model = createSileroVad();
  const sessions = Array.from({ length: SESSIONS }, () => new VadLanes());
  const windows = Array.from({ length: Math.floor(samples.length / VAD_WINDOW_SAMPLES) }, (_, i) => ({
    raw: samples.slice(i * VAD_WINDOW_SAMPLES, (i + 1) * VAD_WINDOW_SAMPLES),
    filtered: null,
    levelDb: 0,
    endsAt: 0,
    follows: 'previous' as const,
  }));
  const ms = warmCpuOf(() => {
    for (const window of windows)
      runVad(
        model,
        sessions.map((lanes) => ({ lanes, window })),
      );
  });
  void model.close();
  return ms / SESSIONS / ((windows.length * VAD_WINDOW_SAMPLES) / VAD_RATE);
}

/** AES in Galois/Counter mode encrypts and signs at once (RFC 7714). @param sizes bytes of packets. */
function srtp(sizes: readonly number[]): number {
  const packets = sizes.map((size) => Buffer.alloc(size));
  const cipher = createCipheriv('aes-128-gcm', Buffer.alloc(KEY_BYTES), Buffer.alloc(NONCE_BYTES));
  return warmCpuOf(() => packets.forEach((packet) => cipher.update(packet)));
}

/** Bytes of the packets of frames. */
function packetsOf(frames: readonly number[]): number[] {
  return frames.flatMap((bytes) => {
    const packets = Math.ceil(bytes / MAX_PAYLOAD_BYTES);
    return Array.from({ length: packets }, () => HEADER_BYTES + Math.ceil(bytes / packets));
  });
}

/**
 * What nobody can avoid for a session: a talking face's changed frames are encoded, its voice is encoded and the user's
 * is decoded, every window of the user's audio is judged, and packets are encrypted. Nothing is drawn, sent, received,
 * or passed from one thread to another.
 */
export async function measureCostFloor(codec: VideoCodec, width: number, height: number): Promise<CostFloor> {
  const { ms, sizes } = await encodeVideo(codec, width, height);
  const seconds = MEASURED_FRAMES * SESSIONS * (FRAME_MS / 1_000);
  const both = Array.from({ length: Math.round(2 * PACKETS_PER_SECOND * seconds) }, () => HEADER_BYTES + 100);
  const loop = Array.from({ length: MEASURED_FRAMES * SESSIONS }, () => LOOP_FRAME_BYTES);
  return {
    encodeVideo: ms,
    ...audio(),
    srtp: {
      speaking: srtp([...both, ...packetsOf(sizes)]) / seconds,
      idle: srtp([...both, ...packetsOf(loop)]) / seconds,
    },
  };
}

export function costFloorOf(
  { encodeVideo, encodeAudio, decodeAudio, vad, srtp }: CostFloor,
  mode: 'speaking' | 'idle',
): number {
  return mode === 'idle'
    ? decodeAudio + vad + srtp.idle
    : encodeVideo + encodeAudio + decodeAudio + vad + srtp.speaking;
}

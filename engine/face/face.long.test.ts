import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadImage } from '@napi-rs/canvas';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EncodedVideoFrame } from '../media/media-types.ts';
import type { FaceHandlers, MouthTrack } from '../ports.ts';
import { engineNow } from '../../runtime/clock.ts';
import { decodeStream } from './testing/decode-stream.ts';
import { LABEL_HEIGHT_SHARE } from './rendering/disclosure.ts';
import { createFace } from './index.ts';
import type { FaceEngine } from './index.ts';

const SIZE = { width: 720, height: 480 };
const AVATAR = 'stock-elena';
const quiet = pino({ level: 'silent' });
const errors: string[] = [];
const noting = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
let folder: string;
/** Without idle loops: each look would be given 27, each of which takes more than a second of a core. */
let face: FaceEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-face-'));
  face = createFace({ workers: 1, cacheDir: folder, log: noting, idleLoops: false });
  await face.prepared(AVATAR, SIZE.width, SIZE.height);
});

afterAll(async () => {
  await face.close();
  await rm(folder, { recursive: true, force: true });
});

function open(
  handlers: Partial<FaceHandlers>,
  options: { sessionId?: string; disclosure?: string | null; of?: FaceEngine } = {},
) {
  return (options.of ?? face).open({
    sessionId: options.sessionId ?? 'session',
    engineKey: AVATAR,
    ...SIZE,
    disclosure: options.disclosure ?? null,
    expressivity: null,
    baselineStyle: null,
    quality: 'high',
    handlers: { frame() {}, failed() {}, ...handlers },
  });
}

/** Lets a face run until it has sent so many frames. `during` is told how many there are. */
async function record(
  codec: 'h264' | 'vp8',
  count: number,
  options: { disclosure?: string | null; of?: FaceEngine } = {},
  during?: (stream: ReturnType<typeof open>, frames: number) => void,
): Promise<EncodedVideoFrame[]> {
  const frames: EncodedVideoFrame[] = [];
  await new Promise<void>((resolve, reject) => {
    const stream = open(
      {
        frame(frame) {
          frames.push(frame);
          during?.(stream, frames.length);
          if (frames.length < count) return;
          stream.close();
          resolve();
        },
        failed: (message) => reject(new Error(message)),
      },
      options,
    );
    stream.start(codec);
  });
  return frames.slice(0, count);
}

function speech(): MouthTrack {
  const shapes = (['aa', 'mbp', 'oh', 'fv'] as const).map((shape, i) => ({
    shape,
    startMs: i * 120,
    endMs: (i + 1) * 120,
    weight: 1,
  }));
  return { segmentId: 'one', startsAt: engineNow() + 100, shapes };
}

it('tells no lateness of frames when the last session is over, so that a busy minute is not held against the next', async () => {
  await record('h264', 60);
  // What the worker said last.
  expect(Math.max(...face.stats().map(({ latelyP99Ms }) => latelyP99Ms))).toBeGreaterThan(0);
  expect(face.framesLateMs()).toBe(0);
});

describe.concurrent.each([
  ['h264', []],
  // In every run, in a browser: ../transport/chromium.long.test.ts.
  ['vp8', ['nightly']],
] as const)('a face in %s', (codec, tags) => {
  it(
    'decodes cleanly through idle loops, speech, keyframe requests and changes of bitrate, frame by frame',
    { tags: [...tags] },
    async () => {
      const looping = createFace({ workers: 1, cacheDir: folder, log: noting });
      const frames = await record(codec, 280, { of: looping }, (stream, n) => {
        if (n === 150) {
          stream.show('speaking');
          stream.mouth(speech());
        }
        if (n === 170) stream.setBitrate(300_000);
        if (n === 185) stream.show('idle');
        if (n === 200) stream.keyframe();
      });
      await looping.close();
      const decoded = decodeStream(
        codec,
        frames.map((frame) => frame.data),
      );
      expect(decoded.errors).toBe(0);
      expect(decoded.decodedFrames).toBe(280);
      expect(frames[0]!.keyframe).toBe(true);
      const distances = frames
        .flatMap((frame, i) => (frame.keyframe ? [i] : []))
        .map((at, i, all) => at - (all[i - 1] ?? 0));
      expect(Math.max(...distances)).toBeLessThanOrEqual(125);
      expect(frames.findIndex((frame, i) => i >= 200 && frame.keyframe)).toBeLessThan(215);
    },
  );

  it('shows the disclosure in every frame', { tags: [...tags] }, async () => {
    const frames = await record(codec, 75, { disclosure: 'AI avatar' });
    const label = Math.ceil((SIZE.height * LABEL_HEIGHT_SHARE) / 2) * 2;
    const margin = 14;
    const shares: number[] = [];
    decodeStream(
      codec,
      frames.map((frame) => frame.data),
      (luma, stride) => {
        let dark = 0;
        let bright = 0;
        for (let y = margin + 2; y < margin + label - 2; y++) {
          for (let x = margin + 6; x < margin + 90; x++) {
            const value = luma[y * stride + x]!;
            if (value < 60) dark++;
            if (value > 170) bright++;
          }
        }
        shares.push(Math.min(dark / 400, bright / 80));
      },
    );
    expect(shares).toHaveLength(75);
    expect(Math.min(...shares)).toBeGreaterThan(1);
  });
});

describe('a face', () => {
  it('has frames for times that are exactly a frame apart', async () => {
    const frames = await record('h264', 60);
    // A busy machine may leave frames out, but never sends a frame for a time between the regular ones.
    for (let i = 1; i < frames.length; i++) expect((frames[i]!.at - frames[i - 1]!.at) % 40).toBe(0);
  });

  it('comes in the codec that was asked for last', async () => {
    let changed = false;
    const after: EncodedVideoFrame[] = [];
    await new Promise<void>((resolve) => {
      const stream = open({
        frame(frame) {
          if (!changed) {
            changed = true;
            stream.setCodec('vp8');
            return;
          }
          after.push(frame);
          if (after.length === 10) {
            stream.close();
            resolve();
          }
        },
      });
      stream.start('h264');
    });
    expect(
      decodeStream(
        'vp8',
        after.map((frame) => frame.data),
      ),
    ).toEqual({ decodedFrames: 10, errors: 0 });
  });

  it('fails with a message when there is no such avatar or size, and others go on', async () => {
    await expect(face.prepare('nobody', SIZE.width, SIZE.height)).rejects.toThrow('nobody');
    await expect(face.prepare(AVATAR, 123, 45)).rejects.toThrow('123×45');
    expect(await record('h264', 5)).toHaveLength(5);
  });

  // Its session ended with an engine error: the pool reported that the face had failed, and then continued with the
  // face.
  it('goes on, from a keyframe, when its worker dies, and its session hears nothing of it', async () => {
    const after: EncodedVideoFrame[] = [];
    let worker: 'first' | 'next' = 'first';
    errors.length = 0;
    await new Promise<void>((resolve, reject) => {
      let frames = 0;
      const stream = open({
        frame(frame) {
          frames++;
          if (frames === 10) face.killForTesting();
          if (errors.length > 0 && frame.keyframe) worker = 'next';
          if (worker === 'next') after.push(frame);
          if (after.length < 20) return;
          stream.close();
          resolve();
        },
        failed: (message) => reject(new Error(message)),
      });
      stream.start('h264');
    });
    expect(
      decodeStream(
        'h264',
        after.map((frame) => frame.data),
      ),
    ).toEqual({ decodedFrames: 20, errors: 0 });
  });

  it('fails when its workers keep dying', async () => {
    const unlucky = createFace({ workers: 1, cacheDir: folder, log: quiet, idleLoops: false });
    const failed = Promise.withResolvers<string>();
    const stream = unlucky.open({
      sessionId: 'unlucky',
      engineKey: AVATAR,
      ...SIZE,
      disclosure: null,
      expressivity: null,
      baselineStyle: null,
      quality: 'auto',
      handlers: { frame: () => unlucky.killForTesting(), failed: failed.resolve },
    });
    stream.start('h264');
    expect(await failed.promise).toBe('The video worker was lost.');
    stream.close();
    await unlucky.close();
  });

  /** Its video worker ended again and again, and the session with it. */
  it('is shown in the sizes that plugins of rooms ask for', async () => {
    const size = { width: 640, height: 360 };
    await face.prepare(AVATAR, size.width, size.height);
    const frames = Promise.withResolvers<Uint8Array[]>();
    const seen: Uint8Array[] = [];
    const stream = face.open({
      sessionId: 'small',
      engineKey: AVATAR,
      ...size,
      disclosure: 'AI',
      expressivity: null,
      baselineStyle: null,
      quality: 'auto',
      handlers: {
        frame: ({ data }) => {
          seen.push(data);
          if (seen.length === 20) frames.resolve([...seen]);
        },
        failed: (message) => frames.reject(new Error(message)),
      },
    });
    stream.start('vp8');
    expect(decodeStream('vp8', await frames.promise)).toEqual({ decodedFrames: 20, errors: 0 });
    stream.close();
  });

  it('gives a poster', async () => {
    const poster = await face.renderPoster(AVATAR, 768, 1152);
    expect([...poster.subarray(0, 3)], 'JPEG').toEqual([0xff, 0xd8, 0xff]);
    const frame = await loadImage(poster);
    expect([frame.width, frame.height]).toEqual([768, 1152]);
    expect(poster.equals(await face.renderPoster(AVATAR, 768, 1152)), 'kept').toBe(true);
  });

  it('keeps no more avatars in memory than it may, and those that are shown in any case', async () => {
    const small = createFace({ workers: 1, cacheDir: folder, log: quiet, idleLoops: false, mostAvatarBytes: 1 });
    const prepared = (key: string) => small.prepared(key, SIZE.width, SIZE.height);
    const first = await prepared(AVATAR);
    expect(await prepared(AVATAR)).toBe(first);
    await prepared('stock-mei');
    const again = await prepared(AVATAR);
    expect(again, 'it was dropped, and came from the disk').not.toBe(first);

    const decodedFrames = Promise.withResolvers<void>();
    const stream = small.open({
      sessionId: 'shown',
      engineKey: AVATAR,
      ...SIZE,
      disclosure: null,
      expressivity: null,
      baselineStyle: null,
      quality: 'auto',
      handlers: { frame: () => decodedFrames.resolve(), failed: decodedFrames.reject },
    });
    stream.start('h264');
    await prepared('stock-mei');
    await decodedFrames.promise;
    expect(await prepared(AVATAR)).toBe(again);
    stream.close();
    await small.close();
  });

  // In every run: engine/transport/leak.long.test.ts, and that faces do not stay in memory, above.
  it('stays in the same memory over many sessions', { tags: ['nightly'] }, async () => {
    const round = async () => {
      for (let i = 0; i < 12; i++) await record(i % 2 === 0 ? 'h264' : 'vp8', 3);
    };
    await round();
    const before = process.memoryUsage().rss;
    await round();
    await round();
    const growth = process.memoryUsage().rss - before;
    // 24 leaked sessions would keep at least an encoder and a frame each, about 5 MB.
    expect(growth).toBeLessThan(80_000_000);
  });
});

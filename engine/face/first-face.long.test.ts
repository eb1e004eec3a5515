import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EncodedVideoFrame } from '../media/media-types.ts';
import { createFace, type FaceEngine } from './index.ts';
import { isWhole } from './rendering/prepared-avatar.ts';
import { unpackAvatar } from './rendering/prepared-file.ts';
import { bytesOf } from './rendering/prepared-memory.ts';
import { decodeStream } from './testing/decode-stream.ts';

const SIZE = { width: 720, height: 480 };
const quiet = pino({ level: 'silent' });

describe('a face that has never been drawn', () => {
  let folder: string;
  let face: FaceEngine;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-first-face-'));
    face = createFace({ workers: 1, cacheDir: folder, log: quiet, idleLoops: false });
  });
  afterEach(async () => {
    await face.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Shows a face until it has sent so many frames. @returns them, and how many there were when it was whole. */
  async function show(engineKey: string, count: number, done: () => boolean = () => true) {
    const frames: EncodedVideoFrame[] = [];
    let framesBeforeWhole: number | null = null;
    const shown = Promise.withResolvers<void>();
    const stream = face.open({
      sessionId: engineKey,
      engineKey,
      ...SIZE,
      disclosure: null,
      expressivity: null,
      baselineStyle: null,
      quality: 'high',
      handlers: {
        frame(frame) {
          frames.push(frame);
          if (frames.length >= count && done()) shown.resolve();
        },
        failed: (message) => shown.reject(new Error(message)),
      },
    });
    stream.start('h264');
    face.prepared(engineKey, SIZE.width, SIZE.height).then(
      () => (framesBeforeWhole = frames.length),
      // The test was over before.
      () => {},
    );
    await shown.promise;
    stream.close();
    return { frames, framesBeforeWhole: () => framesBeforeWhole };
  }

  const errorsIn = (frames: readonly EncodedVideoFrame[]): number =>
    decodeStream(
      'h264',
      frames.map(({ data }) => data),
    ).errors;

  it('is seen and moves while its details are drawn', async () => {
    const prepared = face.prepared('stock-mei', SIZE.width, SIZE.height);
    let whole = false;
    void prepared.then(() => (whole = true));
    const { frames, framesBeforeWhole } = await show('stock-mei', 40, () => whole);
    expect(framesBeforeWhole()).toBeGreaterThan(0);
    expect(errorsIn(frames)).toBe(0);
    expect(isWhole(unpackAvatar(bytesOf(await prepared)))).toBe(true);
  });

  // In every run, without faces: prepare/work-queue.test.ts.
  const sooner =
    'is seen before the details of another one that somebody talks to, and before one that nobody waits for';
  it(sooner, { tags: ['nightly'] }, async () => {
    const ahead = face.drawAhead('stock-arthur', SIZE.width, SIZE.height, 'on disk');
    let drawnAhead = false;
    void ahead.then(() => (drawnAhead = true));
    const whole = new Set<string>();
    const first = face.prepare('stock-mei', SIZE.width, SIZE.height);
    void face.prepared('stock-mei', SIZE.width, SIZE.height).then(() => whole.add('stock-mei'));
    await first;
    await Promise.all([
      face.prepare('stock-leo', SIZE.width, SIZE.height).then(() => {
        expect(whole, 'the one that was asked for first').not.toContain('stock-mei');
      }),
      show('stock-leo', 10),
      show('stock-mei', 10),
    ]);
    await face.prepared('stock-leo', SIZE.width, SIZE.height);
    expect(drawnAhead).toBe(false);
    await ahead;
  });

  // In every run it dies before that.
  it('is finished by another worker when it dies, without a pause in the video', { tags: ['nightly'] }, async () => {
    let whole = false;
    const prepared = face.prepared('stock-mei', SIZE.width, SIZE.height);
    void prepared.then(() => (whole = true));
    await face.prepare('stock-mei', SIZE.width, SIZE.height);
    expect(whole).toBe(false);
    const showing = show('stock-mei', 40, () => whole);
    face.killPreparerForTesting();
    const { frames } = await showing;
    expect(errorsIn(frames)).toBe(0);
    expect(isWhole(unpackAvatar(bytesOf(await prepared)))).toBe(true);
    // Another service finds it whole on the disk.
    expect(await face.undrawn(['stock-mei', 'stock-leo'], SIZE.width, SIZE.height)).toEqual(['stock-leo']);
  });

  it('is shown all the same when the worker dies before anything is drawn', async () => {
    const showing = Promise.all([show('stock-mei', 5), show('stock-leo', 5)]);
    face.killPreparerForTesting();
    for (const { frames } of await showing) expect(errorsIn(frames)).toBe(0);
  });
});

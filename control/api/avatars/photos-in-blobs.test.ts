import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Blobs, BlobTooLargeError, openBlobs } from '../../store/blobs.ts';
import { photosInBlobs } from './photos-in-blobs.ts';

const limits = { mostBytes: 100, signal: new AbortController().signal };

/** A file in a bucket. @param bytes its size, as the bucket says. */
const inBucket = (bytes: number, body: Readable) =>
  ({
    find: async () => ({ at: 'bucket', bytes, read: async () => ({ status: 200, bytes, range: null, body }) }),
  }) as unknown as Blobs;

describe('photos of avatars among the files', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'parley-blobs-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are written, listed, read and removed by the keys of the engine', async () => {
    const photos = photosInBlobs(openBlobs(folder));
    await photos.write('photo-a', Buffer.from('a photo'));
    await photos.write('photo-b', Buffer.alloc(101));
    expect(await photos.list()).toEqual(new Set(['photo-a', 'photo-b']));
    expect(String(await photos.read('photo-a', limits))).toBe('a photo');
    await photos.remove('photo-a');
    expect(await photos.read('photo-a', limits)).toBeNull();
    await expect(photos.read('photo-b', limits)).rejects.toThrow(BlobTooLargeError);
  });

  it('are read from a bucket', async () => {
    const photos = photosInBlobs(inBucket(7, Readable.from([Buffer.from('a ph'), Buffer.from('oto')])));
    expect(String(await photos.read('photo-a', limits))).toBe('a photo');
  });

  it('of a bucket that are too large are not read, whatever it says of their size', async () => {
    const body = Readable.from([Buffer.alloc(60), Buffer.alloc(60)]);
    await expect(photosInBlobs(inBucket(101, body)).read('photo-a', limits)).rejects.toThrow(BlobTooLargeError);
    await expect(photosInBlobs(inBucket(7, body)).read('photo-a', limits)).rejects.toThrow(BlobTooLargeError);
    expect(body.destroyed).toBe(true);
  });

  it('of a bucket that does not go on are given up when nobody waits any more', async () => {
    const stop = new AbortController();
    const body = new Readable({ read() {} });
    const reading = photosInBlobs(inBucket(7, body)).read('photo-a', { ...limits, signal: stop.signal });
    const failed = expect(reading).rejects.toThrow('nobody waits');
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('nobody waits'));
    await failed;
    expect(body.destroyed).toBe(true);
  });
});

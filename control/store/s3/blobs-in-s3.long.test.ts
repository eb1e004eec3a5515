import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../../../runtime/start-error.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import { photosInBlobs } from '../../api/avatars/photos-in-blobs.ts';
import { knowledgeRequests } from '../../api/knowledge/testing/knowledge-requests.ts';
import { deleteExpired } from '../../housekeeping/retention.ts';
import { sessionRequests } from '../../api/sessions/testing/session-requests.ts';
import { hasRadosgw, type PrivateRadosgw, startPrivateRadosgw } from '../../testing/private-radosgw.ts';
import { startTestService } from '../../testing/service.ts';
import { describeOnSqlite } from '../../testing/stores.ts';
import { BlobTooLargeError, type DiskBlobs, openBlobs } from '../blobs.ts';
import { BlobsUnavailableError } from './blobs-unavailable-error.ts';
import { type BlobsInS3, blobsInS3 } from './blobs-in-s3.ts';
import { openBucket } from './bucket.ts';
import { openBlobsInS3 } from './open-blobs-in-s3.ts';

const log = pino({ level: 'silent' });

describe.skipIf(!hasRadosgw())('files in a bucket of Ceph', () => {
  let s3: PrivateRadosgw;
  let folder: string;
  let disk: DiskBlobs;
  let blobs: BlobsInS3;

  beforeAll(async () => {
    s3 = await startPrivateRadosgw();
  });
  afterAll(() => s3?.stop());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-s3-'));
    await open();
  });
  afterEach(async () => {
    await blobs.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As a start of the service on this folder. */
  async function open(): Promise<void> {
    disk = openBlobs(folder);
    // Each test has a folder of its own in the bucket.
    const address = { url: s3.url, prefix: `${folder.split('/').at(-1)}/` };
    blobs = blobsInS3(await openBucket(address, s3.credentials), { disk, log, timers: systemTimers });
  }

  async function contentOf(key: string, range: string | null = null): Promise<string | null> {
    const found = await blobs.find(key);
    if (found === null) return null;
    if (found.at === 'disk') return readFileSync(found.path, 'utf8');
    const part = await found.read(range);
    return part === null ? null : Buffer.concat(await part.body.toArray()).toString();
  }

  it('are written there and not kept on disk, and read as a whole or in part', async () => {
    await blobs.write('documents/one', Readable.from([Buffer.from('Hello '), Buffer.from('Ceph')]));
    expect(await disk.size('documents/one')).toBeNull();
    expect(await blobs.size('documents/one')).toBe(10);
    expect(await contentOf('documents/one')).toBe('Hello Ceph');
    expect(await contentOf('documents/one', 'bytes=6-')).toBe('Ceph');
    expect(await contentOf('documents/one', 'bytes=-2')).toBe('ph');
    expect(await contentOf('documents/none')).toBeNull();
    const found = await blobs.find('documents/one');
    const part = found?.at === 'bucket' ? await found.read('bytes=10-') : null;
    expect(part?.status).toBe(416);
  });

  it('are there for code that reads files by name, until it is done', async () => {
    await blobs.write('samples/one', Buffer.from('sound'));
    const file = await blobs.onDisk('samples/one');
    expect(readFileSync(file!.path, 'utf8')).toBe('sound');
    await file!.release();
    expect(existsSync(file!.path)).toBe(false);
    expect(await blobs.onDisk('samples/none')).toBeNull();
  });

  it('are listed and removed', async () => {
    await blobs.write('videos/one.mp4', Buffer.from('1'));
    await blobs.write('videos/two.mp4', Buffer.from('2'));
    await blobs.write('pictures/three.png', Buffer.from('3'));
    await blobs.remove('videos/one.mp4');
    expect(await blobs.list('videos')).toEqual(['videos/two.mp4']);
    expect(await blobs.list('videos', Date.now() - 3_600_000)).toEqual([]);
    expect(await blobs.size('videos/one.mp4')).toBeNull();
  });

  it('that are too large are refused, and nothing of them stays', async () => {
    await expect(blobs.write('documents/large', Buffer.alloc(11), 10)).rejects.toThrow(BlobTooLargeError);
    expect(await blobs.size('documents/large')).toBeNull();
  });

  it('wait on disk while the bucket is away, survive a crash, and are sent when it is back', async () => {
    await blobs.write('documents/early', Buffer.from('early'));
    await blobs.write('documents/doomed', Buffer.from('doomed'));
    await s3.kill();
    const path = await blobs.incoming();
    writeFileSync(path, 'a recording');
    await blobs.adopt('recordings/late.mp4', path);
    await blobs.remove('documents/doomed');
    // What is here is read here; what is there only, cannot be had now.
    expect(await contentOf('recordings/late.mp4')).toBe('a recording');
    expect(await contentOf('documents/doomed')).toBeNull();
    await expect(contentOf('documents/early')).rejects.toThrow(BlobsUnavailableError);
    expect(await blobs.waiting()).toBe(1);
    await blobs.close();
    await open();
    expect(await blobs.size('documents/doomed')).toBeNull();
    await s3.restart();
    await expect.poll(() => disk.size('recordings/late.mp4')).toBeNull();
    await expect.poll(() => blobs.list('documents')).toEqual([expect.stringContaining('early')]);
    expect(await contentOf('recordings/late.mp4')).toBe('a recording');
    expect(await blobs.waiting()).toBe(0);
  });

  it('of a folder that was used without a bucket move there', async () => {
    await blobs.close();
    await disk.write('documents/old', Buffer.from('old'));
    await disk.write('voice-samples/one.wav', Buffer.from('can be made again'));
    await open();
    await expect.poll(() => disk.size('documents/old')).toBeNull();
    expect(await contentOf('documents/old')).toBe('old');
    expect(await disk.size('voice-samples/one.wav')).toBe(17);
  });

  it('a bucket that refuses is said at the start', async () => {
    const settings = {
      PARLEY_BLOBS_URL: s3.url,
      AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: 'wrong',
      AWS_REGION: s3.credentials.region,
    };
    await expect(openBlobsInS3(settings, disk, log)).rejects.toThrow(StartError);
    const missing = {
      ...settings,
      PARLEY_BLOBS_URL: `${s3.url}-none`,
      AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    };
    await expect(openBlobsInS3(missing, disk, log)).rejects.toThrow('The bucket does not exist');
  });

  it('have the photos of avatars, for other machines as well, as soon as the bucket is back', async () => {
    const limits = { mostBytes: 1_000, signal: new AbortController().signal };
    const otherFolder = mkdtempSync(join(tmpdir(), 'parley-s3-'));
    const address = { url: s3.url, prefix: `${folder.split('/').at(-1)}/` };
    const bucket = await openBucket(address, s3.credentials);
    const otherBlobs = blobsInS3(bucket, { disk: openBlobs(otherFolder), log, timers: systemTimers });
    const [mine, theirs] = [photosInBlobs(blobs), photosInBlobs(otherBlobs)];
    await s3.kill();
    await mine.write('photo-a', Buffer.from('a photo'));
    expect(String(await mine.read('photo-a', limits))).toBe('a photo');
    await expect(theirs.read('photo-a', limits)).rejects.toThrow(BlobsUnavailableError);
    await s3.restart();
    await expect.poll(() => disk.size('photos/photo-a')).toBeNull();
    expect(String(await theirs.read('photo-a', limits))).toBe('a photo');
    await expect(theirs.read('photo-a', { ...limits, mostBytes: 6 })).rejects.toThrow(BlobTooLargeError);
    expect(await theirs.list()).toEqual(new Set(['photo-a']));
    await theirs.remove('photo-a');
    expect(await mine.read('photo-a', limits)).toBeNull();
    await otherBlobs.close();
    rmSync(otherFolder, { recursive: true, force: true });
  });

  describeOnSqlite('of a service', (stores) => {
    it('are uploaded, downloaded in parts, and deleted; without the bucket, the service says so', async () => {
      const service = await startTestService(await stores.open(), { bucket: blobs });
      const { group, upload } = knowledgeRequests(() => service);
      const { id, status } = await upload(await group(), 'a.txt', 'Breakfast is served from seven to ten.');
      expect(status).toBe('READY');
      const { fileUrl } = (await service.send('GET', `/v1/knowledge/documents/${id}`)).body;
      const { pathname, search } = new URL(fileUrl);
      const download = (headers = {}) => service.send('GET', pathname + search, undefined, null, headers);
      expect(await download()).toMatchObject({ status: 200, text: 'Breakfast is served from seven to ten.' });
      const part = await download({ range: 'bytes=0-8' });
      expect(part).toMatchObject({ status: 206, text: 'Breakfast', headers: { 'content-range': 'bytes 0-8/38' } });
      expect(await download({ range: 'bytes=38-' })).toMatchObject({
        status: 416,
        headers: { 'content-range': 'bytes */38' },
      });
      expect(await service.send('HEAD', pathname + search, undefined, null)).toMatchObject({
        status: 200,
        text: '',
        headers: { 'content-length': '38' },
      });
      await s3.kill();
      expect(await download()).toMatchObject({ status: 503, body: { error: 'Files are unavailable' } });
      await s3.restart();
      await service.send('DELETE', `/v1/knowledge/documents/${id}`);
      await expect.poll(() => blobs.list('documents')).toEqual([]);
      expect((await download()).status).toBe(404);
      await service.close();
    });

    it('a recording moves to the bucket, is played from there, and is deleted with its session', async () => {
      const store = await stores.open();
      const service = await startTestService(store, { bucket: blobs });
      const { sessionId } = await sessionRequests(() => service).start();
      const path = join(service.dataDir, `${sessionId}.mp4`);
      writeFileSync(path, 'a recording');
      service.sessions.recording(sessionId, { path, durationMs: 1000, bytes: 11 });
      await expect.poll(() => blobs.list('recordings')).toEqual([`recordings/${sessionId}.mp4`]);
      expect(existsSync(path)).toBe(false);
      const { recordingUrl } = (await service.send('GET', `/v1/sessions/${sessionId}/recording`)).body;
      const { pathname, search } = new URL(recordingUrl);
      expect((await service.send('GET', pathname + search, undefined, null)).text).toBe('a recording');
      service.engine.end(sessionId, 1000);
      await service.sessions.flush();
      const now = (): number => service.clock.now + 40 * 86_400_000;
      await deleteExpired({ store, dataDir: service.dataDir, blobs, retentionDays: 30, now });
      expect(await blobs.list('recordings')).toEqual([]);
      await service.close();
    });
  });
});

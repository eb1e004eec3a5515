import { createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Logger } from '../../../runtime/log.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { type Blobs, type DiskBlobs, type FileOnDisk, openBlobs } from '../blobs.ts';
import { BlobsUnavailableError } from './blobs-unavailable-error.ts';
import { type Bucket, BucketError } from './bucket.ts';
import { Outbox } from './outbox.ts';

/** What is kept in the bucket. Other files on the disk can be made again, and stay there. */
export const KINDS = ['documents', 'films', 'photos', 'pictures', 'recordings', 'samples', 'videos'] as const;

export interface BlobsInS3 extends Blobs {
  /** Resolves when nothing is on its way any more. What the bucket does not have yet is sent at the next start. */
  close(): Promise<void>;
}

/**
 * Files in a bucket. Each is written to disk first and leaves it when the bucket has it. So nothing is lost while the
 * bucket is away, and a folder of files that was used without a bucket moves there by itself.
 * @param disk the files of this machine; those that wait to be sent lie among them.
 */
export function blobsInS3(
  bucket: Bucket,
  { disk, log, timers }: { disk: DiskBlobs; log: Pick<Logger, 'error' | 'info'>; timers: Timers },
): BlobsInS3 {
  const removals = openBlobs(join(disk.folder, '.removed'));
  const outbox = new Outbox({ waiting: disk, removals, bucket, kinds: KINDS, log, timers });
  void outbox.resume();
  return {
    ...changesOf(disk, removals, outbox),
    ...readsOf(disk, removals, bucket),
    async sweep() {
      return (await disk.sweep()) + (await removals.sweep());
    },
    waiting: () => outbox.count(),
    async close() {
      await outbox.close();
      await bucket.close();
    },
  };
}

/** @param removals the keys of files that the bucket still has, and nobody else. */
function changesOf(
  disk: DiskBlobs,
  removals: DiskBlobs,
  outbox: Outbox,
): Pick<Blobs, 'incoming' | 'write' | 'adopt' | 'remove'> {
  return {
    incoming: () => disk.incoming(),
    write: (key, content, limit) =>
      outbox.change(key, async () => {
        const written = await disk.write(key, content, limit);
        await removals.remove(key);
        return written;
      }),
    adopt: (key, path) =>
      outbox.change(key, async () => {
        await disk.adopt(key, path);
        await removals.remove(key);
      }),
    remove: (key) =>
      outbox.change(key, async () => {
        await removals.write(key, new Uint8Array());
        await disk.remove(key);
      }),
  };
}

/** @param removals as above. */
function readsOf(
  disk: DiskBlobs,
  removals: DiskBlobs,
  bucket: Bucket,
): Pick<Blobs, 'size' | 'find' | 'onDisk' | 'list'> {
  const isRemoved = async (key: string): Promise<boolean> => (await removals.size(key)) !== null;
  return {
    async size(key) {
      if (await isRemoved(key)) return null;
      return (await disk.size(key)) ?? asked(() => bucket.size(key));
    },
    async find(key) {
      if (await isRemoved(key)) return null;
      const file = await waitingFile(disk, key);
      if (file !== null) return { at: 'disk', ...file };
      const bytes = await asked(() => bucket.size(key));
      return bytes === null ? null : { at: 'bucket', bytes, read: (range) => asked(() => bucket.read(key, range)) };
    },
    async onDisk(key) {
      if (await isRemoved(key)) return null;
      return (await waitingFile(disk, key)) ?? download(disk, bucket, key);
    },
    async list(kind, writtenBefore = Infinity) {
      const [waiting, removed, stored] = await Promise.all([
        disk.list(kind, writtenBefore),
        removals.list(kind),
        asked(() => bucket.list(kind)),
      ]);
      const old = stored.filter(({ modifiedAt }) => modifiedAt < writtenBefore).map(({ key }) => key);
      const gone = new Set(removed);
      return [...new Set([...waiting, ...old])].filter((key) => !gone.has(key));
    },
  };
}

/** A second name of a file that waits: it stays when the file is sent meanwhile. */
async function waitingFile(disk: DiskBlobs, key: string): Promise<FileOnDisk | null> {
  const path = await disk.incoming();
  try {
    await link(disk.pathOf(key), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return { path, release: () => rm(path, { force: true }) };
}

async function download(disk: DiskBlobs, bucket: Bucket, key: string): Promise<FileOnDisk | null> {
  const part = await asked(() => bucket.read(key, null));
  if (part === null) return null;
  const path = await disk.incoming();
  const release = (): Promise<void> => rm(path, { force: true });
  try {
    await pipeline(part.body, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    await release();
    throw isOfDisk(error) ? error : new BlobsUnavailableError({ cause: error });
  }
  return { path, release };
}

/** For those who read: what is only in the bucket cannot be had while the bucket is away. */
async function asked<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw error instanceof BucketError ? new BlobsUnavailableError({ cause: error }) : error;
  }
}

const isOfDisk = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|EIO|EROFS)$/.test((error as { code?: string }).code ?? '');

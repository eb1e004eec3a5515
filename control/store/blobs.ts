import { randomUUID } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';

/** Files beside the database: documents, pictures, samples. A key is `kind/name`, both of safe characters. */
export interface Blobs {
  /** Whole and on disk when it resolves, or not there at all. @throws BlobTooLargeError beyond `limit` bytes. */
  write(key: string, content: Uint8Array | Readable, limit?: number): Promise<{ bytes: number }>;
  read(key: string): Promise<Buffer>;
  stream(key: string): ReadStream;
  /** @returns null when there is no such blob. */
  size(key: string): Promise<number | null>;
  remove(key: string): Promise<void>;
  /** Keys of one kind. */
  list(kind: string): Promise<string[]>;
  /** Deletes what an interrupted write left. @returns how many files. */
  sweep(): Promise<number>;
  /** Where a blob is on disk, for those who read files by name. */
  pathOf(key: string): string;
}

export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}

const KEY = /^[a-z-]+\/[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const INCOMING = '.incoming';

export function openBlobs(folder: string): Blobs {
  const pathOf = (key: string): string => {
    if (!KEY.test(key) || key.includes('..')) throw new Error(`"${key}" is not the key of a blob`);
    return join(folder, key);
  };
  return {
    pathOf,
    async write(key, content, limit = Number.POSITIVE_INFINITY) {
      const target = pathOf(key);
      const incoming = join(folder, INCOMING, randomUUID());
      await mkdir(join(folder, INCOMING), { recursive: true });
      await mkdir(dirname(target), { recursive: true });
      try {
        const bytes = await writeDurably(incoming, content, limit);
        await rename(incoming, target);
        await flushFolder(dirname(target));
        return { bytes };
      } catch (error) {
        await rm(incoming, { force: true });
        throw error;
      }
    },
    read: (key) => readFile(pathOf(key)),
    stream: (key) => createReadStream(pathOf(key)),
    async size(key) {
      try {
        return (await stat(pathOf(key))).size;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    async list(kind) {
      const names = await readdir(join(folder, kind)).catch(() => []);
      return names.map((name) => `${kind}/${name}`);
    },
    async sweep() {
      const left = await readdir(join(folder, INCOMING)).catch(() => []);
      for (const name of left) await rm(join(folder, INCOMING, name), { force: true });
      return left.length;
    },
  };
}

async function writeDurably(path: string, content: Uint8Array | Readable, limit: number): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    const count = (length: number): void => {
      bytes += length;
      if (bytes > limit) throw new BlobTooLargeError(`More than ${limit} bytes`);
    };
    if (content instanceof Uint8Array) {
      count(content.byteLength);
      await file.writeFile(content);
    } else {
      await pipeline(content, async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          count(chunk.byteLength);
          await file.writeFile(chunk);
        }
      });
    }
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}

/** A rename is on disk only when its folder is. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

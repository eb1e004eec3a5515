import { randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync, type ReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';

/** Files beside the database: documents, images, samples. A key is `kind/name`, both made of safe characters. */
export interface Blobs {
  /** Exists. */
  readonly folder: string;
  /**
   * When it resolves, the file is complete and on disk; otherwise it does not exist. @throws BlobTooLargeError beyond
   * `limit` bytes.
   */
  write(key: string, content: Uint8Array | Readable, limit?: number): Promise<{ bytes: number }>;
  /** @returns a path for a file that other code writes and `adopt` takes over; unfinished files are deleted later. */
  incoming(): Promise<string>;
  /** Makes a finished file of `incoming` a blob. */
  adopt(key: string, path: string): Promise<void>;
  read(key: string): Promise<Buffer>;
  stream(key: string): ReadStream;
  /** @returns null when there is no such blob. */
  size(key: string): Promise<number | null>;
  remove(key: string): Promise<void>;
  /** Keys of one kind. */
  list(kind: string): Promise<string[]>;
  /** Deletes the files of interrupted writes. @returns how many files. */
  sweep(): Promise<number>;
  /** The path of a blob on disk, for code that reads files by name. */
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
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    pathOf,
    async write(key, content, limit = Number.POSITIVE_INFINITY) {
      const target = pathOf(key);
      const incoming = await newPath(folder);
      try {
        const bytes = await writeDurably(incoming, content, limit);
        await moveDurably(incoming, target);
        return { bytes };
      } catch (error) {
        await rm(incoming, { force: true });
        throw error;
      }
    },
    incoming: () => newPath(folder),
    async adopt(key, path) {
      const file = await open(path, 'r');
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await moveDurably(path, pathOf(key));
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

async function newPath(folder: string): Promise<string> {
  await mkdir(join(folder, INCOMING), { recursive: true });
  return join(folder, INCOMING, randomUUID());
}

async function moveDurably(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  await flushFolder(dirname(to));
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

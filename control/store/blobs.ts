import { randomUUID } from 'node:crypto';
import { mkdirSync, type Stats } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';

/** Files of sessions and organizations: documents, images, samples. A key is `kind/name`, both made of safe characters. */
export interface Blobs {
  /**
   * When it resolves, the file is complete and safe; otherwise it does not exist. @throws BlobTooLargeError beyond
   * `limit` bytes.
   */
  write(key: string, content: Uint8Array | Readable, limit?: number): Promise<{ bytes: number }>;
  /** @returns a path for a file that other code writes and `adopt` takes over; unfinished files are deleted later. */
  incoming(): Promise<string>;
  /** Makes a finished file a blob: one of `incoming`, or another one on the same disk. */
  adopt(key: string, path: string): Promise<void>;
  /** @returns null when there is no such blob. */
  size(key: string): Promise<number | null>;
  /** @returns null when there is no such blob. */
  find(key: string): Promise<FoundBlob | null>;
  /** For code that reads files by name. @returns null when there is no such blob. */
  onDisk(key: string): Promise<FileOnDisk | null>;
  remove(key: string): Promise<void>;
  /** Keys of one kind. @param writtenBefore ms since the epoch. @defaultValue all */
  list(kind: string, writtenBefore?: number): Promise<string[]>;
  /** Deletes the files of interrupted writes. @returns how many files. */
  sweep(): Promise<number>;
  /** How many files wait to be sent to where they belong. */
  waiting(): Promise<number>;
}

/** A file on this machine. It may be a copy, which `release` deletes. */
export interface FileOnDisk {
  readonly path: string;
  release(): Promise<void>;
}

/** Where a blob is read. */
export type FoundBlob =
  | ({ readonly at: 'disk' } & FileOnDisk)
  | {
      readonly at: 'bucket';
      readonly bytes: number;
      /** @param range as HTTP has it, or null: everything. @returns null when it was deleted meanwhile. */
      read(range: string | null): Promise<BlobPart | null>;
    };

/** A file of this machine that stays. */
export const fileAt = (path: string): FoundBlob => ({ at: 'disk', path, release: nothing });

/** A blob or a part of it, as an answer of HTTP. */
export interface BlobPart {
  /** 200: everything, 206: a part, 416: there is no such part. */
  readonly status: 200 | 206 | 416;
  readonly bytes: number;
  /** The header `Content-Range`. */
  readonly range: string | null;
  readonly body: Readable;
}

/** Files in a folder of this machine. */
export interface DiskBlobs extends Blobs {
  /** Exists. */
  readonly folder: string;
  read(key: string): Promise<Buffer>;
  /** The path of a blob, whether it exists or not. */
  pathOf(key: string): string;
}

export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';
}

const KEY = /^[a-z-]+\/[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const INCOMING = '.incoming';

export function openBlobs(folder: string): DiskBlobs {
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
    async size(key) {
      return (await statOf(pathOf(key)))?.size ?? null;
    },
    async find(key) {
      const path = pathOf(key);
      return (await statOf(path)) === null ? null : fileAt(path);
    },
    async onDisk(key) {
      const path = pathOf(key);
      return (await statOf(path)) === null ? null : { path, release: nothing };
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    async list(kind, writtenBefore = Infinity) {
      const keys = (await readdir(join(folder, kind)).catch(() => [])).map((name) => `${kind}/${name}`);
      if (writtenBefore === Infinity) return keys;
      const stats = await Promise.all(keys.map((key) => statOf(pathOf(key))));
      return keys.filter((_key, index) => (stats[index]?.mtimeMs ?? Infinity) < writtenBefore);
    },
    async sweep() {
      const left = await readdir(join(folder, INCOMING)).catch(() => []);
      for (const name of left) await rm(join(folder, INCOMING, name), { force: true });
      return left.length;
    },
    waiting: async () => 0,
  };
}

async function nothing(): Promise<void> {}

/** @returns null when there is no such file. */
async function statOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
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

import { readFile, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { SharedPhotos } from '../../../engine/index.ts';
import { BlobTooLargeError, type Blobs } from '../../store/blobs.ts';

/** Of the blobs. */
export const PHOTOS = 'photos';

export interface PhotosInBlobs extends SharedPhotos {
  /** Engine keys. */
  list(): Promise<ReadonlySet<string>>;
}

/** The photos of avatars among the files that all processes share. */
export function photosInBlobs(blobs: Blobs): PhotosInBlobs {
  const keyOf = (engineKey: string): string => `${PHOTOS}/${engineKey}`;
  return {
    async read(engineKey, { mostBytes, signal }) {
      const found = await blobs.find(keyOf(engineKey));
      if (found === null) return null;
      if (found.at === 'disk') {
        try {
          assertSmall((await stat(found.path)).size, mostBytes);
          return await readFile(found.path, { signal });
        } finally {
          await found.release();
        }
      }
      assertSmall(found.bytes, mostBytes);
      const part = await found.read(null);
      return part === null ? null : collect(part.body, mostBytes, signal);
    },
    async write(engineKey, packed) {
      await blobs.write(keyOf(engineKey), packed);
    },
    remove: (engineKey) => blobs.remove(keyOf(engineKey)),
    async list() {
      return new Set((await blobs.list(PHOTOS)).map((key) => key.slice(PHOTOS.length + 1)));
    },
  };
}

/** What a bucket says of a size is not trusted. */
async function collect(body: Readable, mostBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const abort = (): void => void body.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      assertSmall(bytes, mostBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function assertSmall(bytes: number, mostBytes: number): void {
  if (bytes > mostBytes) throw new BlobTooLargeError(`More than ${mostBytes} bytes`);
}

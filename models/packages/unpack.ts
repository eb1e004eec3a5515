import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, type Headers } from 'tar-stream';
import { ArchiveError } from './archive-error.ts';

/** A file that was unpacked. */
export interface UnpackedFile {
  /** Relative, with slashes. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface Unpacking {
  /** The folder inside of the archive in which everything must lie. */
  readonly root: string;
  /** Files and folders below the root that are kept; the rest is read and dropped. */
  readonly keep: readonly string[];
  /** The most that all entries may be together. */
  readonly mostBytes: number;
}

/** The data of espeak-ng are 400 files; nothing else comes near. */
const MAX_ENTRIES = 5_000;
/** An entry is a header of 512 bytes, and padding. */
const BYTES_PER_ENTRY = 4_096;

/**
 * Unpacks a `.tar.bz2` into a folder. The program bzip2 decompresses in a process of its own; paths, kinds and sizes of
 * entries are checked here, and only plain files are written.
 * @param target an empty folder. @throws ArchiveError when the archive is not what it should be; an Error with code
 * ENOENT when bzip2 is not installed. Then the folder holds rubbish, to be removed.
 */
export async function unpack(archive: string, target: string, options: Unpacking): Promise<UnpackedFile[]> {
  const files: UnpackedFile[] = [];
  const bzip2 = spawn('bzip2', ['--decompress', '--stdout', '--', archive], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve, reject) => {
    bzip2.once('error', reject);
    bzip2.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new ArchiveError(`bzip2 could not read the archive (${signal ?? code}).`)),
    );
  });
  const tar = extract();
  // The sizes in headers are claims; this counts what really comes.
  const fed = pipeline(bzip2.stdout, bounded(options.mostBytes + MAX_ENTRIES * BYTES_PER_ENTRY), tar);
  try {
    await Promise.all([ended, fed, readEntries(tar, target, options, files)]);
  } catch (error) {
    bzip2.kill('SIGKILL');
    await Promise.allSettled([ended, fed]);
    if (isSystemError(error) || error instanceof ArchiveError) throw error;
    throw new ArchiveError('The archive is damaged.', { cause: error });
  }
  return files;
}

async function readEntries(
  tar: ReturnType<typeof extract>,
  target: string,
  { root, keep, mostBytes }: Unpacking,
  files: UnpackedFile[],
): Promise<void> {
  let entries = 0;
  let bytes = 0;
  for await (const entry of tar) {
    entries += 1;
    bytes += entry.header.size ?? 0;
    if (entries > MAX_ENTRIES) throw new ArchiveError(`The archive has more than ${MAX_ENTRIES} entries.`);
    if (bytes > mostBytes) throw new ArchiveError(`The archive unpacks to more than ${mostBytes} bytes.`);
    const path = insideRoot(entry.header, root);
    if (entry.header.type === 'file' && keep.some((kept) => path === kept || path.startsWith(`${kept}/`)))
      files.push(await write(entry, join(target, path), path));
    else entry.resume();
  }
}

/** @returns the path below the root. @throws ArchiveError when the entry is no plain file or folder below it. */
function insideRoot({ name, type }: Headers, root: string): string {
  if (type !== 'file' && type !== 'directory')
    throw new ArchiveError(`The archive holds a ${type ?? 'thing'} where only files and folders may be.`);
  const parts = name.replace(/\/$/, '').split('/');
  // Publishers' archives may begin each path with "./".
  if (parts[0] === '.') parts.shift();
  const hostile = parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:\p{Cc}]/u.test(part));
  if (hostile && parts.length > 0) throw new ArchiveError('The archive holds a path that leads out of its folder.');
  if (parts.length > 0 && parts[0] !== root) throw new ArchiveError(`The archive holds files outside of ${root}.`);
  return parts.slice(1).join('/');
}

async function write(entry: Readable, to: string, path: string): Promise<UnpackedFile> {
  await mkdir(dirname(to), { recursive: true });
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  // An archive that names a file twice is refused by the flag.
  await pipeline(entry, counted, createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true })).catch(
    (error: unknown) => {
      if (isSystemError(error) && ['EEXIST', 'EISDIR', 'ENOTDIR'].includes(error.code))
        throw new ArchiveError(`The archive holds ${path} twice.`, { cause: error });
      throw error;
    },
  );
  return { path, bytes, sha256: hash.digest('hex') };
}

function bounded(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(new ArchiveError(`The archive unpacks to more than ${most} bytes.`));
      else done(null, chunk);
    },
  });
}

/** No room, no right, no bzip2: not the fault of the archive. */
function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code));
}

import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import koffi from 'koffi';

/**
 * A file whose pages all threads and processes of a machine share, instead of a copy of each: the system reads each page when it is
 * first looked at, and may drop it again. Nobody writes to it: files are replaced by renaming, never changed.
 */
export interface MappedFile {
  /** Stays good when the file is deleted, where there is `/proc`. */
  readonly path: string;
  /** What was opened: a path may lead elsewhere later. */
  readonly device: number;
  readonly inode: number;
  readonly bytes: number;
}

/** A file that somebody maps, and what ends that. */
export interface OpenedFile extends MappedFile {
  close(): void;
}

export interface Mapping {
  readonly content: ArrayBuffer;
  /** At once. Without it, the mapping ends after its last view. */
  end(): void;
}

/** Of mmap(2), the same on all systems that have it. */
const PROT_READ = 1;
const MAP_SHARED = 1;
const MAP_FAILED = 0xffff_ffff_ffff_ffffn;

type SystemCalls = ReturnType<typeof loadSystemCalls>;
let calls: SystemCalls | null | undefined;

function loadSystemCalls() {
  const system = koffi.load(null);
  return {
    map: system.func('void *mmap(void *at, size_t bytes, int protection, int flags, int file, int64_t offset)'),
    unmap: system.func('int munmap(void *at, size_t bytes)'),
  };
}

/** Null: this system has no mmap. */
function systemCalls(): SystemCalls | null {
  if (calls !== undefined) return calls;
  try {
    calls = loadSystemCalls();
  } catch {
    calls = null;
  }
  return calls;
}

/** Unmaps what no view is left of. Views keep their buffer, and so its mapping. */
const forgotten = new FinalizationRegistry<() => void>((unmap) => unmap());

/**
 * Holds a file open for threads that map it later. @throws Error when there is no such file.
 */
export function openForMapping(path: string): OpenedFile {
  const file = openSync(path, 'r');
  const { dev: device, ino: inode, size: bytes } = fstatSync(file);
  const held = process.platform === 'linux' ? `/proc/self/fd/${file}` : path;
  let state: 'open' | 'closed' = 'open';
  return {
    path: held,
    device,
    inode,
    bytes,
    close() {
      if (state === 'open') closeSync(file);
      state = 'closed';
    },
  };
}

/** @throws Error when the file is not that one any more, or cannot be mapped. */
export function mapFile(wanted: MappedFile): Mapping {
  const file = openSync(wanted.path, 'r');
  try {
    const { dev, ino, size } = fstatSync(file);
    if (dev !== wanted.device || ino !== wanted.inode || size !== wanted.bytes)
      throw new Error('The file has been closed.');
    return mapOpened(file, size);
  } finally {
    closeSync(file);
  }
}

/** @throws Error when there is no such file, or it cannot be mapped. */
export function mapPath(path: string): Mapping {
  const file = openSync(path, 'r');
  try {
    return mapOpened(file, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

/** The least that systems read at once. */
const PAGE_BYTES = 4_096;

/**
 * Reads all of a file once: then it is in the memory of the system, and no thread that shows it waits for the disk.
 * @param check throws, or says whether the content is whole. @returns false also when there is no such file
 */
export function isWholeFile(path: string, check: (content: ArrayBuffer) => boolean): boolean {
  try {
    const { content, end } = mapPath(path);
    try {
      const bytes = new Uint8Array(content);
      let sum = 0;
      for (let at = 0; at < bytes.length; at += PAGE_BYTES) sum += bytes[at] ?? 0;
      return sum >= 0 && check(content);
    } finally {
      end();
    }
  } catch {
    return false;
  }
}

function mapOpened(file: number, bytes: number): Mapping {
  const system = systemCalls();
  // A copy of its own.
  if (system === null) return { content: Uint8Array.from(readFileSync(file)).buffer, end() {} };
  if (bytes === 0) throw new Error('An empty file cannot be mapped.');
  const at: unknown = system.map(null, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (at === null || koffi.address(at) === MAP_FAILED) throw new Error('The system does not map the file.');
  const content = koffi.view(at, bytes);
  let state: 'mapped' | 'ended' = 'mapped';
  const unmap = (): void => {
    if (state === 'mapped') system.unmap(at, bytes);
    state = 'ended';
  };
  forgotten.register(content, unmap);
  return { content, end: unmap };
}

import koffi from 'koffi';
import { collectGarbage, type MemoryReleaser } from './idle-memory.ts';

/** For the main thread of a process. */
export const PROCESS_MEMORY: MemoryReleaser = { collect: collectGarbage, trim: trimAllocator };

/** Of mallopt(3). */
const M_TRIM_THRESHOLD = -1;
const M_MMAP_THRESHOLD = -3;
const M_ARENA_MAX = -8;
/**
 * A block of this size or more has a mapping of its own, which returns to the system when it is freed: encoders,
 * frames, models. By default, glibc raises this limit up to 32 MB when the first large block is freed, and then keeps
 * all of them.
 */
const MMAP_THRESHOLD_BYTES = 128 * 1024;
/** How much may stay free at the end of an arena. By default it follows the limit above: up to 64 MB for each arena. */
const MAX_FREE_AT_END_BYTES = 1024 * 1024;
/**
 * The threads of a process share these arenas. By default, glibc has eight for each core, and one thread cannot use
 * what another one has freed in its own arena.
 */
const ARENAS = 4;

/**
 * Limits the free memory that the allocator keeps, for all threads of the process. Call it before they start. A service
 * with eight conversations took 470 and 512 MB with these limits, and 531 MB without.
 */
export function limitAllocator(): void {
  const set = glibc()?.set;
  set?.(M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES);
  set?.(M_TRIM_THRESHOLD, MAX_FREE_AT_END_BYTES);
  set?.(M_ARENA_MAX, ARENAS);
}

/** Takes some 20 ms. */
function trimAllocator(): void {
  glibc()?.trim(0);
}

interface Glibc {
  trim(keepAtTheEnd: number): number;
  set(parameter: number, value: number): number;
}

let calls: Glibc | null | undefined;

/** Null: another C library, which has no such calls and keeps less. */
function glibc(): Glibc | null {
  if (calls !== undefined) return calls;
  try {
    const system = koffi.load(null);
    calls = { trim: system.func('int malloc_trim(size_t)'), set: system.func('int mallopt(int, int)') };
  } catch {
    calls = null;
  }
  return calls;
}

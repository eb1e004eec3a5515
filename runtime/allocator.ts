import koffi from 'koffi';
import { collectGarbage, type Givers } from './give-back-memory.ts';

/** For the main thread of a process. */
export const PROCESS: Givers = { collect: collectGarbage, trim: trimAllocator };

/** Of mallopt(3). */
const M_TRIM_THRESHOLD = -1;
const M_MMAP_THRESHOLD = -3;
const M_ARENA_MAX = -8;
/**
 * A block of this size and above is a mapping of its own, which goes back to the system when it is freed: encoders, frames, models.
 * By itself, glibc raises this up to 32 MB with the first large block that is freed, and keeps all of them from then on.
 */
const MAPPED_FROM_BYTES = 128 * 1024;
/** How much may stay free at the end of an arena. Bound to the threshold above, it would be up to 64 MB for each. */
const KEPT_AT_THE_END_BYTES = 1024 * 1024;
/** Threads of a process share them. By itself, glibc has eight for each core, and what one thread freed in its arena is of no use to another. */
const ARENAS = 4;

/**
 * Bounds what the allocator keeps for itself, for all threads of the process. Call it before they start. A service with eight
 * conversations took 470 and 512 MB with it, 531 without.
 */
export function boundAllocator(): void {
  const set = glibc()?.set;
  set?.(M_MMAP_THRESHOLD, MAPPED_FROM_BYTES);
  set?.(M_TRIM_THRESHOLD, KEPT_AT_THE_END_BYTES);
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

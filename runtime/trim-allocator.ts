import koffi from 'koffi';
import { collectGarbage, type Givers } from './give-back-memory.ts';

/** For the main thread of a process. */
export const PROCESS: Givers = { collect: collectGarbage, trim: trimAllocator };

let trimGlibc: ((keepAtTheEnd: number) => number) | null | undefined;

/** Of glibc. Other C libraries have no such call, and keep less. Takes some 20 ms. */
function trimAllocator(): void {
  if (trimGlibc === undefined) {
    try {
      trimGlibc = koffi.load(null).func('int malloc_trim(size_t)');
    } catch {
      trimGlibc = null;
    }
  }
  trimGlibc?.(0);
}

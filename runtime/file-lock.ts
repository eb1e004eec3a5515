import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import koffi from 'koffi';

export interface FileLock {
  release(): void;
}

/** Of flock(2), the same on all systems that have it. */
const LOCK_EX = 2;
const LOCK_NB = 4;

let flock: ((file: number, operation: number) => number) | null | undefined;

/** Null: this system has none. */
function systemFlock(): typeof flock {
  if (flock !== undefined) return flock;
  try {
    flock = koffi.load(null).func('int flock(int file, int operation)');
  } catch {
    flock = null;
  }
  return flock;
}

/**
 * Has a file for one of all threads and processes of a machine, until it is released or its process dies. Where the system or the disk
 * has no locks, everybody gets one: for work that is merely done twice then. @param path of a file that is there for nothing else.
 * @returns null: somebody else has it. @throws Error when the file cannot be opened.
 */
export function tryLock(path: string): FileLock | null {
  // Node closes it in the programs that it starts, so none of them keeps the lock.
  const file = openSync(path, 'a');
  if (systemFlock()?.(file, LOCK_EX | LOCK_NB) === -1 && koffi.errno() === constants.errno.EWOULDBLOCK) {
    closeSync(file);
    return null;
  }
  let state: 'held' | 'released' = 'held';
  return {
    release() {
      if (state === 'held') closeSync(file);
      state = 'released';
    },
  };
}

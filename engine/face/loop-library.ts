import { loopKey } from './prepare/idle-loop.ts';
import type { LoopLook } from './prepare/idle-loop.ts';
import type { Preparer } from './prepare/preparer.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Looks whose loops are kept in memory (about 3 MB each at 720×480); the one unused for longest goes first. */
const MOST_LOOKS = 32;

/** Which idle loops are wanted, by whom, and what is there already. */
export interface LoopLibrary {
  /** Wants the loops of a look. They arrive at the workers by themselves. */
  want(look: LoopLook): void;
  arrived(key: string, loop: SharedArrayBuffer): void;
  /** Drops the loops of an avatar that was deleted. */
  forget(engineKey: string): void;
}

export function createLoopLibrary(pool: WorkerPool, preparer: () => Preparer): LoopLibrary {
  /** In order of last use. The values are the names under which the pool remembers the loops. */
  const looks = new Map<string, Set<string>>();
  /** Engine keys of the looks. */
  const avatars = new Map<string, string>();

  function drop(key: string): void {
    preparer().dropLoops(key);
    for (const name of looks.get(key) ?? []) pool.forget(name, null);
    pool.forget(key, { type: 'forget-loops', key });
    looks.delete(key);
    avatars.delete(key);
  }

  return {
    want(look) {
      const key = loopKey(look);
      const known = looks.get(key);
      looks.delete(key);
      looks.set(key, known ?? new Set());
      avatars.set(key, look.engineKey);
      if (known === undefined) preparer().loops(key, look);
      for (const [oldest] of looks) {
        if (looks.size <= MOST_LOOKS) break;
        drop(oldest);
      }
    },
    arrived(key, loop) {
      const names = looks.get(key);
      if (names === undefined) return;
      // Mood and variation are the first two numbers of a packed loop.
      const name = `${key} ${new Uint32Array(loop, 0, 2).join(' ')}`;
      if (names.has(name)) return;
      names.add(name);
      pool.remember(name, { type: 'loop', key, loop });
    },
    forget(engineKey) {
      for (const [key, avatar] of avatars) if (avatar === engineKey) drop(key);
    },
  };
}

import { loopKey } from './prepare/idle-loop.ts';
import type { LoopLook } from './prepare/idle-loop.ts';
import type { LoopName, PackedLoop } from './prepare/loop-files.ts';
import type { Preparer } from './prepare/preparer.ts';
import type { WorkerPool } from './worker-pool.ts';

/**
 * How many looks have their loops at hand (about 8 MB each at 720×480, pages of files that all processes share). The one that
 * was unused for longest is dropped first.
 */
const MAX_LOOKS = 32;

/** Which idle loops are wanted, by whom, and which exist. */
export interface LoopLibrary {
  /** Requests the loops of a look. The workers get them when they are ready. */
  want(look: LoopLook): void;
  arrived(key: string, which: LoopName, loop: PackedLoop): void;
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
        if (looks.size <= MAX_LOOKS) break;
        drop(oldest);
      }
    },
    arrived(key, { mood, variation }, loop) {
      const names = looks.get(key);
      if (names === undefined) return;
      const name = `${key} ${mood} ${variation}`;
      if (names.has(name)) return;
      names.add(name);
      pool.remember(name, { type: 'loop', key, loop });
    },
    forget(engineKey) {
      for (const [key, avatar] of avatars) if (avatar === engineKey) drop(key);
    },
  };
}

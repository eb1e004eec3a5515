import { execFileSync } from 'node:child_process';
import { threadsNamed } from '../lib/thread-use.ts';

/** The thread that draws avatars and encodes idle loops, once for each avatar and version. */
export const PREPARING_THREAD = 'avatars';

/**
 * Moves the preparing thread off the measured core, so that a first run gives the same figures as a later one. @param
 * cores the others of this machine. They are given, because a process that is bound to one core sees only that one.
 */
export function prepareElsewhere(cores: readonly number[]): void {
  if (cores.length === 0) return;
  for (const id of threadsNamed(PREPARING_THREAD))
    execFileSync('taskset', ['-pc', cores.join(','), String(id)], { stdio: 'ignore' });
}

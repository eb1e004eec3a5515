import { execFileSync } from 'node:child_process';
import { threadsNamed } from '../lib/thread-use.ts';

/** The thread that draws avatars and encodes idle loops: once per avatar and version, not once per session. */
export const PREPARING_THREAD = 'avatars';

/**
 * Moves the preparing thread off the core under test, so that a first run measures the same as a later one.
 * @param cores the others of this machine. They are told, since a process that is pinned to one core sees only that
 * one.
 */
export function prepareElsewhere(cores: readonly number[]): void {
  if (cores.length === 0) return;
  for (const id of threadsNamed(PREPARING_THREAD))
    execFileSync('taskset', ['-pc', cores.join(','), String(id)], { stdio: 'ignore' });
}

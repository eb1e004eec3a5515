import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { threadsNamed } from '../lib/thread-use.ts';

/** The thread that draws avatars and encodes idle loops: once per avatar and version, not once per session. */
export const PREPARING_THREAD = 'avatars';

/** Moves the preparing thread off the core under test, so that a first run measures the same as a later one. */
export function prepareElsewhere(core: number, cores = availableParallelism()): void {
  const others = Array.from({ length: cores }, (_, i) => i).filter((i) => i !== core);
  if (others.length === 0) return;
  for (const id of threadsNamed(PREPARING_THREAD)) execFileSync('taskset', ['-pc', others.join(','), String(id)], { stdio: 'ignore' });
}

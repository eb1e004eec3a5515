import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('orphan-reaper.sh', import.meta.url));
/** A service stops within 3 s. As long as this lasts, the next start may find a port taken, tenths of a second. */
const GRACE_TENTHS = 50;

let orders: Writable | null = null;

/**
 * Sees to it that a child does not outlive this process, whatever both do. A child whose event loop hangs does not notice
 * that its parent was killed: it kept the ports, and the service did not start again. It cannot see to itself, and a signal
 * at the parent's death (`PR_SET_PDEATHSIG`) would leave no time for a goodbye. So a shell of 1 MB waits for the death.
 * @returns tells that it has ended.
 */
export function reapWithThisProcess(pid: number): () => void {
  orders ??= startReaper();
  orders.write(`watch ${pid}\n`);
  return () => void orders?.write(`forget ${pid}\n`);
}

function startReaper(): Writable {
  // In a session of its own: Ctrl-C and the signals of a terminal are not for it.
  const reaper = spawn('sh', [SCRIPT, String(GRACE_TENTHS)], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const forget = (): void => void (orders = null);
  reaper.on('error', forget).on('exit', forget);
  reaper.stdin.on('error', () => {});
  reaper.unref();
  (reaper.stdin as unknown as { unref(): void }).unref();
  return reaper.stdin;
}

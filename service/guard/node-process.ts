/** A node of a cluster, behind its guard: `scripts/parley.ts` starts it, and says when it ends. */
import { connectToGuard } from './connect-to-guard.ts';
import type { RunningProcess } from '../run-service.ts';

// A terminal and a service manager send these signals to all processes. The guard decides what to do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR2', 'SIGHUP'] as const) process.on(signal, () => {});

let running: RunningProcess | null = null;
const guard = connectToGuard({
  drain: () => running?.drain(),
  stop() {
    if (running === null) process.exit(0);
    running.stop({}, 1);
  },
});
const { runService } = await import('../run-service.ts');
running = runService(guard);

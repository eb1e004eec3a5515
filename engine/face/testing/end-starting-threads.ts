import { setTimeout as pause } from 'node:timers/promises';
import { inThread } from '../../../runtime/in-thread.ts';

/** Ends threads while they load native modules. Its exit status is 0 unless it aborts. */
const THREADS = 12;
/** Most of them are loading some of this time, ms. */
const WITHIN_MS = 300;

function startingThread(): { end(): Promise<void> } {
  const ended = Promise.withResolvers<void>();
  const launch = inThread<never, never>(new URL('../worker/live-worker.ts', import.meta.url), {
    name: 'starting',
    workerData: { lipSyncModel: null },
  });
  const link = launch({ message() {}, ended: () => ended.resolve() });
  return {
    end() {
      link.kill();
      return ended.promise;
    },
  };
}

for (let thread = 0; thread < THREADS; thread++) {
  const { end } = startingThread();
  await pause((thread * WITHIN_MS) / THREADS);
  await end();
}
startingThread();
await pause(WITHIN_MS / 3);
process.exit(0);

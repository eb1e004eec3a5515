import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { drawLabel } from '../face/rendering/disclosure.ts';
import { PatchRenderer } from '../face/rendering/patch-renderer.ts';
import { unpackAvatar } from '../face/rendering/prepared-file.ts';
import { inCriticalSection } from '../../runtime/critical-section.ts';
import { LOWEST_PRIORITY, lowerThreadPriority } from '../../runtime/thread-priority.ts';
import { makeIdleVideo } from './idle-video.ts';
import { FRAMES_PER_TURN, type FromVideoWorker, type VideoWorkerData } from './messages.ts';

/** A thread that makes one video of a face that waits, and ends. */
const port = parentPort as MessagePort;
const data = workerData as VideoWorkerData;
lowerThreadPriority(LOWEST_PRIORITY);

let state: 'making' | 'cancelled' = 'making';
port.on('message', () => (state = 'cancelled'));

async function make(): Promise<FromVideoWorker | null> {
  const avatar = unpackAvatar(data.prepared);
  const label = data.disclosure === null ? null : drawLabel(data.disclosure, avatar.height);
  const composer = makeIdleVideo({ ...data, renderer: new PatchRenderer(avatar), label });
  for (let made = 1; ; made += 1) {
    const next = inCriticalSection(() => composer.next());
    if (next.done === true) return { type: 'finished', durationMs: next.value, bytes: statSync(data.path).size };
    if (made % FRAMES_PER_TURN === 0) await nextTurn();
    if (stopped()) {
      composer.return(0);
      return null;
    }
  }
}

const stopped = (): boolean => state === 'cancelled';

// Not awaited: a thread is only ended once its module is loaded.
void make()
  .catch((error: unknown): FromVideoWorker => ({
    type: 'failed',
    message: error instanceof Error ? error.message : String(error),
  }))
  .then((last) => {
    if (last !== null) port.postMessage(last);
    port.close();
  });

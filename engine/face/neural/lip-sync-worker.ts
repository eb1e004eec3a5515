import { parentPort, workerData } from 'node:worker_threads';
import { loadLipSyncModel } from './lip-sync-model.ts';
import type { FromLipSyncWorker, ToLipSyncWorker } from './lip-sync.ts';

/** The thread that runs the model: one frame after the other, in order of request. */
if (parentPort === null) throw new Error('lip-sync-worker.ts runs as a worker.');
const port = parentPort;
const post = (message: FromLipSyncWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
const model = loadLipSyncModel((workerData as { path: string }).path);
const faces = new Map<number, Float32Array>();

port.on('message', (message: ToLipSyncWorker) => {
  switch (message.type) {
    case 'face':
      return void faces.set(message.face, message.pixels);
    case 'drop-face':
      return void faces.delete(message.face);
    case 'infer': {
      const face = faces.get(message.face);
      if (face === undefined) return post({ type: 'mouth', id: message.id, pixels: null });
      const pixels = Float32Array.from(model.infer(message.mel, face));
      return post({ type: 'mouth', id: message.id, pixels }, [pixels.buffer]);
    }
    case 'stop':
      model.close();
      port.close();
  }
});
post({ type: 'ready' });

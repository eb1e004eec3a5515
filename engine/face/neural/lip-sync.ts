import { Worker } from 'node:worker_threads';

export type ToLipSyncWorker =
  | { readonly type: 'face'; readonly face: number; readonly pixels: Float32Array }
  | { readonly type: 'drop-face'; readonly face: number }
  | { readonly type: 'infer'; readonly id: number; readonly face: number; readonly mel: Float32Array }
  | { readonly type: 'stop' };

export interface FromLipSyncWorker {
  readonly id: number;
  readonly pixels: Float32Array | null;
}

/** The model in a thread of its own, so that frames are encoded in time however long it takes. */
export interface LipSync {
  /** @param pixels [6][96][96] as the model takes them. @returns the number by which to ask. */
  addFace(pixels: Float32Array): number;
  dropFace(face: number): void;
  /**
   * Asks for the face that says these features. @param answer called later with [3][96][96], or never when the model
   * failed. @returns false when too much is waiting already: what is late is of no use.
   */
  ask(face: number, mel: Float32Array, answer: (pixels: Float32Array) => void): boolean;
  close(): void;
}

/** Half a second of frames of one face. */
const MOST_WAITING = 12;

/** @param failed told once, when the model cannot be used. From then on nothing is answered. */
export function openLipSync(path: string, failed: (message: string) => void): LipSync {
  const worker = new Worker(new URL('lip-sync-worker.ts', import.meta.url), { workerData: { path } });
  const waiting = new Map<number, (pixels: Float32Array) => void>();
  let nextId = 1;
  let state: 'open' | 'failed' | 'closed' = 'open';
  const fail = (message: string): void => {
    if (state === 'open') failed(message);
    if (state === 'open') state = 'failed';
    waiting.clear();
  };
  worker.on('message', ({ id, pixels }: FromLipSyncWorker) => {
    const answer = waiting.get(id);
    waiting.delete(id);
    if (pixels !== null) answer?.(pixels);
  });
  worker.on('error', (error: Error) => fail(error.message));
  worker.on('exit', () => fail('The lip-sync thread ended.'));
  const send = (message: ToLipSyncWorker) => {
    if (state === 'open') worker.postMessage(message);
  };
  return {
    addFace(pixels) {
      const face = nextId++;
      send({ type: 'face', face, pixels });
      return face;
    },
    dropFace: (face) => send({ type: 'drop-face', face }),
    ask(face, mel, answer) {
      if (state !== 'open' || waiting.size >= MOST_WAITING) return false;
      const id = nextId++;
      waiting.set(id, answer);
      send({ type: 'infer', id, face, mel });
      return true;
    },
    close() {
      send({ type: 'stop' });
      state = 'closed';
      waiting.clear();
    },
  };
}

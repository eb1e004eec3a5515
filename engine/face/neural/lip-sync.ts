import { inThread } from '../../../runtime/in-thread.ts';
import { SupervisedWorker } from '../../../runtime/supervised-worker.ts';

export type ToLipSyncWorker =
  | { readonly type: 'face'; readonly face: number; readonly pixels: Float32Array }
  | { readonly type: 'drop-face'; readonly face: number }
  | { readonly type: 'infer'; readonly id: number; readonly face: number; readonly mel: Float32Array }
  | { readonly type: 'stop' };

export type FromLipSyncWorker =
  /** The model is loaded. */
  | { readonly type: 'ready' }
  /** `pixels` is null when the face is not known. */
  | { readonly type: 'mouth'; readonly id: number; readonly pixels: Float32Array | null };

/**
 * The model in a thread of its own, so that frames are encoded in time even if the model is slow. A thread that dies is
 * replaced.
 */
export interface LipSync {
  /** @param pixels [6][96][96] as the model takes them. @returns the number for later requests. */
  addFace(pixels: Float32Array): number;
  dropFace(face: number): void;
  /**
   * Asks for the face that says these features. @param answer called later with [3][96][96], or never when the model
   * failed. @returns false when too many requests wait: late answers are useless.
   */
  ask(face: number, mel: Float32Array, answer: (pixels: Float32Array) => void): boolean;
  close(): Promise<void>;
  /** Ends its thread, as if it had died. */
  killForTesting(): void;
}

/** Half a second of frames of one face. */
const MAX_WAITING = 12;

/** Longer than one run of the model. */
const STOP_WITHIN_MS = 2_000;

/** @param failed called once, when the model cannot be used. From then on nothing is answered. */
export function openLipSync(path: string, failed: (message: string) => void): LipSync {
  const faces = new Map<number, Float32Array>();
  const worker = new SupervisedWorker<ToLipSyncWorker, FromLipSyncWorker>({
    name: 'The lip-sync thread',
    start: 'at once',
    // A file that is not a model will not become one.
    unreadyIsFinal: true,
    stop: { message: { type: 'stop' }, withinMs: STOP_WITHIN_MS },
    launch: inThread(new URL('lip-sync-worker.ts', import.meta.url), { name: 'lip-sync', workerData: { path } }),
    ready: ({ type }) => type === 'ready',
    message(message) {
      if (message.type === 'mouth') frames.resolve(message.id, message.pixels);
    },
    restarted() {
      for (const [face, pixels] of faces) worker.post({ type: 'face', face, pixels });
    },
    gaveUp: (error) => failed(error.message),
  });
  const frames = worker.requests<Float32Array | null>();
  let nextFace = 1;
  return {
    addFace(pixels) {
      const face = nextFace++;
      faces.set(face, pixels);
      worker.post({ type: 'face', face, pixels });
      return face;
    },
    dropFace(face) {
      faces.delete(face);
      worker.post({ type: 'drop-face', face });
    },
    ask(face, mel, answer) {
      if (!worker.running || frames.size >= MAX_WAITING) return false;
      frames
        .ask((id) => ({ type: 'infer', id, face, mel }))
        .then(
          (pixels) => pixels !== null && answer(pixels),
          // Its frame shows the drawn mouth.
          () => {},
        );
      return true;
    },
    close: () => worker.stop(),
    killForTesting: () => worker.kill(),
  };
}

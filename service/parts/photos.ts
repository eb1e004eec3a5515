import { type Blobs, PhotoReconciler, photosInBlobs, type Store } from '../../control/index.ts';
import { PhotoFolder, photosIn, type Logger, type SharedPhotos } from '../../engine/index.ts';
import { systemTimers } from '../../runtime/clock.ts';

/** The photos of avatars in a data folder. */
export interface Photos {
  /** Where the engines of all machines have them. Null: each machine has its own. */
  readonly shared: SharedPhotos | null;
  /**
   * Keeps those of the data folder in order, from now on. A supervisor does it for its engines, which have the same folder.
   * @param forget of the engine.
   */
  keep(forget: (engineKey: string) => void): void;
  close(): Promise<void>;
}

/** @param options.bucket the files that all processes share, or null. */
export function openPhotos(options: { dataDir: string; store: Store; bucket: Blobs | null; log: Logger }): Photos {
  const { dataDir, store, bucket, log } = options;
  const shared = bucket === null ? null : photosInBlobs(bucket);
  const folder = new PhotoFolder(photosIn(dataDir));
  let reconciler: PhotoReconciler | null = null;
  return {
    shared,
    keep(forget) {
      reconciler = new PhotoReconciler({ store, folder, shared, forget, log, now: Date.now, timers: systemTimers });
      reconciler.start();
    },
    close: async () => reconciler?.close(),
  };
}

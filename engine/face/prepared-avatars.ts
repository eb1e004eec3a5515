import { type AvatarMemory, createAvatarMemory } from './avatar-memory.ts';
import type { Preparer } from './prepare/preparer.ts';
import type { Need } from './prepare/urgency.ts';
import type { OpenedFile } from './rendering/mapped-file.ts';
import type { PreparedMemory } from './rendering/prepared-memory.ts';
import { VIDEO_SIZES } from './video-sizes.ts';
import type { WorkerPool } from './worker-pool.ts';

/** An avatar that is prepared or being prepared. */
export interface PreparedFace {
  /** Resolves when sessions can show it. */
  readonly shown: Promise<void>;
  readonly whole: Promise<PreparedMemory>;
  wantedBy(need: Need): void;
}

/** The avatars that video workers can show, and those that are on the way there. */
export class PreparedAvatars {
  readonly #pool: Pick<WorkerPool, 'warm' | 'remember' | 'forget'>;
  readonly #preparer: Pick<Preparer, 'prepare'>;
  readonly #memory: AvatarMemory;
  readonly #ready = new Map<string, PreparedFace>();

  /** @param mostBytes of avatars that nobody shows. */
  constructor(
    pool: Pick<WorkerPool, 'warm' | 'remember' | 'forget'>,
    preparer: Pick<Preparer, 'prepare'>,
    mostBytes: number,
  ) {
    this.#pool = pool;
    this.#preparer = preparer;
    this.#memory = createAvatarMemory(mostBytes);
  }

  /** Prepares an avatar, unless it is prepared or being prepared: then one more caller wants it. */
  prepare(need: Need, engineKey: string, width: number, height: number): PreparedFace {
    if (!VIDEO_SIZES.some((size) => size.width === width && size.height === height)) {
      const wrong = Promise.reject(new RangeError(`A face cannot be shown at ${width}×${height}.`));
      wrong.catch(() => {});
      return { shown: wrong, whole: wrong, wantedBy() {} };
    }
    this.#pool.warm();
    const key = avatarKey(engineKey, width, height);
    const known = this.#ready.get(key);
    this.#memory.touch(key);
    known?.wantedBy(need);
    return known ?? this.#begin(need, engineKey, width, height);
  }

  /** Keeps an avatar in memory while somebody shows it. @returns ends that. */
  hold(engineKey: string, width: number, height: number): () => void {
    return this.#memory.hold(avatarKey(engineKey, width, height));
  }

  /** Gives up one that nobody shows. Its next session finds it on the disk. */
  letGo(engineKey: string, width: number, height: number): void {
    this.#memory.letGo(avatarKey(engineKey, width, height));
  }

  /** In all sizes. */
  forget(engineKey: string): void {
    for (const { width, height } of VIDEO_SIZES) this.#drop(avatarKey(engineKey, width, height));
  }

  #begin(need: Need, engineKey: string, width: number, height: number): PreparedFace {
    const key = avatarKey(engineKey, width, height);
    const { begun, whole, wantedBy } = this.#preparer.prepare(engineKey, width, height, need);
    const shown = begun.then((shared) => {
      const close = (): void => void ('close' in shared && (shared as OpenedFile).close());
      // It was deleted while it was drawn: nobody may keep it.
      if (this.#ready.get(key) !== face) return close();
      const prepared = plain(shared);
      this.#pool.remember(key, { type: 'avatar', engineKey, width, height, prepared });
      this.#memory.add(key, bytesIn(shared), () => {
        close();
        this.#ready.delete(key);
        this.#pool.forget(key, { type: 'forget-avatar', engineKey, width, height });
      });
    });
    const face: PreparedFace = { shown, whole, wantedBy };
    this.#ready.set(key, face);
    // A failure is not remembered: the next session tries again.
    Promise.all([shown, whole]).catch(() => {
      if (this.#ready.get(key) === face) this.#drop(key);
    });
    return face;
  }

  #drop(key: string): void {
    this.#memory.forget(key);
    this.#ready.delete(key);
  }
}

/** Without what cannot be sent to a thread. */
function plain(prepared: PreparedMemory): PreparedMemory {
  if (prepared instanceof SharedArrayBuffer) return prepared;
  const { path, device, inode, bytes } = prepared;
  return { path, device, inode, bytes };
}

function bytesIn(prepared: PreparedMemory): number {
  return prepared instanceof SharedArrayBuffer ? prepared.byteLength : prepared.bytes;
}

function avatarKey(engineKey: string, width: number, height: number): string {
  return `${engineKey} ${width}x${height}`;
}

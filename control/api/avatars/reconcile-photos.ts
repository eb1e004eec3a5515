import type { KeptPhoto, Logger, PhotoFolder } from '../../../engine/index.ts';
import type { Timers } from '../../../runtime/clock.ts';
import type { Store } from '../../store/open.ts';
import type { PhotosInBlobs } from './photos-in-blobs.ts';

/** ms. So an avatar that was deleted through another process leaves the disk within two hours. */
const EVERY_MS = 3_600_000;
/** When the database or the bucket did not answer, ms. */
const AGAIN_MS = 60_000;
/** An avatar gets its row after its photo, and a session that is going on may still read it, ms. */
const UNUSED_MS = 3_600_000;
/**
 * On disk, an avatar has 28 MB at 720×480, 71 and 83 MB more at the two larger sizes, and its idle loops. Those that were
 * unused for longest are deleted beyond this: they are fetched and drawn again.
 */
const MAX_BYTES = 4_000_000_000;
/** Photos whose rows are looked for at a time. */
const STEP = 500;

export interface PhotoReconcilerOptions {
  readonly store: Store;
  readonly folder: PhotoFolder;
  /** Null: this process has the only copy of each. */
  readonly shared: PhotosInBlobs | null;
  /** Drops what the engine has in memory of an avatar that was deleted. */
  readonly forget: (engineKey: string) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Ms since the epoch. */
  readonly now: () => number;
  readonly timers: Timers;
  /** @defaultValue `MAX_BYTES` */
  readonly mostBytes?: number;
}

/**
 * Puts the photo avatars of this machine in order, at the start and every hour: those without a row were deleted through
 * another process, and go; those that the others cannot have yet, because they were made without a bucket, are sent; and of
 * those that can be fetched again, not too many are kept.
 */
export class PhotoReconciler {
  readonly #options: PhotoReconcilerOptions;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #timer: unknown = null;

  constructor(options: PhotoReconcilerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#options.timers.clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, timers } = this.#options;
    const wentWell = await this.putInOrder().then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, 'the photos of avatars could not be put in order; it is tried again');
        return false;
      },
    );
    if (!this.#closing.signal.aborted)
      this.#timer = timers.setTimeout(() => this.start(), wentWell ? EVERY_MS : AGAIN_MS);
  }

  async putInOrder(): Promise<void> {
    const { folder, shared, log, now, mostBytes = MAX_BYTES } = this.#options;
    const unusedBefore = now() - UNUSED_MS;
    await folder.removeUnfinished(unusedBefore);
    const kept = await folder.list();
    const known = await this.#withRows(kept.map(({ engineKey }) => engineKey));
    const deleted = await this.#forget(
      kept.filter(({ engineKey, usedAt }) => !known.has(engineKey) && usedAt < unusedBefore),
    );
    if (deleted > 0) log.info({ photos: deleted }, 'photos of deleted avatars were deleted here');
    const avatars = kept.filter(({ engineKey }) => known.has(engineKey));
    if (shared === null || avatars.length === 0) return;
    const { safe, sent } = await this.#send(avatars, shared);
    if (sent > 0) log.info({ photos: sent }, 'photos of avatars were given to the other processes');
    const unused = await this.#makeRoom(safe, unusedBefore, mostBytes);
    if (unused > 0) log.info({ photos: unused }, 'photos of avatars were deleted here that were long unused');
  }

  async #withRows(engineKeys: readonly string[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (let from = 0; from < engineKeys.length; from += STEP) {
      const some = engineKeys.slice(from, from + STEP);
      const { db } = this.#options.store;
      const rows = await db.selectFrom('avatars').select('engine_key').where('engine_key', 'in', some).execute();
      for (const row of rows) known.add(row.engine_key);
    }
    return known;
  }

  /** @returns how many. */
  async #forget(deleted: readonly KeptPhoto[]): Promise<number> {
    const { folder, shared, forget } = this.#options;
    let forgotten = 0;
    for (const { engineKey } of deleted) {
      if (this.#closing.signal.aborted) break;
      forget(engineKey);
      await folder.remove(engineKey);
      await shared?.remove(engineKey);
      forgotten += 1;
    }
    return forgotten;
  }

  /** @returns those that can be fetched again, and how many could not before. */
  async #send(
    avatars: readonly KeptPhoto[],
    shared: PhotosInBlobs,
  ): Promise<{ readonly safe: readonly KeptPhoto[]; readonly sent: number }> {
    const { folder, log } = this.#options;
    const there = await shared.list();
    const safe = avatars.filter(({ engineKey }) => there.has(engineKey));
    let sent = 0;
    for (const avatar of avatars) {
      const { engineKey } = avatar;
      if (this.#closing.signal.aborted) break;
      if (there.has(engineKey)) continue;
      try {
        await shared.write(engineKey, await folder.pack(engineKey));
        safe.push(avatar);
        sent += 1;
      } catch (error) {
        log.warn({ engineKey, err: error }, 'the photo of an avatar could not be given to the other processes');
      }
    }
    return { safe, sent };
  }

  /** @returns how many were deleted. */
  async #makeRoom(safe: readonly KeptPhoto[], unusedBefore: number, mostBytes: number): Promise<number> {
    let bytes = safe.reduce((sum, photo) => sum + photo.bytes, 0);
    let deleted = 0;
    for (const photo of safe.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (bytes <= mostBytes || photo.usedAt >= unusedBefore || this.#closing.signal.aborted) break;
      await this.#options.folder.remove(photo.engineKey);
      bytes -= photo.bytes;
      deleted += 1;
    }
    return deleted;
  }
}

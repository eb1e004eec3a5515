import type { Selectable } from 'kysely';
import type { Store } from '../store/open.ts';
import type { AvatarVideoRow } from '../store/tables.ts';

/** If a process reports nothing about a video for this long, it is gone, and another one may make the video. */
export const ABANDONED_MS = 20_000;
/** A video that ended the process this often is not started again. */
const MOST_ATTEMPTS = 3;

/**
 * The states of a video as they are in the database: queued → processing → completed | failed, and cancelled from the
 * first two. Every step names the state that it leaves, so that of two who try only one succeeds.
 */
export class VideoRows {
  readonly #store: Store;
  readonly #now: () => number;

  /** @param now ms since the epoch. */
  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * Takes the oldest queued video. @param lastServed other organizations come before this one, so that nobody waits
   * behind the long queue of another.
   */
  async claim(lastServed: string | null): Promise<Selectable<AvatarVideoRow> | null> {
    for (;;) {
      const queued = this.#store.db
        .selectFrom('avatar_videos')
        .selectAll()
        .where('status', '=', 'queued')
        .orderBy('created_at')
        .orderBy('id')
        .limit(1);
      const other =
        lastServed === null ? undefined : await queued.where('organization_id', '!=', lastServed).executeTakeFirst();
      const row = other ?? (await queued.executeTakeFirst());
      if (row === undefined) return null;
      const taken = await this.#step(row.id, 'queued', {
        status: 'processing',
        progress: 0,
        attempts: row.attempts + 1,
      });
      if (taken) return { ...row, status: 'processing', attempts: row.attempts + 1 };
    }
  }

  /** Reports that a process works on it. @returns false if the video is no longer to be made. */
  advance(id: string, progress: number): Promise<boolean> {
    return this.#step(id, 'processing', { progress });
  }

  /** @returns false when it was cancelled in the meantime. */
  complete(id: string, file: { key: string; bytes: number; durationMs: number }): Promise<boolean> {
    return this.#step(id, 'processing', {
      status: 'completed',
      progress: 1,
      blob_key: file.key,
      file_size: file.bytes,
      duration_seconds: file.durationMs / 1000,
      completed_at: this.#isoNow(),
    });
  }

  /** @param message is shown to the customer. */
  fail(id: string, message: string): Promise<boolean> {
    return this.#step(id, 'processing', { status: 'failed', error_message: message });
  }

  /** It is made again later from the beginning, and the attempt does not count. */
  giveBack(row: Pick<AvatarVideoRow, 'id' | 'attempts'>): Promise<boolean> {
    return this.#step(row.id, 'processing', { status: 'queued', progress: 0, attempts: row.attempts - 1 });
  }

  /** Queues the videos of a process that is gone. */
  async requeueAbandoned(): Promise<void> {
    const before = new Date(this.#now() - ABANDONED_MS).toISOString();
    const abandoned = () =>
      this.#store.db.updateTable('avatar_videos').where('status', '=', 'processing').where('updated_at', '<', before);
    await abandoned()
      .where('attempts', '>=', MOST_ATTEMPTS)
      .set({
        status: 'failed',
        error_message: 'The service stopped each time while it made this video.',
        updated_at: this.#isoNow(),
      })
      .execute();
    await abandoned().set({ status: 'queued', progress: 0, updated_at: this.#isoNow() }).execute();
  }

  async #step(id: string, from: AvatarVideoRow['status'], change: Partial<AvatarVideoRow>): Promise<boolean> {
    const { numUpdatedRows } = await this.#store.db
      .updateTable('avatar_videos')
      .set({ ...change, updated_at: this.#isoNow() })
      .where('id', '=', id)
      .where('status', '=', from)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  #isoNow(): string {
    return new Date(this.#now()).toISOString();
  }
}

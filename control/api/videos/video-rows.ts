import type { Compilable, Selectable } from 'kysely';
import { videoEvent } from '../../events/outbox.ts';
import { secondsOf } from '../../http/seconds.ts';
import type { Store } from '../../store/open.ts';
import type { AvatarVideoRow } from '../../store/tables.ts';

/** A video that ended the process this often is not started again. */
const MAX_ATTEMPTS = 3;
/** Videos that are looked at in one go. */
const STEP = 50;

export type StoredVideo = Selectable<AvatarVideoRow>;
/** A video as one process makes it. The number of the attempt keeps the late writes of an earlier one out. */
export type Attempt = Pick<StoredVideo, 'id' | 'attempts'>;

/**
 * The states of a video as they are in the database: queued → processing → completed | failed, and cancelled from the
 * first two. Whoever works on one holds its claim. Every step names the state and the attempt that it leaves.
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
   * @param lastServed other organizations come before this one, so that nobody waits behind the long queue of another.
   * @returns queued videos, the oldest first.
   */
  async queued(lastServed: string | null): Promise<StoredVideo[]> {
    return this.#store.db
      .selectFrom('avatar_videos')
      .selectAll()
      .where('status', '=', 'queued')
      .orderBy((eb) =>
        eb
          .case()
          .when('organization_id', '=', lastServed ?? '')
          .then(1)
          .else(0)
          .end(),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(STEP)
      .execute();
  }

  /** @returns those that processes work on, or left when they were killed. */
  async processing(): Promise<Attempt[]> {
    return this.#store.db
      .selectFrom('avatar_videos')
      .select(['id', 'attempts'])
      .where('status', '=', 'processing')
      .execute();
  }

  /** @returns null: it was cancelled, or another process was faster. */
  async begin(row: StoredVideo): Promise<StoredVideo | null> {
    const begun = { status: 'processing', progress: 0, attempts: row.attempts + 1 } as const;
    return (await this.#step(row, 'queued', begun)) ? { ...row, ...begun } : null;
  }

  /** Reports how far it is. @returns false if the video is no longer to be made. */
  advance(attempt: Attempt, progress: number): Promise<boolean> {
    return this.#step(attempt, 'processing', { progress });
  }

  /** @returns false when it was cancelled in the meantime, or another process makes it. */
  complete(attempt: Attempt, file: { key: string; bytes: number; durationMs: number }): Promise<boolean> {
    const { db } = this.#store;
    const data = { videoId: attempt.id, durationSeconds: secondsOf(file.durationMs) };
    const completed = {
      status: 'completed',
      progress: 1,
      blob_key: file.key,
      file_size: file.bytes,
      duration_seconds: data.durationSeconds,
      completed_at: this.#isoNow(),
    } as const;
    return this.#step(attempt, 'processing', completed, [
      videoEvent(db, attempt.id, { type: 'video.ready', data, at: this.#now() }),
    ]);
  }

  /** @param message is shown to the customer. */
  fail(attempt: Attempt, message: string): Promise<boolean> {
    return this.#step(attempt, 'processing', { status: 'failed', error_message: message });
  }

  /** It is made again later from the beginning, and the attempt does not count. */
  giveBack(attempt: Attempt): Promise<boolean> {
    return this.#step(attempt, 'processing', { status: 'queued', progress: 0, attempts: attempt.attempts - 1 });
  }

  /** Queues a video of a process that is gone, unless it ended one too often. @returns whether it is queued. */
  async takeOver(attempt: Attempt): Promise<boolean> {
    if (attempt.attempts < MAX_ATTEMPTS) return this.#step(attempt, 'processing', { status: 'queued', progress: 0 });
    await this.fail(attempt, 'The service stopped each time while it made this video.');
    return false;
  }

  #step(
    { id, attempts }: Attempt,
    from: AvatarVideoRow['status'],
    change: Partial<AvatarVideoRow>,
    also: readonly Compilable[] = [],
  ): Promise<boolean> {
    const step = this.#store.db
      .updateTable('avatar_videos')
      .set({ ...change, updated_at: this.#isoNow() })
      .where('id', '=', id)
      .where('status', '=', from)
      .where('attempts', '=', attempts);
    return this.#store.atomicallyIfFound(step, also);
  }

  #isoNow(): string {
    return new Date(this.#now()).toISOString();
  }
}

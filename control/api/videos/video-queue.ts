import { rm } from 'node:fs/promises';
import { canAct } from '../../../actors/director-cues/director-cue.ts';
import type { AvatarVideoRequest, Logger, RenderedVideo } from '../../../engine/index.ts';
import type { VideoRenderer } from '../../ports.ts';
import type { JobQueue, Outcome } from '../../jobs/job-queue.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { Claims } from '../../store/claims.ts';
import type { Store } from '../../store/open.ts';
import type { AvatarVideoRow } from '../../store/tables.ts';
import type { VideoOptions } from './video-routes.ts';
import { type StoredVideo, VideoRows } from './video-rows.ts';

/** How often progress is written and a cancellation by another process is noticed. */
const HEARTBEAT_MS = 2_000;
/** When a job is handed out again that found no room here, or whose process stops, ms: another process may have room. */
const AGAIN_MS = 1_000;

export interface VideoQueueOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  /** The engine's. Null: there is none here, and other processes make the videos. */
  readonly render: ((request: AvatarVideoRequest) => Promise<RenderedVideo>) | null;
  /** False while every slot is taken by live sessions: videos share the pool, and they can wait. */
  readonly mayStart: () => boolean;
  readonly log: Logger;
  /** Ms since the epoch. */
  readonly now: () => number;
  readonly jobs: JobQueue;
  readonly claims: Claims;
}

/** Makes queued videos, one at a time. If the process ends during one, another process makes it again. */
export interface VideoQueue extends VideoRenderer {
  /** Adds jobs for what waits, and for what processes left that are gone. */
  resume(): Promise<void>;
  /** Stops; the current video goes back into the queue. */
  close(): Promise<void>;
}

interface InWork {
  readonly row: StoredVideo;
  readonly stop: AbortController;
  progress: number;
}

/**
 * Each job stands for one video that waits, not for a certain one: which one is made next is decided when a process has
 * room, so that organizations come in turn.
 */
export function openVideoQueue(options: VideoQueueOptions): VideoQueue {
  const maker = new VideoMaker(options);
  const { jobs, log, render } = options;
  if (render !== null) jobs.process('video', 1, () => maker.makeNext(render));
  return {
    resume: () => maker.resume(),
    wake() {
      maker.resume().catch((error: unknown) => log.warn({ err: error }, 'queued videos could not be looked at'));
    },
    async close() {
      maker.stop();
      await jobs.idle('video');
    },
  };
}

type Render = NonNullable<VideoQueueOptions['render']>;

/** Makes one video at a time. */
class VideoMaker {
  readonly #options: VideoQueueOptions;
  readonly #rows: VideoRows;
  readonly #closing = new AbortController();
  #inWork: InWork | null = null;
  #lastServed: string | null = null;

  constructor(options: VideoQueueOptions) {
    this.#options = options;
    this.#rows = new VideoRows(options.store, options.now);
  }

  async makeNext(render: Render): Promise<Outcome> {
    if (this.#closing.signal.aborted || !this.#options.mayStart()) return { againInMs: AGAIN_MS };
    await this.#takeOverAbandoned();
    for (const queued of await this.#rows.queued(this.#lastServed)) {
      const claim = await this.#options.claims.take(claimOf(queued));
      if (claim === null) continue;
      try {
        const row = await this.#rows.begin(queued);
        if (row === null) continue;
        this.#lastServed = row.organization_id;
        return await this.#make(row, render, claim.lost);
      } finally {
        await claim.release();
      }
    }
  }

  /** Adds jobs for what waits, and for what processes left that are gone. */
  async resume(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    // Perhaps this video was cancelled.
    if (this.#inWork !== null) await this.#advance(this.#inWork);
    await this.#takeOverAbandoned();
    for (const { id } of await this.#rows.queued(this.#lastServed)) await this.#options.jobs.add('video', id);
  }

  stop(): void {
    this.#closing.abort(new Error('The service is stopping.'));
  }

  /** @param lost another process has the claim. */
  async #make(row: StoredVideo, render: Render, lost: AbortSignal): Promise<Outcome> {
    const { blobs, log } = this.#options;
    const work: InWork = { row, stop: new AbortController(), progress: 0 };
    this.#inWork = work;
    const heartbeat = setInterval(() => void this.#advance(work), HEARTBEAT_MS);
    const elsewhere = AbortSignal.any([this.#closing.signal, lost]);
    const path = await blobs.incoming();
    try {
      const signal = AbortSignal.any([work.stop.signal, elsewhere]);
      const onProgress = (share: number): void => void (work.progress = share);
      const made = await render({ ...renderRequest(row), path, signal, onProgress });
      await this.#keep(row, path, made);
    } catch (error) {
      await rm(path, { force: true });
      if (elsewhere.aborted) {
        await this.#rows.giveBack(row);
        return { againInMs: AGAIN_MS };
      }
      if (!work.stop.signal.aborted) {
        log.warn({ videoId: row.id, err: error }, 'an avatar video could not be made');
        await this.#rows.fail(row, error instanceof Error ? error.message : String(error));
      }
    } finally {
      clearInterval(heartbeat);
      this.#inWork = null;
    }
  }

  async #keep(row: StoredVideo, path: string, { durationMs, bytes }: RenderedVideo): Promise<void> {
    const { blobs, log } = this.#options;
    // A process that stood still must neither replace nor remove the file of the one that took over.
    const key = `videos/${row.id}-${row.attempts}.mp4`;
    await blobs.adopt(key, path);
    if (!(await this.#rows.complete(row, { key, bytes, durationMs }))) await blobs.remove(key);
    log.info({ videoId: row.id, durationMs, bytes }, 'an avatar video is ready');
  }

  async #advance({ row, progress, stop }: InWork): Promise<void> {
    try {
      if (!(await this.#rows.advance(row, progress))) stop.abort(new Error('The video was cancelled.'));
    } catch (error) {
      this.#options.log.warn({ videoId: row.id, err: error }, 'the progress of a video could not be written');
    }
  }

  /** A video that is being made is claimed. One that is not claimed was left by a process that is gone. */
  async #takeOverAbandoned(): Promise<void> {
    for (const attempt of await this.#rows.processing()) {
      const claim = await this.#options.claims.take(claimOf(attempt));
      if (claim === null) continue;
      await this.#rows.takeOver(attempt).finally(() => claim.release());
    }
  }
}

const claimOf = ({ id }: Pick<StoredVideo, 'id'>): string => `video ${id}`;

function renderRequest(row: AvatarVideoRow): Omit<AvatarVideoRequest, 'path' | 'signal'> {
  const { engineKey, voice, languageCode, directorNotes, showAIAvatarDisclosure } = JSON.parse(
    row.options_json,
  ) as VideoOptions;
  return {
    script: row.script,
    engineKey,
    width: row.width,
    height: row.height,
    provider: voice.provider,
    providerVoiceId: voice.providerVoiceId,
    language: languageCode,
    tuning: voice.tuning,
    disclosure: showAIAvatarDisclosure,
    acts: canAct(row.avatar_model),
    expressivity: directorNotes?.expressivity ?? null,
    baselineStyle: directorNotes?.presetStyle ?? null,
  };
}

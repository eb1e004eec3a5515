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
  const { blobs, claims, jobs, log, render } = options;
  const rows = new VideoRows(options.store, options.now);
  const closing = new AbortController();
  let inWork: InWork | null = null;
  let lastServed: string | null = null;

  async function work(render: NonNullable<VideoQueueOptions['render']>): Promise<Outcome> {
    if (closing.signal.aborted || !options.mayStart()) return { againInMs: AGAIN_MS };
    await takeOverAbandoned();
    for (const queued of await rows.queued(lastServed)) {
      const claim = await claims.take(claimOf(queued));
      if (claim === null) continue;
      try {
        const row = await rows.begin(queued);
        if (row === null) continue;
        lastServed = row.organization_id;
        return await make(row, render, claim.lost);
      } finally {
        await claim.release();
      }
    }
  }

  async function make(
    row: StoredVideo,
    render: NonNullable<VideoQueueOptions['render']>,
    lost: AbortSignal,
  ): Promise<Outcome> {
    const work: InWork = { row, stop: new AbortController(), progress: 0 };
    inWork = work;
    const heartbeat = setInterval(() => void advance(work), HEARTBEAT_MS);
    const elsewhere = AbortSignal.any([closing.signal, lost]);
    const path = await blobs.incoming();
    try {
      const signal = AbortSignal.any([work.stop.signal, elsewhere]);
      const { durationMs, bytes } = await render({
        ...renderRequest(row),
        path,
        signal,
        onProgress: (share) => (work.progress = share),
      });
      // A process that stood still must neither replace nor remove the file of the one that took over.
      const key = `videos/${row.id}-${row.attempts}.mp4`;
      await blobs.adopt(key, path);
      if (!(await rows.complete(row, { key, bytes, durationMs }))) await blobs.remove(key);
      log.info({ videoId: row.id, durationMs, bytes }, 'an avatar video is ready');
    } catch (error) {
      await rm(path, { force: true });
      if (elsewhere.aborted) {
        await rows.giveBack(row);
        return { againInMs: AGAIN_MS };
      }
      if (!work.stop.signal.aborted) {
        log.warn({ videoId: row.id, err: error }, 'an avatar video could not be made');
        await rows.fail(row, error instanceof Error ? error.message : String(error));
      }
    } finally {
      clearInterval(heartbeat);
      inWork = null;
    }
  }

  async function advance({ row, progress, stop }: InWork): Promise<void> {
    try {
      if (!(await rows.advance(row, progress))) stop.abort(new Error('The video was cancelled.'));
    } catch (error) {
      log.warn({ videoId: row.id, err: error }, 'the progress of a video could not be written');
    }
  }

  /** A video that is being made is claimed. One that is not claimed was left by a process that is gone. */
  async function takeOverAbandoned(): Promise<void> {
    for (const attempt of await rows.processing()) {
      const claim = await claims.take(claimOf(attempt));
      if (claim === null) continue;
      await rows.takeOver(attempt).finally(() => claim.release());
    }
  }

  async function resume(): Promise<void> {
    if (closing.signal.aborted) return;
    // Perhaps this video was cancelled.
    if (inWork !== null) await advance(inWork);
    await takeOverAbandoned();
    for (const { id } of await rows.queued(lastServed)) await jobs.add('video', id);
  }

  if (render !== null) jobs.process('video', 1, () => work(render));
  return {
    resume,
    wake() {
      resume().catch((error: unknown) => log.warn({ err: error }, 'queued videos could not be looked at'));
    },
    async close() {
      closing.abort(new Error('The service is stopping.'));
      await jobs.idle('video');
    },
  };
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

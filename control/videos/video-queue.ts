import { rm } from 'node:fs/promises';
import { canAct } from '../../actors/director-cues/director-cue.ts';
import type { AvatarVideoRequest, Logger, RenderedVideo } from '../../engine/index.ts';
import type { VideoRenderer } from '../ports.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Store } from '../store/open.ts';
import type { AvatarVideoRow } from '../store/tables.ts';
import type { VideoOptions } from './video-routes.ts';
import { VideoRows } from './video-rows.ts';

/** How often progress is written and a cancellation by another process is noticed. */
const HEARTBEAT_MS = 2_000;
/**
 * How often the table is checked without a call: for videos that another process left, and for a slot that has become
 * free.
 */
const LOOK_EVERY_MS = 10_000;

export interface VideoQueueOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  /** The engine's. */
  readonly render: (request: AvatarVideoRequest) => Promise<RenderedVideo>;
  /** False while every slot is taken by live sessions: videos share the pool, and they can wait. */
  readonly mayStart: () => boolean;
  readonly log: Logger;
  /** Ms since the epoch. */
  readonly now: () => number;
}

/** Makes queued videos, one at a time. If the process ends during one, the next process makes it again. */
export interface VideoQueue extends VideoRenderer {
  /** Stops; the current video goes back into the queue. */
  close(): Promise<void>;
}

interface InWork {
  readonly id: string;
  readonly stop: AbortController;
  progress: number;
}

/** The first `wake` starts it. */
export function openVideoQueue(options: VideoQueueOptions): VideoQueue {
  const { log } = options;
  const rows = new VideoRows(options.store, options.now);
  const closing = new AbortController();
  let inWork: InWork | null = null;
  let lastServed: string | null = null;
  /** One pass over the queue at a time. A call meanwhile causes another pass after it. */
  let pass: Promise<void> | null = null;
  let again = false;

  async function workThrough(): Promise<void> {
    await rows.requeueAbandoned();
    while (!closing.signal.aborted && options.mayStart()) {
      const row = await rows.claim(lastServed);
      if (row === null) return;
      lastServed = row.organization_id;
      await make(row);
    }
  }

  async function make(row: AvatarVideoRow): Promise<void> {
    const work: InWork = { id: row.id, stop: new AbortController(), progress: 0 };
    inWork = work;
    const heartbeat = setInterval(() => void advance(work), HEARTBEAT_MS);
    const path = await options.blobs.incoming();
    try {
      const signal = AbortSignal.any([work.stop.signal, closing.signal]);
      const { durationMs, bytes } = await options.render({
        ...renderRequest(row),
        path,
        signal,
        onProgress: (share) => (work.progress = share),
      });
      const key = `videos/${row.id}.mp4`;
      await options.blobs.adopt(key, path);
      if (!(await rows.complete(row.id, { key, bytes, durationMs }))) await options.blobs.remove(key);
      log.info({ videoId: row.id, durationMs, bytes }, 'an avatar video is ready');
    } catch (error) {
      await rm(path, { force: true });
      if (closing.signal.aborted) await rows.giveBack(row);
      else if (!work.stop.signal.aborted) {
        log.warn({ videoId: row.id, err: error }, 'an avatar video could not be made');
        await rows.fail(row.id, error instanceof Error ? error.message : String(error));
      }
    } finally {
      clearInterval(heartbeat);
      inWork = null;
    }
  }

  async function advance({ id, progress, stop }: InWork): Promise<void> {
    try {
      if (!(await rows.advance(id, progress))) stop.abort(new Error('The video was cancelled.'));
    } catch (error) {
      log.warn({ videoId: id, err: error }, 'the progress of a video could not be written');
    }
  }

  function wake(): void {
    if (closing.signal.aborted) return;
    if (pass !== null) {
      again = true;
      // Perhaps this video was cancelled.
      if (inWork !== null) void advance(inWork);
      return;
    }
    again = false;
    pass = onePass();
  }

  async function onePass(): Promise<void> {
    try {
      await workThrough();
    } catch (error) {
      log.error({ err: error }, 'the queue of videos stopped; it is looked at again soon');
    }
    pass = null;
    if (again) wake();
  }

  const timer = setInterval(wake, LOOK_EVERY_MS);
  timer.unref();
  return {
    wake,
    async close() {
      clearInterval(timer);
      closing.abort(new Error('The service is stopping.'));
      await pass;
    },
  };
}

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

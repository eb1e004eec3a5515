import { randomUUID } from 'node:crypto';
import type { AvatarVideoRequest, RenderedVideo } from '../../../engine/index.ts';
import type { Timers } from '../../../runtime/clock.ts';

/** A video request as it goes to another process. */
export type RemoteVideoRequest = Omit<AvatarVideoRequest, 'signal' | 'onProgress'>;

/** What an engine process does for videos. */
export type VideoFunctions = {
  /** Makes a video, without a limit of time. @param name of this piece of work. */
  renderVideo: (name: string, request: RemoteVideoRequest) => Promise<RenderedVideo>;
  /** 0…1; null: it does not work on it. */
  videoProgress: (name: string) => Promise<number | null>;
  cancelVideo: (name: string) => Promise<void>;
};

/** An engine process that can be called. */
export interface VideoMaker {
  call<Name extends keyof VideoFunctions>(
    name: Name,
    withinMs: number,
    ...args: Parameters<VideoFunctions[Name]>
  ): Promise<Awaited<ReturnType<VideoFunctions[Name]>>>;
}

/** Longer than any video takes, ms. */
const MAX_MS = 86_400_000;
const ANSWER_MS = 5_000;
/** How often progress is asked, ms. */
const ASK_EVERY_MS = 1_000;

/** Makes a video in an engine process. @throws as `AvatarVideos.render`, and when the process ends. */
export async function renderElsewhere(
  maker: VideoMaker,
  { signal, onProgress, ...request }: AvatarVideoRequest,
  timers: Timers,
): Promise<RenderedVideo> {
  signal.throwIfAborted();
  const name = randomUUID();
  let timer: unknown = null;
  const askLater = (): void => {
    timer = timers.setTimeout(() => {
      maker.call('videoProgress', ANSWER_MS, name).then(
        (share) => {
          if (share !== null) onProgress?.(share);
          askLater();
        },
        // It is over, or will be: the video itself says so.
        () => {},
      );
    }, ASK_EVERY_MS);
  };
  const cancel = (): void => void maker.call('cancelVideo', ANSWER_MS, name).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  askLater();
  try {
    return await maker.call('renderVideo', MAX_MS, name, request);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    timers.clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

/** What an engine process does for that. */
export function videoFunctions(render: (request: AvatarVideoRequest) => Promise<RenderedVideo>): VideoFunctions {
  const inWork = new Map<string, { readonly stop: AbortController; share: number }>();
  return {
    async renderVideo(name, request) {
      const work = { stop: new AbortController(), share: 0 };
      inWork.set(name, work);
      try {
        return await render({ ...request, signal: work.stop.signal, onProgress: (share) => (work.share = share) });
      } finally {
        inWork.delete(name);
      }
    },
    videoProgress: async (name) => inWork.get(name)?.share ?? null,
    async cancelVideo(name) {
      inWork.get(name)?.stop.abort(new Error('The video was cancelled.'));
    },
  };
}

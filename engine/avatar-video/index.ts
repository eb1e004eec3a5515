import { ProviderError, type SpeechSynthesizer } from '../../models/ports.ts';
import { copyOf, DISCLOSURE_TEXT, type FaceEngine } from '../face/index.ts';
import type { Timers } from '../../runtime/clock.ts';
import {
  renderIdleVideo,
  renderVideo,
  type AvatarVideoRequest,
  type IdleVideoRequest,
  type RenderedVideo,
} from './render-video.ts';
import { abortable } from '../../runtime/abortable.ts';

export type { AvatarVideoRequest, IdleVideoRequest, RenderedVideo } from './render-video.ts';

/**
 * Makes videos of avatars that speak a script. How many at a time is the caller's choice; one uses the whole machine.
 */
export interface AvatarVideos {
  /**
   * Script in, MP4 out (H.264 and AAC, 25 frames a second, index in front).
   * @throws Error with a message fit for the customer; `request.signal.reason` when it fired. No file is left then.
   */
  render(request: AvatarVideoRequest): Promise<RenderedVideo>;
  /** The avatar as it waits, without sound; it ends as it begins. @throws as `render`. */
  renderIdle(request: IdleVideoRequest): Promise<RenderedVideo>;
  /** Gives up what is in the making. */
  close(): Promise<void>;
}

export class VideosClosedError extends Error {
  override readonly name = 'VideosClosedError';
  constructor() {
    super('The engine is stopping.');
  }
}

/** @param parts.synthesizers by provider. They stay the caller's. */
export function createAvatarVideos(parts: {
  face: Pick<FaceEngine, 'prepared'>;
  synthesizers: Readonly<Record<string, SpeechSynthesizer>>;
  timers: Timers;
}): AvatarVideos {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  async function render(request: AvatarVideoRequest): Promise<RenderedVideo> {
    const synthesizer = Object.hasOwn(parts.synthesizers, request.provider)
      ? parts.synthesizers[request.provider]
      : undefined;
    if (synthesizer === undefined)
      throw new ProviderError(
        request.provider,
        'unavailable',
        `The TTS provider "${request.provider}" is not configured.`,
      );
    const { signal, look } = await begin(request);
    return renderVideo({ ...request, signal }, { ...look, synthesizer, timers: parts.timers });
  }

  async function renderIdle(request: IdleVideoRequest): Promise<RenderedVideo> {
    const { signal, look } = await begin(request);
    return renderIdleVideo({ ...request, signal }, look);
  }

  /** Waits for the avatar. */
  async function begin(request: IdleVideoRequest) {
    const signal = AbortSignal.any([request.signal, closing.signal]);
    const kept = await abortable(parts.face.prepared(request.engineKey, request.width, request.height), signal);
    const prepared = copyOf(kept);
    return { signal, look: { prepared, disclosureText: request.disclosure ? DISCLOSURE_TEXT : null } };
  }

  /** Notes what `close` has to wait for. */
  function noted(video: Promise<RenderedVideo>): Promise<RenderedVideo> {
    const settled = video.catch(() => {});
    running.add(settled);
    void settled.then(() => running.delete(settled));
    return video;
  }

  return {
    render: (request) => noted(render(request)),
    renderIdle: (request) => noted(renderIdle(request)),
    async close() {
      closing.abort(new VideosClosedError());
      await Promise.all(running);
    },
  };
}

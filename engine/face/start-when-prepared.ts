import type { Timers } from '../../runtime/clock.ts';
import { AvatarUnavailableError, type FaceHandlers, type FaceStream, type SpeechAudio } from '../ports.ts';

/**
 * A session whose avatar cannot be had goes on without frames. It is tried again after so long, ms, and later less often:
 * a bucket comes back, or the machine that has the photo.
 */
export const FIRST_PAUSE_MS = 2_000;
export const MAX_PAUSE_MS = 60_000;

/** Lets a stream start only when its avatar can be shown. Usually it is ready, and the start is immediate. */
export function startWhenPrepared(
  stream: FaceStream,
  prepare: () => Promise<void>,
  handlers: Pick<FaceHandlers, 'failed'>,
  release: () => void,
  timers: Timers,
): FaceStream {
  let wanted: 'h264' | 'vp8' | null = null;
  let closed = false;
  let retry: unknown = null;

  function begin(pauseMs: number): void {
    prepare().then(
      () => {
        if (!closed && wanted !== null) stream.start(wanted);
      },
      (error: unknown) => {
        if (closed) return;
        if (error instanceof AvatarUnavailableError)
          retry = timers.setTimeout(() => begin(Math.min(2 * pauseMs, MAX_PAUSE_MS)), pauseMs);
        else handlers.failed(error instanceof Error ? error.message : String(error));
      },
    );
  }

  return {
    show: (mood) => stream.show(mood),
    cue: (tag) => stream.cue(tag),
    mouth: (track) => stream.mouth(track),
    mouthStopped: (at) => stream.mouthStopped(at),
    ...(stream.hear !== undefined && { hear: (audio: SpeechAudio) => stream.hear?.(audio) }),
    keyframe: () => stream.keyframe(),
    setBitrate: (bitsPerSecond) => stream.setBitrate(bitsPerSecond),
    start(codec) {
      wanted = codec;
      begin(FIRST_PAUSE_MS);
    },
    setCodec(codec) {
      wanted = codec;
      stream.setCodec(codec);
    },
    close() {
      closed = true;
      timers.clearTimeout(retry);
      stream.close();
      release();
    },
  };
}

/** Chromium's breakout box, which has no types yet: a track as a stream of frames, and the other way round. */

export type Frame = VideoFrame | AudioData;

export interface WritableTrack<F extends Frame> extends MediaStreamTrack {
  readonly writable: WritableStream<F>;
}

declare const MediaStreamTrackGenerator: new (options: { readonly kind: 'audio' | 'video' }) => MediaStreamTrack;
declare const MediaStreamTrackProcessor: new (options: {
  readonly track: MediaStreamTrack;
  readonly maxBufferSize: number;
}) => { readonly readable: ReadableStream<unknown> };

/** Frames that wait while the page is busy; then the oldest are dropped. Sound comes in frames of 10 ms. */
const WAITING = { video: 2, audio: 50 } as const;

export function writableTrack<F extends Frame>(kind: F extends AudioData ? 'audio' : 'video'): WritableTrack<F> {
  return new MediaStreamTrackGenerator({ kind }) as WritableTrack<F>;
}

export interface TrackFrames<F extends Frame> {
  /** The next one, to be closed or written to a track. Null: the track has ended. */
  read(): Promise<F | null>;
  stop(): void;
}

/** The frames of a track, from now on. */
export function framesOf<F extends Frame>(track: MediaStreamTrack): TrackFrames<F> {
  const maxBufferSize = WAITING[track.kind as 'audio' | 'video'];
  const readable = new MediaStreamTrackProcessor({ track, maxBufferSize }).readable as ReadableStream<F>;
  const reader = readable.getReader();
  const element = track.kind === 'audio' ? playSilently(track) : null;
  return {
    read: async () => (await reader.read()).value ?? null,
    stop() {
      if (element !== null) element.srcObject = null;
      reader.cancel().catch(() => undefined);
    },
  };
}

/** Chromium gives no sound of a remote track that is attached to no media element. */
function playSilently(track: MediaStreamTrack): HTMLAudioElement {
  const element = new Audio();
  element.muted = true;
  element.srcObject = new MediaStream([track]);
  element.play().catch(() => undefined);
  return element;
}

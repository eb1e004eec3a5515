import { drawWaitingPicture } from './waiting-picture.ts';

/** ms between two pictures before the session starts: they do not move, but a new participant needs one soon. */
const WAITING_PICTURE_MS = 200;

/** Chromium's breakout box, which has no types yet: a track as a stream of frames, and the other way round. */
interface FrameTrack extends MediaStreamTrack {
  readonly writable: WritableStream<VideoFrame>;
}
declare const MediaStreamTrackGenerator: new (options: { readonly kind: 'video' }) => FrameTrack;
declare const MediaStreamTrackProcessor: new (options: {
  readonly track: MediaStreamTrack;
  readonly maxBufferSize?: number;
}) => { readonly readable: ReadableStream<VideoFrame> };

/**
 * The persona's picture as a camera: its name until the session starts, then its face. The track is the same all the
 * time, so it does not matter when a page takes it, and what the page makes of it.
 */
export class PersonaCamera {
  readonly track: FrameTrack;
  readonly #writer: WritableStreamDefaultWriter<VideoFrame>;
  readonly #waiting: ReturnType<typeof setInterval>;
  #reader: ReadableStreamDefaultReader<VideoFrame> | null = null;

  constructor(displayName: string) {
    this.track = new MediaStreamTrackGenerator({ kind: 'video' });
    this.#writer = this.track.writable.getWriter();
    const picture = drawWaitingPicture(displayName);
    this.#waiting = setInterval(() => {
      this.#write(new VideoFrame(picture, { timestamp: performance.now() * 1000 }));
    }, WAITING_PICTURE_MS);
  }

  /** From now on the others see this. Resolves when the track ends. */
  async show(face: MediaStreamTrack): Promise<void> {
    await this.#reader?.cancel().catch(() => undefined);
    const reader = new MediaStreamTrackProcessor({ track: face, maxBufferSize: 2 }).readable.getReader();
    this.#reader = reader;
    for (;;) {
      const { value: frame } = await reader.read();
      if (frame === undefined) return;
      clearInterval(this.#waiting);
      this.#write(frame);
    }
  }

  /** A frame that is written belongs to the track, which closes it. */
  #write(frame: VideoFrame): void {
    this.#writer.write(frame).catch(() => frame.close());
  }
}

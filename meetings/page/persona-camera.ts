import { framesOf, type TrackFrames, writableTrack, type WritableTrack } from './breakout-box.ts';
import { drawWaitingPicture } from './waiting-picture.ts';

/** ms between two pictures before the session starts: they do not move, but a new participant needs one soon. */
const EVERY_MS = 200;

/**
 * The persona's camera: something made here until the session starts, then what the session sends. The track is the
 * same all the time, so it does not matter when a page takes it, and what the page makes of it.
 */
export class PersonaCamera {
  readonly track: WritableTrack<VideoFrame> = writableTrack<VideoFrame>('video');
  readonly #writer = this.track.writable.getWriter();
  readonly #waiting: ReturnType<typeof setInterval>;
  #shown: TrackFrames<VideoFrame> | null = null;

  /** @param make what others see before the session starts. */
  constructor(make: () => VideoFrame) {
    this.#waiting = setInterval(() => this.#write(make()), EVERY_MS);
  }

  /** From now on the others see this. Resolves when the track ends. */
  async show(source: MediaStreamTrack): Promise<void> {
    this.#shown?.stop();
    const frames = framesOf<VideoFrame>(source);
    this.#shown = frames;
    for (;;) {
      const frame = await frames.read();
      if (frame === null) return;
      clearInterval(this.#waiting);
      this.#write(frame);
    }
  }

  /** A frame that is written belongs to the track, which closes it. */
  #write(frame: VideoFrame): void {
    this.#writer.write(frame).catch(() => frame.close());
  }
}

/** Shows the persona's name until the session starts, then its face. */
export function personaCamera(displayName: string): PersonaCamera {
  const picture = drawWaitingPicture(displayName);
  return new PersonaCamera(() => new VideoFrame(picture, { timestamp: performance.now() * 1000 }));
}

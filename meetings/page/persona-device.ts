import { type Frame, framesOf, type TrackFrames, writableTrack, type WritableTrack } from './breakout-box.ts';

/**
 * The persona's camera or microphone: something made here until the session starts, then what the session sends. The
 * track is the same all the time, so it does not matter when a page takes it, and what the page makes of it.
 *
 * Sound does not go through Web Audio, which has a clock and queues of its own: frames go on as they arrive.
 */
export class PersonaDevice<F extends Frame> {
  readonly track: WritableTrack<F>;
  readonly #writer: WritableStreamDefaultWriter<F>;
  readonly #waiting: ReturnType<typeof setInterval>;
  #shown: TrackFrames<F> | null = null;

  /** @param make what others see or hear before the session starts, every `everyMs`. */
  constructor(kind: F extends AudioData ? 'audio' : 'video', everyMs: number, make: () => F) {
    this.track = writableTrack<F>(kind);
    this.#writer = this.track.writable.getWriter();
    this.#waiting = setInterval(() => this.#write(make()), everyMs);
  }

  /** From now on the others see or hear this. Resolves when the track ends. */
  async show(source: MediaStreamTrack): Promise<void> {
    this.#shown?.stop();
    const frames = framesOf<F>(source);
    this.#shown = frames;
    for (;;) {
      const frame = await frames.read();
      if (frame === null) return;
      clearInterval(this.#waiting);
      this.#write(frame);
    }
  }

  /** A frame that is written belongs to the track, which closes it. */
  #write(frame: F): void {
    this.#writer.write(frame).catch(() => frame.close());
  }
}

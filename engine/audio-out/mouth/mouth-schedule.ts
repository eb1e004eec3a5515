import type { AudioOutHandlers } from '../../ports.ts';
import { SAMPLES_PER_MS } from '../../media/audio-format.ts';
import type { MouthShape } from './coarticulation.ts';

type MouthHandlers = Pick<AudioOutHandlers, 'mouth' | 'mouthStopped' | 'speechSound'>;

/**
 * Tells the face when to show the mouth of one sound. Shapes have times within the sound. They are announced once the
 * sound's place on the clock is known, and again when that place moves because the sound paused.
 */
export class MouthSchedule {
  readonly #segmentId: string;
  readonly #handlers: MouthHandlers;
  #shapes: MouthShape[] = [];
  /** The sound itself, kept only for faces that are moved by sound. */
  #audio: { readonly fromMs: number; readonly pcm: Int16Array }[] = [];
  #audioMs = 0;
  /** Engine time of the sound's first sample, as if it had played without a pause; null while it is not heard. */
  #startsAt: number | null = null;

  constructor(segmentId: string, handlers: MouthHandlers) {
    this.#segmentId = segmentId;
    this.#handlers = handlers;
  }

  /** More shapes of the sound, in order. */
  add(shapes: readonly MouthShape[]): void {
    this.#shapes.push(...shapes);
    if (this.#startsAt !== null) this.#announce(shapes, this.#startsAt);
  }

  /** More of the sound, in order. @param pcm 48 kHz */
  hear(pcm: Int16Array): void {
    if (this.#handlers.speechSound === undefined || pcm.length === 0) return;
    const piece = { fromMs: this.#audioMs, pcm };
    this.#audioMs += pcm.length / SAMPLES_PER_MS;
    this.#audio.push(piece);
    if (this.#startsAt !== null) this.#handlers.speechSound({ at: this.#startsAt + piece.fromMs, pcm });
  }

  /** The sound's sample at `positionMs` is heard at `at`; later samples follow without a gap. */
  soundsAt(at: number, positionMs: number): void {
    this.#startsAt = at - positionMs;
    this.#shapes = this.#shapes.filter((shape) => shape.endMs > positionMs);
    this.#announce(this.#shapes, this.#startsAt);
    this.#audio = this.#audio.filter(({ fromMs, pcm }) => fromMs + pcm.length / SAMPLES_PER_MS > positionMs);
    for (const { fromMs, pcm } of this.#audio) this.#handlers.speechSound?.({ at: this.#startsAt + fromMs, pcm });
  }

  /** The clock jumped by `ms` while the sound was heard: the sound continues at `nextAt`. */
  skipped(ms: number, nextAt: number): void {
    if (this.#startsAt === null) return;
    const positionMs = nextAt - ms - this.#startsAt;
    this.#handlers.mouthStopped(nextAt - ms);
    this.soundsAt(nextAt, positionMs);
  }

  /** The sound pauses at `at`. */
  ranDry(at: number): void {
    this.#startsAt = null;
    this.#handlers.mouthStopped(at);
  }

  #announce(shapes: readonly MouthShape[], startsAt: number): void {
    if (shapes.length > 0) this.#handlers.mouth({ segmentId: this.#segmentId, startsAt, shapes: [...shapes] });
  }
}

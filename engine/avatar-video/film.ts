import { rmSync, statSync } from 'node:fs';
import { FaceAnimator } from '../face/animation/animator.ts';
import { MouthTimeline } from '../face/animation/mouth-timeline.ts';
import { FRAME_MS } from '../face/frame-rate.ts';
import { stampLabel, type Label } from '../face/picture/disclosure.ts';
import type { FacePainter, FaceRenderer } from '../face/renderer.ts';
import { Mp4File } from '../recording/mp4-file.ts';
import { FilmEncoder, type FilmPicture } from './film-encoder.ts';
import type { LineSound } from './line-sound.ts';
import type { ScriptLine } from './script-lines.ts';
import { Soundtrack } from './soundtrack.ts';

/** The face is seen before it speaks and after: a video that begins with a word looks cut. */
const BEFORE_MS = 800;
const AFTER_MS = 1_200;
/** The face turns to its viewer this long before the first word. */
const SPEAK_AHEAD_MS = 320;
/** A picture depends on mouth shapes up to this long after it. */
const MOUTH_AHEAD_MS = 120;

export interface FilmOptions {
  readonly path: string;
  readonly renderer: FaceRenderer;
  readonly label: Label | null;
  readonly baselineStyle: string | null;
  /** 0…1 */
  readonly expressivity: number;
  /** Films with the same seed and lines are the same, picture by picture. */
  readonly seed: number;
  readonly threads: number;
}

/**
 * A video in the making: lines in, pictures out, one by one, by the same animator and renderer as live. Holds no more
 * than the sound that has no picture yet. Synchronous.
 */
export class Film {
  readonly #options: FilmOptions;
  readonly #encoder: FilmEncoder;
  readonly #painter: FacePainter;
  readonly #sound = new Soundtrack();
  readonly #timeline = new MouthTimeline();
  readonly #animator: FaceAnimator;
  /** Directions that are still to come, by time. */
  #cues: { readonly tag: string; readonly at: number }[] = [];
  #tag: string | null;
  #file: Mp4File | null = null;
  #lines = 0;
  #pictures = 0;
  /** When the last word ends; what comes after belongs to the face alone. */
  #spokenUntilMs = BEFORE_MS;
  #state: 'open' | 'complete' | 'closed' = 'open';

  constructor(options: FilmOptions) {
    const { width, height } = options.renderer;
    this.#options = options;
    this.#encoder = new FilmEncoder({ width, height, threads: options.threads });
    this.#painter = options.renderer.createPainter(this.#encoder.picture);
    this.#tag = options.baselineStyle;
    this.#animator = new FaceAnimator({ seed: options.seed, startsAt: 0, mood: 'idle', tag: this.#tag, expressivity: options.expressivity });
    this.#sound.silence(BEFORE_MS);
  }

  /** Sound that waits for its pictures. */
  get aheadMs(): number {
    return this.#sound.lengthMs - this.#pictures * FRAME_MS;
  }

  /** The line that the next picture shows is over when this passes its end; ms of film made so far. */
  get madeMs(): number {
    return this.#pictures * FRAME_MS;
  }

  /** Where the next line would begin. */
  get lengthMs(): number {
    return this.#sound.lengthMs;
  }

  add(line: Pick<ScriptLine, 'pauseMs' | 'cues'>, sound: LineSound): void {
    const startsAt = this.#sound.lengthMs;
    this.#lines += 1;
    for (const pcm of sound.pcm) this.#sound.sound(pcm);
    this.#timeline.add({ segmentId: `line-${this.#lines}`, startsAt, shapes: sound.shapes });
    this.#cues.push(...line.cues.map(({ tag, place }) => ({ tag, at: startsAt + place * sound.durationMs })));
    this.#spokenUntilMs = this.#sound.lengthMs;
    this.#sound.silence(line.pauseMs);
  }

  /** No more lines come. */
  complete(): void {
    this.#state = 'complete';
    this.#sound.silence(Math.max(0, this.#spokenUntilMs + AFTER_MS - this.#sound.lengthMs));
  }

  /** @returns false when there is no picture to make now: lines are missing, or the film is over. @throws when it cannot be written. */
  makePicture(): boolean {
    const at = this.madeMs;
    const known = this.#sound.lengthMs - (this.#state === 'complete' ? 0 : MOUTH_AHEAD_MS);
    if (this.#state === 'closed' || at >= known) return false;
    this.#draw(at);
    this.#pictures += 1;
    this.#write(this.#encoder.encode());
    return true;
  }

  /** Completes the file. Call it once `makePicture` has no more. @throws when it cannot be written. */
  finish(): { durationMs: number; bytes: number } {
    this.#write(this.#encoder.finish());
    this.#writeSound(this.#sound.finish());
    this.#file?.close();
    this.#release();
    return { durationMs: this.madeMs, bytes: statSync(this.#options.path).size };
  }

  /** Gives up: nothing is left of it. Does nothing after `finish`. */
  discard(): void {
    if (this.#state === 'closed') return;
    try {
      this.#file?.close();
    } catch {
      // A file that could not be written cannot be completed either, and it goes anyway.
    }
    this.#release();
    rmSync(this.#options.path, { force: true });
  }

  #draw(at: number): void {
    while (this.#cues[0] !== undefined && this.#cues[0].at <= at) this.#tag = this.#cues.shift()!.tag;
    const speaking = at >= BEFORE_MS - SPEAK_AHEAD_MS && (this.#state === 'open' || at < this.#spokenUntilMs);
    this.#animator.show(speaking ? 'speaking' : 'idle', this.#tag);
    this.#timeline.forget(at);
    const changed = this.#painter.paint(this.#animator.step(at, this.#timeline.shapes)) !== null;
    if (changed && this.#options.label !== null) stampLabel(this.#options.label, this.#encoder.picture);
  }

  #write(pictures: readonly FilmPicture[]): void {
    for (const { data, keyframe, shownAt, decodedAt } of pictures) {
      this.#file ??= this.#open(data);
      this.#file.video(data, keyframe, shownAt * FRAME_MS, decodedAt * FRAME_MS, FRAME_MS);
      this.#writeSound(this.#sound.encodeUntil(decodedAt * FRAME_MS));
    }
  }

  #open(firstFrame: Uint8Array): Mp4File {
    const { width, height } = this.#options.renderer;
    return new Mp4File(this.#options.path, { width, height, firstFrame }, this.#sound.encoder, 'whole');
  }

  /** The first packet only warms the decoder up and lies before the beginning. */
  #writeSound(packets: ReturnType<Soundtrack['encodeUntil']>): void {
    for (const { data, position } of packets) if (position >= 0) this.#file?.audio(data, position);
  }

  #release(): void {
    this.#state = 'closed';
    this.#painter.close?.();
    this.#encoder.close();
    this.#sound.encoder.close();
  }
}

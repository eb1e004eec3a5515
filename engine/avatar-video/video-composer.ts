import { rmSync, statSync } from 'node:fs';
import { FaceAnimator } from '../face/animation/animator.ts';
import { MouthTimeline } from '../face/animation/mouth-timeline.ts';
import { FRAME_MS } from '../face/frame-rate.ts';
import { stampLabel, type Label } from '../face/rendering/disclosure.ts';
import type { FacePainter, FaceRenderer } from '../face/renderer.ts';
import { Mp4File } from '../recording/mp4-file.ts';
import { VideoFileEncoder, type FileFrame } from './video-file-encoder.ts';
import type { SentenceAudio } from './sentence-audio.ts';
import type { ScriptSentence } from './script-sentences.ts';
import { Soundtrack } from './soundtrack.ts';

/** The face is seen before it speaks and after: a video that begins with a word looks cut. */
const BEFORE_MS = 800;
const AFTER_MS = 1_200;
/** The face turns to its viewer this long before the first word. */
const SPEAK_AHEAD_MS = 320;
/** A frame depends on mouth shapes up to this long after it. */
const MOUTH_AHEAD_MS = 120;

export interface VideoComposerOptions {
  readonly path: string;
  readonly renderer: FaceRenderer;
  readonly label: Label | null;
  readonly baselineStyle: string | null;
  /** 0…1 */
  readonly expressivity: number;
  /** Videos with the same seed and sentences are the same, frame by frame. */
  readonly seed: number;
  readonly threads: number;
}

/**
 * A video in the making: sentences in, frames out, one by one, by the same animator and renderer as live. Holds no more
 * than the sound that has no frame yet. Synchronous.
 */
export class VideoComposer {
  readonly #options: VideoComposerOptions;
  readonly #encoder: VideoFileEncoder;
  readonly #painter: FacePainter;
  readonly #audio = new Soundtrack();
  readonly #timeline = new MouthTimeline();
  readonly #animator: FaceAnimator;
  /** Directions that are still to come, by time. */
  #cues: { readonly tag: string; readonly at: number }[] = [];
  #tag: string | null;
  #file: Mp4File | null = null;
  #sentences = 0;
  #frames = 0;
  /** When the last word ends; what comes after belongs to the face alone. */
  #spokenUntilMs = BEFORE_MS;
  #state: 'open' | 'complete' | 'closed' = 'open';

  constructor(options: VideoComposerOptions) {
    const { width, height } = options.renderer;
    this.#options = options;
    this.#encoder = new VideoFileEncoder({ width, height, threads: options.threads });
    this.#painter = options.renderer.createPainter(this.#encoder.frame);
    this.#tag = options.baselineStyle;
    this.#animator = new FaceAnimator({
      seed: options.seed,
      startsAt: 0,
      mood: 'idle',
      tag: this.#tag,
      expressivity: options.expressivity,
    });
    this.#audio.silence(BEFORE_MS);
  }

  /** Sound that waits for its frames. */
  get aheadMs(): number {
    return this.#audio.lengthMs - this.#frames * FRAME_MS;
  }

  /** The sentence that the next frame shows is over when this passes its end; ms of video made so far. */
  get madeMs(): number {
    return this.#frames * FRAME_MS;
  }

  /** Where the next sentence would begin. */
  get lengthMs(): number {
    return this.#audio.lengthMs;
  }

  add(sentence: Pick<ScriptSentence, 'pauseMs' | 'cues'>, audio: SentenceAudio): void {
    const startsAt = this.#audio.lengthMs;
    this.#sentences += 1;
    for (const pcm of audio.pcm) this.#audio.audio(pcm);
    this.#timeline.add({ segmentId: `line-${this.#sentences}`, startsAt, shapes: audio.shapes });
    this.#cues.push(...sentence.cues.map(({ tag, place }) => ({ tag, at: startsAt + place * audio.durationMs })));
    this.#spokenUntilMs = this.#audio.lengthMs;
    this.#audio.silence(sentence.pauseMs);
  }

  /** No more sentences come. */
  complete(): void {
    this.#state = 'complete';
    this.#audio.silence(Math.max(0, this.#spokenUntilMs + AFTER_MS - this.#audio.lengthMs));
  }

  /**
   * @returns false when there is no frame to make now: sentences are missing, or the video is over. @throws when it
   * cannot be written.
   */
  makeFrame(): boolean {
    const at = this.madeMs;
    const known = this.#audio.lengthMs - (this.#state === 'complete' ? 0 : MOUTH_AHEAD_MS);
    if (this.#state === 'closed' || at >= known) return false;
    this.#draw(at);
    this.#frames += 1;
    this.#write(this.#encoder.encode());
    return true;
  }

  /** Completes the file. Call it once `makeFrame` has no more. @throws when it cannot be written. */
  finish(): { durationMs: number; bytes: number } {
    this.#write(this.#encoder.finish());
    this.#writeAudio(this.#audio.finish());
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
    const changed = this.#painter.paint(this.#animator.step(at, this.#timeline.shapes)).length > 0;
    if (changed && this.#options.label !== null) stampLabel(this.#options.label, this.#encoder.frame);
  }

  #write(frames: readonly FileFrame[]): void {
    for (const { data, keyframe, shownAt, decodedAt } of frames) {
      this.#file ??= this.#open(data);
      this.#file.video(data, keyframe, shownAt * FRAME_MS, decodedAt * FRAME_MS, FRAME_MS);
      this.#writeAudio(this.#audio.encodeUntil(decodedAt * FRAME_MS));
    }
  }

  #open(firstFrame: Uint8Array): Mp4File {
    const { width, height } = this.#options.renderer;
    return new Mp4File(this.#options.path, { width, height, firstFrame }, this.#audio.encoder, 'whole');
  }

  /** The first packet only warms the decoder up and lies before the beginning. */
  #writeAudio(packets: ReturnType<Soundtrack['encodeUntil']>): void {
    for (const { data, position } of packets) if (position >= 0) this.#file?.audio(data, position);
  }

  #release(): void {
    this.#state = 'closed';
    this.#painter.close?.();
    this.#encoder.close();
    this.#audio.encoder.close();
  }
}

import { FaceAnimator, restingFace } from '../animation/animator.ts';
import { BREATH_MS } from '../animation/breathing.ts';
import { smoothStep } from '../animation/ease.ts';
import type { Mood } from '../animation/expression.ts';
import { mixFaces } from '../animation/face-state.ts';
import type { FaceState } from '../animation/face-state.ts';
import { isLoopMood } from '../animation/idle-script.ts';
import { LoopChoice } from '../animation/loop-choice.ts';
import { MouthTimeline } from '../animation/mouth-timeline.ts';
import { poseAt } from '../animation/pose-array.ts';
import { seededRandom, seedFromText } from '../animation/random.ts';
import { FRAME_MS } from '../frame-rate.ts';
import { bitrateCeiling } from '../encode/video-encoder.ts';
import type { EncodedFrame, VideoCodec } from '../encode/video-encoder.ts';
import { loopFrame } from '../prepare/idle-loop.ts';
import type { IdleLoop } from '../prepare/idle-loop.ts';
import type { MouthTrack } from '../../ports.ts';
import type { SessionRenderer } from './session-renderer.ts';
import { type LoadShedding, sheddingStep } from './load-shedding.ts';
import { carriesLoop, keyframeDistance, frameStep } from './narrow-network.ts';

/** Live frames begin this long before the mouth moves, so that the face already moves when the lips open. */
const SPEAK_AHEAD_MS = 120;
/** The time to return to the home pose before a loop takes over. */
const SETTLE_MS = 600;
/**
 * An encoder that was not needed for this long is closed. Loops do not need it, and its memory is worth more than the 3
 * ms to open one.
 */
const RELEASE_AFTER_FRAMES = 20_000 / FRAME_MS;

export interface LiveSessionOptions {
  readonly sessionId: string;
  readonly codec: VideoCodec;
  readonly width: number;
  readonly height: number;
  readonly baselineStyle: string | null;
  readonly expressivity: number;
  readonly bitsPerSecond: number;
  /** The encoder and painter of this session, made when first needed. */
  readonly openSessionRenderer: (bitsPerSecond: number) => SessionRenderer;
  /** The loops that are ready for this session's look; more may be added. */
  readonly loops: () => readonly IdleLoop[];
  /** What is given up now, because the machine has too little time. */
  readonly shedding: () => LoadShedding;
}

/** Where the next frame comes from. */
type Source =
  | { readonly kind: 'loop'; readonly loop: IdleLoop; frame: number }
  | { readonly kind: 'live'; framesSinceKeyframe: number };

/** One session's frames: live ones while something happens, spliced idle loops otherwise. */
export class LiveSession {
  readonly #options: LiveSessionOptions;
  readonly #timeline = new MouthTimeline();
  readonly #choice: LoopChoice;
  #animator: FaceAnimator | null = null;
  #source: Source = { kind: 'live', framesSinceKeyframe: Infinity };
  #sessionRenderer: SessionRenderer | null = null;
  #framesInLoops = 0;
  #mood: Mood = 'idle';
  #tag: string | null;
  #bitsPerSecond: number;
  /** Nothing is limited until the network has been measured. */
  #network: 'unknown' | 'measured' = 'unknown';
  #keyframeWanted = false;
  /** When the face began to return to the home pose; null while it moves freely. */
  #settling: number | null = null;

  constructor(options: LiveSessionOptions) {
    this.#options = options;
    this.#tag = options.baselineStyle;
    this.#bitsPerSecond = options.bitsPerSecond;
    this.#choice = new LoopChoice(seededRandom(seedFromText(`${options.sessionId} loops`)));
  }

  get live(): boolean {
    return this.#source.kind === 'live';
  }

  show(mood: Mood): void {
    this.#mood = mood;
  }

  cue(tag: string | null): void {
    this.#tag = tag ?? this.#options.baselineStyle;
  }

  mouth(track: MouthTrack): void {
    this.#timeline.add(track);
  }

  mouthStopped(at: number): void {
    this.#timeline.stop(at);
  }

  keyframe(): void {
    this.#keyframeWanted = true;
  }

  setBitrate(bitsPerSecond: number): void {
    this.#bitsPerSecond = Math.min(bitsPerSecond, bitrateCeiling(this.#options.width, this.#options.height));
    this.#network = 'measured';
    this.#sessionRenderer?.encoder.setBitrate(this.#encoderBitrate);
  }

  /** The encoder is told every frame: the bits of a frame that is left out may be spent on the others. */
  get #encoderBitrate(): number {
    return this.#bitsPerSecond * this.#networkStep;
  }

  get #networkStep(): 1 | 2 {
    return this.#network === 'unknown' ? 1 : frameStep(this.#bitsPerSecond, this.#options.width, this.#options.height);
  }

  get #keyframeDistance(): number {
    const { width, height } = this.#options;
    return keyframeDistance(
      this.#network === 'unknown' ? bitrateCeiling(width, height) : this.#bitsPerSecond,
      width,
      height,
    );
  }

  /**
   * The frame to be seen at `at`, or null when the network is too narrow for every frame. Called once per frame, with
   * rising times. @throws EncoderError
   */
  tick(at: number): EncodedFrame | null {
    this.#timeline.forget(at);
    const step = Math.max(this.#networkStep, sheddingStep(this.#options.shedding(), this.#isSpeaking(at)));
    if (step === 2 && Math.floor(at / FRAME_MS) % 2 === 1) return null;
    if (this.#source.kind === 'loop') {
      const next = this.#loopFrame(this.#source, at);
      if (next !== null) return next;
    }
    return this.#liveFrame(at);
  }

  close(): void {
    this.#sessionRenderer?.close();
    this.#sessionRenderer = null;
  }

  #isSpeaking(at: number): boolean {
    return this.#timeline.busy(at, SPEAK_AHEAD_MS);
  }

  #restful(at: number): boolean {
    return isLoopMood(this.#mood) && this.#tag === this.#options.baselineStyle && !this.#isSpeaking(at);
  }

  /** The next frame of the loop, or null when the session must become live now. */
  #loopFrame(source: Source & { kind: 'loop' }, at: number): EncodedFrame | null {
    const ended = source.frame === source.loop.ends.length;
    const stays =
      this.#restful(at) &&
      this.#mood === source.loop.mood &&
      this.#canShow(source.loop) &&
      (ended || !this.#keyframeWanted);
    const next = stays && ended ? this.#enterLoop() : null;
    if (next !== null) return next;
    if (!stays || ended) {
      this.#leaveLoop(source, at);
      return null;
    }
    this.#framesInLoops++;
    if (this.#framesInLoops === RELEASE_AFTER_FRAMES) this.close();
    const { frame } = source;
    source.frame++;
    return { data: loopFrame(source.loop, frame), keyframe: frame === 0 };
  }

  #enterLoop(): EncodedFrame | null {
    const candidates = this.#options.loops().filter((loop) => loop.mood === this.#mood && this.#canShow(loop));
    if (candidates.length === 0) return null;
    const variation = this.#choice.next(candidates.map((loop) => loop.variation));
    const loop = candidates.find((candidate) => candidate.variation === variation)!;
    this.#source = { kind: 'loop', loop, frame: 1 };
    this.#keyframeWanted = false;
    return { data: loopFrame(loop, 0), keyframe: true };
  }

  #leaveLoop(source: Source & { kind: 'loop' }, at: number): void {
    const shown = Math.max(0, source.frame - 1);
    this.#animatorAt(at).takeOver(at, poseAt(source.loop.poses, shown), source.frame * FRAME_MS);
    this.#source = { kind: 'live', framesSinceKeyframe: Infinity };
    this.#framesInLoops = 0;
  }

  #liveFrame(at: number): EncodedFrame {
    const fresh = this.#animator === null;
    const animator = this.#animatorAt(at);
    animator.show(this.#mood, this.#tag);
    const phase = animator.breathPhase(at) % BREATH_MS;
    const restful = this.#restful(at);
    // A loop begins breathed out: at the start of a breath, or at once if nothing was shown yet.
    const settled =
      fresh ||
      this.#options.shedding() !== 'none' ||
      (this.#settling !== null && at - this.#settling >= SETTLE_MS - FRAME_MS / 2 && phase < FRAME_MS);
    if (restful && settled) {
      const first = this.#enterLoop();
      if (first !== null) {
        this.#settling = null;
        return first;
      }
    }
    const free = animator.step(at, this.#timeline.shapes);
    return this.#encode(restful ? this.#settle(free, at, phase) : this.#stayFree(free), at);
  }

  #stayFree(free: FaceState): FaceState {
    this.#settling = null;
    return free;
  }

  /**
   * Near the end of a breath, if loops are ready, the face returns to the home pose. Then nobody sees that a loop takes
   * over.
   */
  #settle(free: FaceState, at: number, phase: number): FaceState {
    const left = BREATH_MS - phase;
    if (this.#settling === null && left <= SETTLE_MS && left > SETTLE_MS - 2 * FRAME_MS && this.#loopsReady())
      this.#settling = at;
    if (this.#settling === null) return free;
    const home = restingFace(this.#mood, this.#options.baselineStyle, this.#options.expressivity);
    const mixed = mixFaces(free, home, smoothStep((at - this.#settling + FRAME_MS) / SETTLE_MS));
    return { ...mixed, breath: free.breath };
  }

  #loopsReady(): boolean {
    return this.#options.loops().some((loop) => loop.mood === this.#mood && this.#canShow(loop));
  }

  #canShow(loop: IdleLoop): boolean {
    return this.#network === 'unknown' || carriesLoop(loop, this.#bitsPerSecond);
  }

  #animatorAt(at: number): FaceAnimator {
    this.#animator ??= new FaceAnimator({
      seed: seedFromText(this.#options.sessionId),
      startsAt: at,
      mood: this.#mood,
      tag: this.#tag,
      expressivity: this.#options.expressivity,
    });
    return this.#animator;
  }

  #encode(state: FaceState, at: number): EncodedFrame {
    const source = this.#source;
    if (source.kind !== 'live') throw new Error('A loop frame was about to be encoded again.');
    const fresh = this.#sessionRenderer === null;
    this.#sessionRenderer ??= this.#options.openSessionRenderer(this.#encoderBitrate);
    const force = fresh || this.#keyframeWanted || source.framesSinceKeyframe >= this.#keyframeDistance - 1;
    const frame = this.#sessionRenderer.show(state, at, force);
    this.#keyframeWanted = false;
    source.framesSinceKeyframe = frame.keyframe ? 0 : source.framesSinceKeyframe + 1;
    return frame;
  }
}

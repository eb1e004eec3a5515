import { firstBlink, blinkClosure, nextBlink } from './blink.ts';
import type { BlinkPlan } from './blink.ts';
import { breathAt } from './breathing.ts';
import { clamp, smoothStep } from './ease.ts';
import { expressionFor } from './expression.ts';
import type { Expression, Mood } from './expression.ts';
import { FACE_PARAMETERS, NEUTRAL_FACE } from './face-state.ts';
import type { FaceParameter, FaceState } from './face-state.ts';
import { GAZE_HABITS, firstGaze, gazeAt, gazeJump, nextGaze } from './gaze.ts';
import type { GazePlan } from './gaze.ts';
import { HEAD_HABITS, firstHeadMove, headAt, nextHeadMove } from './head-motion.ts';
import type { HeadPlan } from './head-motion.ts';
import { mouthAt } from './mouth-blend.ts';
import type { TimedShape } from './mouth-blend.ts';
import { seededRandom } from './random.ts';
import type { Random } from './random.ts';

/**
 * Time in which a look turns into the next (63 % of the way). A faster change looks like a switch, a slower one like a
 * mask.
 */
const EXPRESSION_TIME_MS = 170;
/** Time in which a face leaves the pose from which it continued. */
const TAKE_OVER_MS = 360;
/** A gaze that jumps this far is usually accompanied by a blink. */
const BLINK_WITH_JUMP = 0.55;

/** The look in which idle loops of a mood begin and end: no motion, breathed out, eyes on the viewer. */
export function restingFace(mood: Mood, tag: string | null, expressivity: number): FaceState {
  return faceOf(expressionFor(mood, tag, expressivity));
}

function faceOf(e: Expression): FaceState {
  return {
    ...NEUTRAL_FACE,
    yaw: e.yaw,
    pitch: e.pitch,
    roll: e.roll,
    lids: 1 + e.lids,
    browRaise: e.browRaise,
    browSlant: e.browSlant,
    smile: e.smile,
  };
}

/**
 * Animates a face: from mood, cue and mouth shapes to one `FaceState` per frame. The same seed, calls and times give
 * the same states. Time only moves forward.
 */
export class FaceAnimator {
  readonly #random: Random;
  readonly #expressivity: number;
  #mood: Mood;
  #tag: string | null;
  #look: Record<keyof Expression, number>;
  #blink: BlinkPlan;
  #gaze: GazePlan;
  #head: HeadPlan;
  #breathStartedAt: number;
  #takenOverAt: number;
  /** Difference between the pose from which the face continued and the animator's own pose at that time. */
  #residue: FaceState | null = null;
  #last: number;

  constructor(options: { seed: number; startsAt: number; mood: Mood; tag: string | null; expressivity: number }) {
    this.#random = seededRandom(options.seed);
    this.#expressivity = options.expressivity;
    this.#mood = options.mood;
    this.#tag = options.tag;
    this.#look = { ...expressionFor(options.mood, options.tag, options.expressivity) };
    this.#last = options.startsAt;
    this.#breathStartedAt = options.startsAt;
    this.#takenOverAt = options.startsAt;
    this.#blink = firstBlink(options.startsAt, this.#random);
    this.#gaze = firstGaze(options.startsAt);
    this.#head = firstHeadMove(options.startsAt);
  }

  get mood(): Mood {
    return this.#mood;
  }

  /** Follows a mood and a cue from the next step on. */
  show(mood: Mood, tag: string | null): void {
    if (mood !== this.#mood) {
      // The next movement of eyes and head comes soon, in the manner of the new mood.
      this.#gaze = { ...this.#gaze, restUntil: Math.min(this.#gaze.restUntil, this.#last + 220) };
      this.#head = {
        ...this.#head,
        restUntil: Math.min(
          this.#head.restUntil,
          Math.max(this.#last + 150, this.#head.startsAt + this.#head.durationMs),
        ),
      };
    }
    this.#mood = mood;
    this.#tag = tag;
  }

  /** Continues from a pose that was shown last, such as a frame of an idle loop. @param breathPhaseMs of that pose. */
  takeOver(at: number, pose: FaceState, breathPhaseMs: number): void {
    this.#breathStartedAt = at - breathPhaseMs;
    this.#last = at;
    this.#residue = null;
    this.#blink = firstBlink(at, this.#random);
    this.#gaze = firstGaze(at);
    this.#head = firstHeadMove(at);
    const own = this.step(at, []);
    const residue = { ...NEUTRAL_FACE } as Record<FaceParameter, number>;
    for (const key of FACE_PARAMETERS) residue[key] = pose[key] - own[key];
    this.#residue = residue;
    this.#takenOverAt = at;
  }

  breathPhase(at: number): number {
    return at - this.#breathStartedAt;
  }

  /** @param shapes mouth shapes of the time around `at`, sorted. */
  step(at: number, shapes: readonly TimedShape[]): FaceState {
    const elapsed = Math.max(0, at - this.#last);
    this.#last = at;
    this.#approachLook(elapsed);
    const jumpedBefore = this.#gaze;
    this.#gaze = nextGaze(this.#gaze, at, GAZE_HABITS[this.#mood], this.#random);
    this.#head = nextHeadMove(this.#head, at, HEAD_HABITS[this.#mood], this.#random);
    this.#blink = nextBlink(this.#blink, at, this.#random);
    if (this.#gaze !== jumpedBefore && gazeJump(this.#gaze) > BLINK_WITH_JUMP && this.#blink.startsAt > at + 400)
      this.#blink = { startsAt: at };

    const look = this.#look;
    const head = headAt(this.#head, at);
    const gaze = gazeAt(this.#gaze, at);
    const mouth = mouthAt(shapes, at);
    const closure = blinkClosure(this.#blink, at);
    const nod = this.#head.nod > 0 ? head.pitch - this.#head.to.pitch : 0;
    // Lids follow the eyes down and up a little; the head follows a far gaze.
    const lids = clamp(1 + look.lids - gaze.y * 0.14, 0, 1.25) * (1 - closure);
    const own: FaceState = {
      yaw: clamp(look.yaw + head.yaw + gaze.x * 0.15, -1, 1),
      pitch: clamp(look.pitch + head.pitch, -1, 1),
      roll: clamp(look.roll + head.roll, -1, 1),
      breath: breathAt(this.breathPhase(at)),
      lids,
      gazeX: gaze.x,
      gazeY: gaze.y,
      browRaise: clamp(look.browRaise + nod * 0.3 - closure * 0.06, -1, 1),
      browSlant: look.browSlant,
      smile: look.smile * (1 - 0.3 * mouth.mouthOpen),
      ...mouth,
    };
    return this.#withResidue(own, at);
  }

  #approachLook(elapsed: number): void {
    const target = expressionFor(this.#mood, this.#tag, this.#expressivity);
    const share = 1 - Math.exp(-elapsed / EXPRESSION_TIME_MS);
    for (const key of Object.keys(target) as (keyof Expression)[])
      this.#look[key] += (target[key] - this.#look[key]) * share;
  }

  #withResidue(own: FaceState, at: number): FaceState {
    if (this.#residue === null) return own;
    const left = 1 - smoothStep((at - this.#takenOverAt) / TAKE_OVER_MS);
    if (left <= 0) {
      this.#residue = null;
      return own;
    }
    const mixed = { ...own } as Record<FaceParameter, number>;
    for (const key of FACE_PARAMETERS) mixed[key] = own[key] + this.#residue[key] * left;
    return mixed;
  }
}

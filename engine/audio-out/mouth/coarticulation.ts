import { isArpabet } from '../../../models/tts/arpabet.ts';
import type { TimedUnit } from '../../../models/ports.ts';
import type { MouthTrack, Viseme } from '../../ports.ts';
import { VISEMES_OF } from './visemes.ts';

export type MouthShape = MouthTrack['shapes'][number];

/** The mouth takes its position before the sound is heard: about one frame at 25 a second. */
const ANTICIPATION_MS = 40;
/**
 * Missing closures (pressed lips, a lip at the teeth) are what people notice first. So they last at least this long.
 */
const MIN_CLOSURE_MS = 60;
/** Shapes shorter than this are never seen; their time is added to the shape before. */
const MIN_SHAPE_MS = 30;
/** The mouth does not close between words of one breath. */
const MIN_REST_MS = 90;

const CLOSURES = new Set<Viseme>(['mbp', 'fv']);

/**
 * Turns phonemes into the movement of a mouth that speaks them fluently. Phonemes come in order, in portions of any
 * size. The last shape is held back until the next one is known, because a closure may take time from it.
 */
export class Coarticulation {
  /** Not yet returned. */
  #held: MouthShape | null = null;
  /** A breath sound that waits for the shape of what follows. */
  #breathStartMs: number | null = null;

  /** @returns shapes that are now certain, ms from the start of the sound. */
  add(phonemes: readonly TimedUnit[]): MouthShape[] {
    const done: MouthShape[] = [];
    for (const phoneme of phonemes) {
      if (phoneme.text === 'hh' && this.#breathStartMs === null) this.#breathStartMs = phoneme.startMs;
      else this.#phoneme(phoneme, done);
    }
    return done;
  }

  /** The sound is over: the mouth returns to rest. */
  finish(): MouthShape[] {
    const held = this.#held;
    this.#held = null;
    this.#breathStartMs = null;
    return held ? [held] : [];
  }

  #phoneme(phoneme: TimedUnit, done: MouthShape[]): void {
    const startMs = this.#breathStartMs ?? phoneme.startMs;
    this.#breathStartMs = null;
    const length = phoneme.endMs - startMs;
    let at = startMs;
    for (const part of VISEMES_OF[isArpabet(phoneme.text) ? phoneme.text : 'ax']) {
      const endMs = at + length * part.share;
      this.#shape(
        {
          shape: part.shape,
          weight: part.weight,
          startMs: Math.max(0, at - ANTICIPATION_MS),
          endMs: Math.max(0, endMs - ANTICIPATION_MS),
        },
        done,
      );
      at = endMs;
    }
  }

  #shape(shape: MouthShape, done: MouthShape[]): void {
    const held = this.#held;
    if (shape.endMs <= shape.startMs) return;
    if (!held) {
      this.#held = shape;
      return;
    }
    const length = shape.endMs - shape.startMs;
    const absorbed =
      (shape.shape === held.shape && shape.weight === held.weight) ||
      (shape.shape === 'rest' && length < MIN_REST_MS) ||
      (!CLOSURES.has(shape.shape) && length < MIN_SHAPE_MS);
    if (absorbed) {
      this.#held = { ...held, endMs: shape.endMs };
      return;
    }
    const startMs = CLOSURES.has(shape.shape) ? closureStart(held, shape) : Math.max(held.startMs, shape.startMs);
    if (startMs > held.startMs) done.push({ ...held, endMs: startMs });
    this.#held = { ...shape, startMs };
  }
}

/** A closure that is too short begins earlier and shortens the shape before it, of which a visible part remains. */
function closureStart(before: MouthShape, closure: MouthShape): number {
  const wanted = closure.endMs - MIN_CLOSURE_MS;
  const earliest = Math.min(before.startMs + MIN_SHAPE_MS, closure.startMs);
  return Math.min(closure.startMs, Math.max(wanted, CLOSURES.has(before.shape) ? closure.startMs : earliest));
}

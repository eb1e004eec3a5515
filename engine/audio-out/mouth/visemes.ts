import type { Arpabet } from '../../../models/tts/arpabet.ts';
import type { Viseme } from '../../ports.ts';

/** One mouth position inside a sound; `share` of the sound's length, shares of a sound add up to 1. */
export interface VisemePart {
  readonly shape: Viseme;
  /** How fully the shape is made, 0…1. */
  readonly weight: number;
  readonly share: number;
}

const one = (shape: Viseme, weight: number): readonly VisemePart[] => [{ shape, weight, share: 1 }];
/** A diphthong stays longer on its start. */
const glide = (from: Viseme, fromWeight: number, to: Viseme, toWeight: number): readonly VisemePart[] => [
  { shape: from, weight: fromWeight, share: 0.6 },
  { shape: to, weight: toWeight, share: 0.4 },
];

/**
 * Which mouth makes which sound. Weights are lower where the mouth moves less in fluent speech: sounds made inside the
 * mouth (k, n, ng) barely change it, stressed open vowels open it wide. Pressed lips are never half closed.
 */
export const VISEMES_OF: Readonly<Record<Arpabet, readonly VisemePart[]>> = {
  pau: one('rest', 1),
  aa: one('aa', 1),
  ae: one('ae', 0.9),
  ah: one('aa', 0.6),
  ao: one('oh', 1),
  aw: glide('aa', 1, 'ou', 0.8),
  ax: one('eh', 0.45),
  ay: glide('aa', 1, 'ih', 0.7),
  eh: one('eh', 0.8),
  er: one('r', 0.8),
  ey: glide('eh', 0.8, 'ih', 0.7),
  ih: one('ih', 0.7),
  iy: one('ih', 1),
  ow: glide('oh', 0.9, 'ou', 0.8),
  oy: glide('oh', 1, 'ih', 0.7),
  uh: one('ou', 0.7),
  uw: one('ou', 1),
  b: one('mbp', 1),
  p: one('mbp', 1),
  m: one('mbp', 1),
  f: one('fv', 1),
  v: one('fv', 1),
  th: one('th', 0.8),
  dh: one('th', 0.7),
  t: one('td', 0.7),
  d: one('td', 0.7),
  n: one('n', 0.6),
  l: one('n', 0.8),
  ng: one('kg', 0.5),
  k: one('kg', 0.6),
  g: one('kg', 0.6),
  // Breath only: the mouth already has the shape of the next sound (co-articulation does this).
  hh: one('eh', 0.3),
  // Lightly: before a rounded vowel, as in "you", the lips are already moving.
  y: one('ih', 0.5),
  r: one('r', 0.8),
  w: one('w', 1),
  s: one('sz', 0.9),
  z: one('sz', 0.8),
  sh: one('ch', 0.9),
  zh: one('ch', 0.9),
  ch: one('ch', 1),
  jh: one('ch', 1),
};

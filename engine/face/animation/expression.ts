import { clamp } from './ease.ts';

/** The lasting look of a face, on which speech, blinks and gaze are laid. Same units as `FaceState`. */
export interface Expression {
  readonly lids: number;
  readonly browRaise: number;
  readonly browSlant: number;
  readonly smile: number;
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
}

export type Mood = 'idle' | 'listening' | 'thinking' | 'speaking';

const PLAIN: Expression = { lids: 0, browRaise: 0, browSlant: 0, smile: 0, yaw: 0, pitch: 0, roll: 0 };

/** What a mood adds by itself. A resting face carries a trace of a smile: without it people read it as annoyed. */
const MOOD_LOOKS: Readonly<Record<Mood, Expression>> = {
  idle: { ...PLAIN, smile: 0.25 },
  listening: { ...PLAIN, smile: 0.3, browRaise: 0.15, roll: 0.3, pitch: 0.1 },
  thinking: { ...PLAIN, lids: -0.12, browRaise: 0.1, browSlant: 0.25, smile: -0.1, yaw: 0.35, pitch: -0.3 },
  speaking: { ...PLAIN, smile: 0.2, browRaise: 0.08 },
};

/** What each cue or preset style adds at full expressivity. */
const CUE_LOOKS: Readonly<Record<string, Expression>> = {
  happy: { ...PLAIN, smile: 0.8, browRaise: 0.25, lids: -0.1 },
  warm: { ...PLAIN, smile: 0.5, browRaise: 0.1, browSlant: -0.15, roll: 0.3, lids: -0.06 },
  playful: { ...PLAIN, smile: 0.65, browRaise: 0.5, roll: -0.5, yaw: 0.2 },
  laughter: { ...PLAIN, smile: 1, browRaise: 0.35, lids: -0.35, pitch: -0.35 },
  curious: { ...PLAIN, smile: 0.15, browRaise: 0.7, lids: 0.12, roll: 0.6, pitch: 0.15 },
  supportive: { ...PLAIN, smile: 0.35, browSlant: -0.4, browRaise: 0.15, roll: 0.4, pitch: 0.2 },
  concerned: { ...PLAIN, smile: -0.45, browSlant: -0.8, browRaise: 0.05, roll: 0.2, pitch: 0.15 },
  sad: { ...PLAIN, smile: -0.8, browSlant: -1, lids: -0.25, pitch: 0.45 },
  surprised: { ...PLAIN, smile: 0.05, browRaise: 1, lids: 0.25, pitch: -0.25 },
  angry: { ...PLAIN, smile: -0.65, browSlant: 1, browRaise: -0.6, lids: -0.12, pitch: 0.2 },
  distressed: { ...PLAIN, smile: -0.9, browSlant: -0.9, browRaise: 0.45, lids: 0.1, pitch: -0.1 },
};

/** What a cue does when the session says nothing about expressivity. */
export const DEFAULT_EXPRESSIVITY = 0.6;

export function isKnownCue(tag: string): boolean {
  return Object.hasOwn(CUE_LOOKS, tag);
}

/**
 * The look of a mood under a cue (or the session's preset style). Unknown tags change nothing.
 * @param expressivity 0…1: 0 keeps a quarter of the cue, so that a cue is always seen; 1 shows all of it.
 */
export function expressionFor(mood: Mood, tag: string | null, expressivity: number): Expression {
  const look = MOOD_LOOKS[mood];
  const cue = tag !== null && isKnownCue(tag) ? CUE_LOOKS[tag]! : PLAIN;
  const strength = tag === null ? 0 : 0.25 + 0.75 * clamp(expressivity, 0, 1);
  // A cue replaces the mood's own smile and is not added to it: sad while listening is sad, not neutral.
  const keep = tag === null ? 1 : 1 - strength * 0.8;
  const mix = (key: keyof Expression, low: number, high: number) =>
    clamp(look[key] * (key === 'smile' ? keep : 1) + cue[key] * strength, low, high);
  return {
    lids: mix('lids', -0.6, 0.25),
    browRaise: mix('browRaise', -1, 1),
    browSlant: mix('browSlant', -1, 1),
    smile: mix('smile', -1, 1),
    yaw: mix('yaw', -1, 1),
    pitch: mix('pitch', -1, 1),
    roll: mix('roll', -1, 1),
  };
}

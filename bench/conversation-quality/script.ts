import { FRESH, HELD_OUT, TUNING, type Inventory } from './inventory.ts';
import { Random } from './random.ts';

/** What one scripted user does, and when. The times are relative to the persona's actions. */

export type ActKind = 'turn' | 'interruption' | 'backchannel' | 'tic' | 'side-talk' | 'noise';

export interface Act {
  readonly kind: ActKind;
  /** Empty: no words (a cough, a noise). "|" is a pause. */
  readonly text: string;
  /**
   * `speaking`: time after the persona began or continued to speak. `silence`: time after it became silent, or after
   * the previous act.
   */
  readonly when: { readonly persona: 'speaking' | 'silent'; readonly afterMs: number };
  /** Level relative to the user's usual one, dB. */
  readonly levelDb: number;
  /** Length of a sound without words, and of the pause in a turn, ms. */
  readonly audioMs: number;
  /** Length of the persona's answer: two sentences, or nine, which leave time for an overlap. */
  readonly answer: 'short' | 'long';
}

export interface Script {
  readonly name: string;
  readonly seed: number;
  readonly acts: readonly Act[];
}

/** Rules are tuned only on `tuning`. `held-out` and `fresh` show how they do on other words. */
export const SETS = ['tuning', 'held-out', 'fresh'] as const;
export type ScriptSet = (typeof SETS)[number];

/** Scripts of one set: 30 of each of seven situations, so at least 30 of each event. */
export const SCRIPTS_PER_SITUATION = 30;

const INVENTORIES: Readonly<Record<ScriptSet, Inventory>> = { tuning: TUNING, 'held-out': HELD_OUT, fresh: FRESH };
const FIRST_SEED: Readonly<Record<ScriptSet, number>> = { tuning: 1000, 'held-out': 500_000, fresh: 900_000 };

export function scriptsOf(set: ScriptSet): Script[] {
  const inventory = INVENTORIES[set];
  const base = FIRST_SEED[set];
  return Object.entries(SITUATIONS).flatMap(([name, make], situation) =>
    Array.from({ length: SCRIPTS_PER_SITUATION }, (_, number) => {
      const seed = base + situation * 1000 + number;
      return { name: `${name}-${number}`, seed, acts: make(new Random(seed), inventory) };
    }),
  );
}

const SITUATIONS: Readonly<Record<string, (random: Random, words: Inventory) => Act[]>> = {
  'two turns': (random, words) => [turn(random, words), interruptionAfterAll(random, words)],
  'pauses in mid-sentence': (random, words) => [
    { ...turn(random, words), text: random.pick(words.pausedTurns), audioMs: random.between(350, 1100) },
    backchannel(random, words),
  ],
  interruption: (random, words) => [turn(random, words), interruption(random, words), backchannel(random, words)],
  backchannels: (random, words) => [
    turn(random, words),
    backchannel(random, words),
    backchannel(random, words),
    interruption(random, words),
  ],
  'tics and coughs': (random, words) => [
    opening(random, words),
    tic(random, words, 'silent'),
    turn(random, words),
    tic(random, words, 'speaking'),
    tic(random, words, 'speaking'),
  ],
  'side talk': (random, words) => [
    opening(random, words),
    sideTalk(random, words, 'silent'),
    turn(random, words),
    sideTalk(random, words, 'speaking'),
    sideTalk(random, words, 'speaking'),
  ],
  noise: (random, words) => [
    opening(random, words),
    noise(random, 'silent'),
    turn(random, words),
    noise(random, 'speaking'),
    noise(random, 'speaking'),
    interruption(random, words),
  ],
};

function turn(random: Random, words: Inventory): Act {
  return {
    kind: 'turn',
    text: random.pick(words.turns),
    when: { persona: 'silent', afterMs: random.between(2300, 3000) },
    levelDb: random.around(0, 3),
    audioMs: 0,
    answer: 'long',
  };
}

/** A short first exchange. What follows comes in silence, and the level of the user's voice is known. */
function opening(random: Random, words: Inventory): Act {
  return { ...turn(random, words), answer: 'short' };
}

/** By definition, a second turn while the persona still answers is an interruption. */
function interruptionAfterAll(random: Random, words: Inventory): Act {
  return { ...interruption(random, words), text: random.pick(words.turns) };
}

function interruption(random: Random, words: Inventory): Act {
  return {
    kind: 'interruption',
    text: random.pick(words.interruptions),
    when: { persona: 'speaking', afterMs: random.between(900, 5000) },
    levelDb: random.around(1, 3),
    audioMs: 0,
    answer: 'long',
  };
}

function backchannel(random: Random, words: Inventory): Act {
  // Backchannels are quieter than other speech.
  return {
    kind: 'backchannel',
    text: random.pick(words.backchannels),
    when: { persona: 'speaking', afterMs: random.between(2200, 4500) },
    levelDb: random.around(-4, 4),
    audioMs: 0,
    answer: 'long',
  };
}

function tic(random: Random, words: Inventory, persona: 'speaking' | 'silent'): Act {
  return {
    kind: 'tic',
    text: random.pick(words.tics),
    when: { persona, afterMs: random.between(2200, 4000) },
    levelDb: random.around(-1, 6),
    audioMs: random.between(180, 650),
    answer: 'long',
  };
}

/**
 * Side talk, with the head turned away or a hand over the microphone (the public benchmark muffles all side talk). One
 * in eight is not muffled, so that only its words show that it is side talk.
 */
function sideTalk(random: Random, words: Inventory, persona: 'speaking' | 'silent'): Act {
  return {
    kind: 'side-talk',
    text: random.pick(words.sideTalk),
    when: { persona, afterMs: random.between(2200, 4000) },
    levelDb: random.chance(0.875) ? random.between(-20, -8) : random.between(-6, 0),
    audioMs: 0,
    answer: 'long',
  };
}

/** Noises: a door, keys, a chair. One in four is music or a vacuum cleaner for some seconds. */
function noise(random: Random, persona: 'speaking' | 'silent'): Act {
  return {
    kind: 'noise',
    text: '',
    when: { persona, afterMs: random.between(2200, 4000) },
    levelDb: random.between(-16, 2),
    audioMs: random.chance(0.25) ? random.between(1500, 4000) : random.between(60, 500),
    answer: 'long',
  };
}

import { FRESH, HELD_OUT, TUNING, type Inventory } from './inventory.ts';
import { Random } from './random.ts';

/** What one scripted user does, and when: relative to what the persona does, as people do. */

export type ActKind = 'turn' | 'interruption' | 'backchannel' | 'tic' | 'side-talk' | 'noise';

export interface Act {
  readonly kind: ActKind;
  /** Empty: no words (a cough, a noise). "|" is a pause. */
  readonly text: string;
  /**
   * `speaking`: so long after the persona began (or went on) to speak; `silence`: so long after it fell silent or the
   * act before ended.
   */
  readonly when: { readonly persona: 'speaking' | 'silent'; readonly afterMs: number };
  /** Level against the user's usual one, dB. */
  readonly levelDb: number;
  /** Length of a sound without words, and of the pause inside a turn, ms. */
  readonly audioMs: number;
  /** How long the persona's answer to it is: two sentences, or nine that can be talked over. */
  readonly answer: 'short' | 'long';
}

export interface Script {
  readonly name: string;
  readonly seed: number;
  readonly acts: readonly Act[];
}

/** Rules are tuned on `tuning` alone; `held-out` and `fresh` are played to see. */
export const SETS = ['tuning', 'held-out', 'fresh'] as const;
export type ScriptSet = (typeof SETS)[number];

/** Scripts of one set; 30 of each of seven situations, so at least 30 of each event. */
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

/** A first exchange, soon over: what comes after it comes in silence, from somebody whose voice is known. */
function opening(random: Random, words: Inventory): Act {
  return { ...turn(random, words), answer: 'short' };
}

/** A second turn that begins while the persona still answers is an interruption by definition. */
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
  // Said softly: people do not raise their voice to agree.
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
 * To somebody else in the room: with the head turned away or a hand over the microphone (the public benchmark muffles
 * all of these); one in eight straight into the microphone, where only the words can tell.
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

/** A door, keys, a chair; in one of four cases music or a vacuum cleaner for some seconds. */
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

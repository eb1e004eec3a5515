import { readFileSync } from 'node:fs';
import { wavSamples } from '../sounds.ts';

/** A person's words, and the sound of them: 16 kHz mono. */
export interface Recording {
  readonly name: string;
  readonly words: string;
  /** The parts between long pauses, and where they are, ms. */
  readonly phrases: readonly Phrase[];
  /** Between which words a speaker who thinks would pause, ms. There is a pause already, or a dip. */
  readonly breaksMs: readonly number[];
  /** `cut-off`: the sentence goes on after the recording. */
  readonly ending: 'finished' | 'cut-off';
  readonly pcm: Int16Array;
}

export interface Phrase {
  readonly words: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** As the VAD finds them. */
const PHRASES: Readonly<Record<string, readonly (readonly [words: string, fromMs: number, toMs: number])[]>> = {
  jfk: [
    ['and so my fellow americans', 356, 2_240],
    ['ask', 3_332, 3_840],
    ['not', 4_004, 4_420],
    ['what your country can do for you', 5_444, 7_650],
    ['ask what you can do for your country', 8_228, 10_560],
  ],
  'librivox-0870': [
    [
      'and mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them',
      260,
      6_880,
    ],
  ],
  'librivox-0880': [['he was not an ill disposed young man', 292, 2_880]],
  'librivox-0930': [['he might even have been made amiable himself', 292, 3_040]],
  'cards-001': [['ten of clubs', 260, 1_020]],
  'cards-003': [['seven of clubs', 132, 1_370]],
};

/** Where words end, by PocketSphinx' alignment. */
const BREAKS_MS: Readonly<Record<string, readonly number[]>> = {
  jfk: [2_300, 4_500],
  // "had then | leisure to consider | how much there might be prudently | in his power".
  'librivox-0870': [2_220, 3_440, 5_460],
  // "He was not | an ill disposed young man."
  'librivox-0880': [1_080],
  // "He might even have been | made | amiable himself."
  'librivox-0930': [1_330, 1_700],
};

/** "… young man, unless to be rather cold hearted", "… amiable himself; for he was very young" (Sense and Sensibility, chapter 1). */
const CUT_OFF: ReadonlySet<string> = new Set(['librivox-0880', 'librivox-0930']);

/** @returns the recordings of this folder; its README says where they come from. */
export function recordings(): Recording[] {
  return Object.entries(PHRASES).map(([name, phrases]) => ({
    name,
    words: phrases.map(([words]) => words).join(' '),
    phrases: phrases.map(([words, fromMs, toMs]) => ({ words, fromMs, toMs })),
    breaksMs: BREAKS_MS[name] ?? [],
    ending: CUT_OFF.has(name) ? 'cut-off' : 'finished',
    pcm: wavSamples(readFileSync(new URL(`${name}.wav`, import.meta.url))),
  }));
}

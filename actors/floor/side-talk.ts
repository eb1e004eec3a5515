import { allWords } from '../language/lexicon.ts';
import { plainWords } from '../text/words.ts';
import { BUSY, contracted, VOCATIVES } from './busy-phrases.ts';
import { isTalkOf, type SpokenWhere } from './softer-voice.ts';
import { howUnderstood, isFarAway, isSofter, type SpeakerLevel } from './speaker-level.ts';

/**
 * Speech that is not meant for the persona: somebody else in the room, or the user turning to somebody else. The words
 * show it only while the persona speaks, when most of what is said to it interrupts. In silence, "a present for my mom"
 * and "close the door" are ordinary messages.
 */

/** In sentences said to somebody else. Compared with the plain words. */
const TO_OTHERS: readonly string[] = [...BUSY, ...allWords('sideTalk')];

export interface Heard {
  readonly text: string;
  readonly language: string | null;
  /** Of the recognizer, 0…1; null where it does not say. */
  readonly confidence: number | null;
  /** Mean over the voiced windows. */
  readonly levelDb: number;
  /** When it began, ms. */
  readonly from: number;
  readonly speaker: SpeakerLevel;
  readonly where: SpokenWhere;
}

export function isSideTalk(heard: Heard): boolean {
  const words = plainWords(heard.text, heard.language);
  const { speaker, levelDb, where } = heard;
  if (isFarAway(speaker, levelDb, where, howUnderstood(words, heard.confidence))) return true;
  if (isTalkOf(speaker.softer, heard)) return true;
  // Into the silence, words to others are only a vote, and being softer is the other one.
  if (!isSaidToOthers(words)) return false;
  return where === 'overSpeech' || (where === 'inSilence' && isSofter(speaker, levelDb));
}

function isSaidToOthers(words: readonly string[]): boolean {
  if (words.length === 0) return false;
  if (VOCATIVES.has(words[0] ?? '') || VOCATIVES.has(words.at(-1) ?? '')) return true;
  const sentence = ` ${contracted(words).join(' ')} `;
  return TO_OTHERS.some((phrase) => sentence.includes(` ${phrase} `));
}

import { plainWords } from '../text/words.ts';
import { isFarAway, type SpeakerLevel, type SpokenWhere } from './speaker-level.ts';

/**
 * Speech that is not meant for the persona: somebody else in the room, or the user turning to somebody else. The words
 * show it only while the persona speaks, when most of what is said to it interrupts. In silence, "a present for my mom"
 * and "close the door" are ordinary messages.
 */

/** Whom one speaks to in the room. Only at the end or the beginning of what was said. Lower case, without accents. */
const OTHERS: ReadonlySet<string> = new Set([
  'mom',
  'mum',
  'mommy',
  'mummy',
  'dad',
  'daddy',
  'honey',
  'sweetie',
  'sweetheart',
  'darling',
  'babe',
  'kids',
  'guys',
  'mama',
  'papa',
  'maman',
  'schatz',
  'mutti',
  'vati',
  'cherie',
  'carino',
  'amore',
  'tesoro',
]);

/** In sentences said to somebody else, mostly about being busy. Compared with the plain words. */
const TO_OTHERS: readonly string[] = [
  "i'm on a call",
  'im on a call',
  "i'm on the phone",
  'im on the phone',
  "i'm in a meeting",
  'im in a meeting',
  'not you',
  "i'm talking to",
  'im talking to',
  'be right there',
  "i'll be right there",
  'ill be right there',
  'be there in a',
  'in a minute',
  'close the door',
  'shut the door',
  'come in',
  'dinner is',
  'leave it on the',
  'put it on the',
  'put it over there',
  'thanks just put',
  'ich telefoniere',
  'ich bin am telefon',
  'nicht du',
  'komme gleich',
  'mach die tur zu',
  'je suis au telephone',
  "j'arrive",
  'estoy al telefono',
  'ya voy',
  'sono al telefono',
  'arrivo subito',
];

export interface Heard {
  readonly text: string;
  readonly language: string | null;
  /** Mean over the voiced windows. */
  readonly levelDb: number;
  readonly speaker: SpeakerLevel;
  readonly where: SpokenWhere;
}

export function isSideTalk(heard: Heard): boolean {
  if (isFarAway(heard.speaker, heard.levelDb, heard.where)) return true;
  return heard.where === 'overSpeech' && isSaidToOthers(plainWords(heard.text, heard.language));
}

function isSaidToOthers(words: readonly string[]): boolean {
  if (words.length === 0) return false;
  if (OTHERS.has(words[0] ?? '') || OTHERS.has(words.at(-1) ?? '')) return true;
  const sentence = ` ${words
    .join(' ')
    .replaceAll(/\bi am\b/g, "i'm")
    .replaceAll(/\bi will\b/g, "i'll")} `;
  return TO_OTHERS.some((phrase) => sentence.includes(` ${phrase} `));
}

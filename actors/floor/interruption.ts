import { allWords } from '../language/lexicon.ts';
import type { ConversationMode } from '../meeting/conversation-mode.ts';
import { backchannelWordsAtStart, mayBecomeBackchannel } from '../text/backchannel.ts';
import { plainWords } from '../text/words.ts';
import { isBareCommand, isCommand, isSignOfListening } from './listening.ts';
import { MISTAKE_MS } from './pause-rhythm.ts';
import { isSideTalk } from './side-talk.ts';
import { isFarAway, isUnsure, type SpeakerLevel, type Understood } from './speaker-level.ts';

/**
 * The user makes a sound while the persona speaks. Is it an interruption? The persona's voice is lowered meanwhile; the
 * words decide as soon as there are some, the sound alone only when the recognizer stays silent.
 */

/** What is known of the overlap so far. */
export interface Overlap {
  /** Onset, ms. */
  readonly from: number;
  /** From the onset to now, or to the end of the voice. */
  readonly voicedMs: number;
  readonly voice: 'on' | 'over';
  /** From the end of the turn that is being answered to the onset; null: there was none. */
  readonly pausedMs: number | null;
  /** Words of the user's turn so far. */
  readonly text: string;
  /** The text is final. */
  readonly textIsFinal: boolean;
  readonly language: string | null;
  /** Of the recognizer in its final text, 0…1; null where it does not say. */
  readonly confidence: number | null;
  /** Mean level of the voiced windows. */
  readonly levelDb: number;
  readonly speaker: SpeakerLevel;
  /** This recognizer has been seen to give words while the user speaks. */
  readonly partialsKnown: boolean;
  readonly mode: ConversationMode;
}

/** `words` and `voice` end the persona's speech, on that evidence; `keep` lets it go on. */
export type Verdict = 'words' | 'voice' | 'keep' | 'wait';

/** Speech with words interrupts if it is at least this long, ms (contract). */
export const INTERRUPTION_MS = 300;
/** One unclear word may be a cough that the recognizer took for a word: it needs this much sound. */
const ONE_WORD_MS = 450;
/**
 * One word of a partial text is often the beginning of another: "ice" becomes "I see", "bra" becomes "right". Short
 * replies of listeners are over by then (`recorded-overlaps.test.ts`).
 */
const ONE_PARTIAL_WORD_MS = 500;
/** "Oh, really" is often heard as "oh two": one odd word after a sign of listening needs this much sound to count. */
const MISHEARD_MS = 900;
/**
 * Without words so far: a voice that goes on for this long means something, if the recognizer gives no partial text …
 */
export const VOICE_ONLY_MS = 700;
/** … and if it usually does, this long: music and laughter last, and give no words. */
export const VOICE_WITHOUT_EXPECTED_WORDS_MS = 1_600;

/**
 * Who speaks again so soon had not finished: half a sentence is being answered. Two people would let the first one go on at
 * once. A sign of listening comes later, and one that does not is no loss: the persona goes on with the same word.
 */
const GOES_ON_MS = MISTAKE_MS;

export const WEAK_WORDS = allWords('weakWords');

export function judge(overlap: Overlap): Verdict {
  const words = plainWords(overlap.text, overlap.language);
  if (words.length === 0) return judgeAudio(overlap);
  if (isListening(overlap, words)) return overlap.voice === 'over' ? 'keep' : 'wait';
  if (isForOthers(overlap)) return judgeSoftWords(overlap, words);
  if (isCommand(words)) return 'words';
  if (!overlap.textIsFinal && mayBecomeBackchannel(overlap.text, overlap)) return 'wait';
  const strong = words.filter((word) => !WEAK_WORDS.has(word)).length;
  if (strong === 0) return overlap.voice === 'over' && overlap.textIsFinal ? 'keep' : 'wait';
  const oneWord = overlap.textIsFinal ? ONE_WORD_MS : ONE_PARTIAL_WORD_MS;
  if (overlap.voicedMs >= (words.length === 1 ? oneWord : INTERRUPTION_MS)) return 'words';
  if (overlap.voice === 'on' || !overlap.textIsFinal) return 'wait';
  return overlap.voicedMs >= INTERRUPTION_MS ? 'words' : 'keep';
}

/**
 * Softer than the user usually is. A command alone still counts, once it is known that nothing follows it: whoever says
 * "stop" means the one who is talking, and a persona that cannot be stopped is felt at once. While one speaks it may look
 * like another word.
 */
function judgeSoftWords(overlap: Overlap, words: readonly string[]): Verdict {
  const { speaker, levelDb, voice, textIsFinal, confidence } = overlap;
  const isFar = isFarAway(speaker, levelDb, 'overSpeech', 'command');
  const isMeant = isBareCommand(words) && !isUnsure(confidence) && !isFar;
  if (isMeant) return textIsFinal || voice === 'over' ? 'words' : 'wait';
  if (!textIsFinal && (mayBeUnderstoodWell(overlap) || (!isFar && words.length === 1))) return 'wait';
  return voice === 'over' ? 'keep' : 'wait';
}

/** "Seven", and the final text says "seven of clubs": with that, the voice is near enough. */
function mayBeUnderstoodWell({ speaker, levelDb }: Overlap): boolean {
  const isFar = (understood: Understood) => isFarAway(speaker, levelDb, 'overSpeech', understood);
  return isFar('hardly') && !isFar('well');
}

/** In a group, who speaks to the others takes the floor as well: the persona never talks over people. */
function isForOthers(overlap: Overlap): boolean {
  return overlap.mode === 'one-to-one' && isSideTalk({ ...overlap, where: 'overSpeech' });
}

/** A sign of listening, also where the recognizer has put a wrong word before or after it. */
function isListening(overlap: Overlap, words: readonly string[]): boolean {
  if (isSignOfListening(overlap.text, words, overlap.language)) return true;
  if (overlap.voicedMs >= MISHEARD_MS || words.length > 3 || isCommand(words)) return false;
  const inner = words.filter((word) => !WEAK_WORDS.has(word));
  if (
    words.length - inner.length === 1 &&
    inner.length > 0 &&
    isSignOfListening(inner.join(' '), inner, overlap.language)
  )
    return true;
  return words.length - backchannelWordsAtStart(overlap.text, overlap) === 1 && words.length > 1;
}

function judgeAudio(overlap: Overlap): Verdict {
  if (overlap.voice === 'over') return overlap.textIsFinal ? 'keep' : 'wait';
  if (isForOthers(overlap)) return 'wait';
  return overlap.voicedMs >= longEnough(overlap) ? 'voice' : 'wait';
}

function longEnough({ mode, pausedMs, partialsKnown }: Overlap): number {
  if (mode === 'one-to-one' && pausedMs !== null && pausedMs <= GOES_ON_MS) return INTERRUPTION_MS;
  return partialsKnown ? VOICE_WITHOUT_EXPECTED_WORDS_MS : VOICE_ONLY_MS;
}

import { insists, nextTry, type HeardVoice, type SofterVoice, type SpokenWhere } from './softer-voice.ts';

/**
 * How loud this user usually is, to tell the user from somebody across the room, or from the user with the head turned
 * away. Levels in dBFS, mean over the voiced windows of an utterance.
 */
export interface SpeakerLevel {
  /** Null until something was understood. */
  readonly usualDb: number | null;
  /** Utterances that it was learned from. */
  readonly utterances: number;
  /** How far from the usual this user has been into the silence, dB; wears off. */
  readonly variesDb: number;
  /** Another voice that was softer; null: the newest one was as loud as usual. */
  readonly softer: SofterVoice | null;
}

export const UNKNOWN_LEVEL: SpeakerLevel = { usualDb: null, utterances: 0, variesDb: 0, softer: null };

/**
 * So much quieter than usual is somebody else. Turning the head away or talking from 2 m instead of 0.5 m costs 8–12
 * dB; people themselves vary by about 5 dB from sentence to sentence. Who talks over another voice raises the own: so
 * during the persona's speech less is enough, while in silence a user must not be ignored for speaking softly. Whoever
 * speaks right after a question most likely answers it, also in a whisper, which is 10 to 15 dB softer than the voice.
 *
 * The level is one vote among others. An echo canceller lowers whoever speaks over the persona, and gain control moves
 * the level by 5 dB: words over the persona that were understood well need to be softer to be somebody else's. Not by
 * more: side talk begins 8 dB below (`bench/conversation-quality`).
 */
const FAR_BELOW_DB = {
  // "Stop," alone is one short vowel: 10 dB below the same voice's sentences.
  command: { overSpeech: 12, inSilence: 9, afterQuestion: 15 },
  hardly: { overSpeech: 5.5, inSilence: 9, afterQuestion: 15 },
  well: { overSpeech: 7.5, inSilence: 9, afterQuestion: 15 },
  surely: { overSpeech: 7.5, inSilence: 10.5, afterQuestion: 15 },
} as const;
/**
 * Gain control settles during the first utterance: into the silence, one utterance tells so much less. With 5 dB, a
 * tenth of the asides more is answered (`bench/conversation-quality`).
 */
const UNSETTLED_DB = 1;
/** By so much the level falls then (5.2 in Chromium). Side talk begins 8 dB below. */
const GAIN_SETTLES_DB = 6;
/**
 * Into the silence, a user whose level has varied is somebody else only twice as far away: people who pass the
 * microphone on, or move, were not answered (recordings of several speakers in one call, up to 12.6 dB apart). A steady
 * one changes nothing.
 */
const OF_VARIATION = 2;
const MAX_BELOW_DB = 15;
const SOFTER_DB = 5.5;
/** Recognizers hear one word in a noise, sometimes two. Three were said by somebody who is near enough to be heard. */
const WELL_UNDERSTOOD_WORDS = 3;
/** What two readings of the same sound share is as sure (`models/stt/incremental/local-agreement.ts`). */
const SURE_WORDS = 0.7;
/** So sure a recognizer is only of words that were said near the microphone. */
const CLEAR_SPEECH = 0.8;
/** What is nearer to the microphone is the user: upwards it learns quickly, downwards slowly. */
const WEIGHT_UP = 0.5;
const WEIGHT_DOWN = 0.15;
export type Understood = keyof typeof FAR_BELOW_DB;

/** @param confidence of the recognizer, 0…1; null where it does not say. */
export function howUnderstood(words: readonly string[], confidence: number | null): Understood {
  if (words.length < WELL_UNDERSTOOD_WORDS) return isClear(confidence) ? 'well' : 'hardly';
  return confidence !== null && confidence >= SURE_WORDS ? 'surely' : 'well';
}

export function isClear(confidence: number | null): boolean {
  return confidence !== null && confidence >= CLEAR_SPEECH;
}

/** The recognizer says that it is not sure. */
export function isUnsure(confidence: number | null): boolean {
  return confidence !== null && confidence < SURE_WORDS;
}

export function isFarAway(level: SpeakerLevel, heardDb: number, where: SpokenWhere, understood: Understood): boolean {
  const usualDb = usualNow(level);
  return usualDb !== null && heardDb <= usualDb - farBelowDb(level, where, understood);
}

function farBelowDb({ utterances, variesDb }: SpeakerLevel, where: SpokenWhere, understood: Understood): number {
  const steadyDb = FAR_BELOW_DB[understood][where];
  if (where === 'overSpeech') return steadyDb;
  if (utterances < 2) return where === 'inSilence' ? steadyDb + UNSETTLED_DB : steadyDb;
  return Math.max(steadyDb, Math.min(OF_VARIATION * variesDb, MAX_BELOW_DB));
}

function usualNow({ usualDb, softer }: SpeakerLevel): number | null {
  return softer?.standing === 'heard' ? softer.levelDb : usualDb;
}

/** Softer than people vary from sentence to sentence. */
export function isSofter(level: SpeakerLevel, heardDb: number): boolean {
  const usualDb = usualNow(level);
  return usualDb !== null && heardDb <= usualDb - SOFTER_DB;
}

/** @param outcome whether the utterance counted as the user's, or was taken for somebody else's. */
export function learnLevel(level: SpeakerLevel, heard: HeardVoice, outcome: 'answered' | 'ignored'): SpeakerLevel {
  const { levelDb, where } = heard;
  if (!Number.isFinite(levelDb)) return level;
  const { usualDb, utterances, variesDb } = level;
  if (outcome === 'ignored') {
    const teachesNothing = usualDb === null || level.softer?.standing === 'heard';
    if (teachesNothing) return level;
    return { ...level, softer: nextTry(level.softer, heard, isSofter(level, levelDb) ? 'far' : 'other') };
  }
  if (usualDb === null) return { usualDb: levelDb, utterances: 1, variesDb, softer: null };
  if (insists(level.softer, heard) || isOfSofter(level, levelDb))
    return { ...level, softer: { ...nextTry(level.softer, heard, 'far'), standing: 'heard' } };
  const differsDb = levelDb - usualDb;
  return {
    usualDb: usualDb + weightOf(differsDb, where, utterances) * differsDb,
    utterances: utterances + 1,
    variesDb: where === 'overSpeech' || settles(differsDb, utterances) ? variesDb : variation(variesDb, differsDb),
    softer: null,
  };
}

function variation(knownDb: number, differsDb: number): number {
  const newestDb = Math.abs(differsDb);
  return newestDb > knownDb ? newestDb : knownDb + WEIGHT_DOWN * (newestDb - knownDb);
}

/** The user has moved away, and this is nearer to that level than to the usual one. */
function isOfSofter({ usualDb, softer }: SpeakerLevel, levelDb: number): boolean {
  if (usualDb === null || softer?.standing !== 'heard') return false;
  return Math.abs(levelDb - softer.levelDb) < Math.abs(levelDb - usualDb);
}

function weightOf(louderDb: number, where: SpokenWhere, utterances: number): number {
  if (louderDb > 0) return WEIGHT_UP;
  // An echo canceller lowers whoever speaks over the persona: that tells nothing about the usual level.
  if (where === 'overSpeech') return 0;
  if (settles(louderDb, utterances)) return 1;
  return utterances < 2 ? WEIGHT_UP : WEIGHT_DOWN;
}

/**
 * A browser's gain control settles during the first utterance: the same recording came with -18.5 dB, and then four
 * times with -23.6 ± 0.1. So a softer second one says what is usual: with the mean of both, people who interrupted 6 dB
 * more softly got no answer. Nor does it show that the user's level varies: far voices 12 dB softer were answered
 * (`bench/interruptions/in-chromium.ts`).
 */
function settles(louderDb: number, utterances: number): boolean {
  return utterances < 2 && louderDb <= 0 && louderDb >= -GAIN_SETTLES_DB;
}

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

export interface SofterVoice {
  readonly levelDb: number;
  /** When it stopped, ms. */
  readonly until: number;
  readonly words: readonly string[];
  /** How often it has spoken and then waited. */
  readonly tries: number;
  /** Once it has insisted, it is the user's, until a voice as loud as usual is heard again. */
  readonly standing: 'ignored' | 'heard';
}

/** What was heard of an utterance. */
export interface HeardVoice {
  readonly levelDb: number;
  readonly where: SpokenWhere;
  /** ms */
  readonly from: number;
  readonly until: number;
  readonly words: readonly string[];
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
/**
 * Who has moved away from the microphone and gets no answer says the same again, or waits after each sentence and tries
 * another one. A television does neither, people at the next table differ in their levels, and between two remarks of
 * theirs the user is heard as loud as ever.
 */
const TRIES = 4;
const WAITS_MS = 2_000;
const AS_SOFT_DB = 4;
/** Share of the words, and so many at least: recognizers mishear soft voices. */
const SAME_WORDS = { share: 0.6, least: 2 };

export type Understood = keyof typeof FAR_BELOW_DB;
export type SpokenWhere = keyof (typeof FAR_BELOW_DB)['well'];

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

/** @returns whether a softer voice wants an answer so much that it is the user's. */
export function insists({ softer }: SpeakerLevel, heard: HeardVoice): boolean {
  if (softer === null || Math.abs(heard.levelDb - softer.levelDb) > AS_SOFT_DB) return false;
  if (heard.from - softer.until < WAITS_MS) return false;
  const same = heard.words.filter((word) => softer.words.includes(word)).length;
  const longest = Math.max(heard.words.length, softer.words.length);
  if (same >= SAME_WORDS.least && same >= SAME_WORDS.share * longest) return true;
  return softer.tries >= TRIES && heard.where !== 'overSpeech';
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
    return teachesNothing ? level : { ...level, softer: nextTry(level.softer, heard) };
  }
  if (usualDb === null) return { usualDb: levelDb, utterances: 1, variesDb, softer: null };
  if (insists(level, heard) || isOfSofter(level, levelDb))
    return { ...level, softer: { ...nextTry(level.softer, heard), standing: 'heard' } };
  const differsDb = levelDb - usualDb;
  return {
    usualDb: usualDb + weightOf(differsDb, where, utterances) * differsDb,
    utterances: utterances + 1,
    variesDb: where === 'overSpeech' ? variesDb : variation(variesDb, Math.abs(differsDb)),
    softer: null,
  };
}

function variation(knownDb: number, newestDb: number): number {
  return newestDb > knownDb ? newestDb : knownDb + WEIGHT_DOWN * (newestDb - knownDb);
}

function nextTry(before: SofterVoice | null, { levelDb, from, until, words }: HeardVoice): SofterVoice {
  const isSame = before !== null && Math.abs(levelDb - before.levelDb) <= AS_SOFT_DB && from - before.until >= WAITS_MS;
  return { levelDb, until, words, tries: isSame ? before.tries + 1 : 1, standing: 'ignored' };
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
  // A browser's gain control settles during the first utterance: the same recording came with -18.5 dB, and then four
  // times with -23.6 ± 0.1. So a softer second one says what is usual: with the mean of both, people who interrupted
  // 6 dB more softly got no answer (`bench/interruptions/in-chromium.ts`).
  if (utterances < 2) return louderDb >= -GAIN_SETTLES_DB ? 1 : WEIGHT_UP;
  return WEIGHT_DOWN;
}

/**
 * A voice that is softer than the user usually is, and was ignored: somebody across the room, a television, or the
 * user, further away than before. Levels in dBFS, times in ms.
 */
export interface SofterVoice {
  readonly levelDb: number;
  /** When it stopped. */
  readonly until: number;
  readonly words: readonly string[];
  /** How often it has spoken and then waited. */
  readonly tries: number;
  /** Once it has insisted, it is the user's, until a voice as loud as usual is heard again. */
  readonly standing: 'ignored' | 'heard';
  /** How long it has talked without waiting for an answer, ms. 0: it was ignored for its words, not for its level. */
  readonly talkedMs: number;
  /** It has talked for long without waiting for an answer. */
  readonly talksOn: boolean;
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

export type SpokenWhere = 'overSpeech' | 'inSilence' | 'afterQuestion';

/**
 * Who has moved away from the microphone and gets no answer says the same again, or waits after each sentence and tries
 * another one. A television does neither, people at the next table differ in their levels, and between two remarks of
 * theirs the user is heard as loud as ever.
 */
const TRIES = 4;
const WAITS_MS = 2_000;
const AS_SOFT_DB = 4;
/**
 * Share of the words, and so many at least, unless all of them are the same: recognizers mishear soft voices. "Seven of
 * clubs" does not say "ten of clubs" again.
 */
const SAME_WORDS = { share: 0.6, least: 3, leastOfAll: 2 };

/** @returns whether a softer voice wants an answer so much that it is the user's. */
export function insists(softer: SofterVoice | null, heard: HeardVoice): boolean {
  if (softer === null || Math.abs(heard.levelDb - softer.levelDb) > AS_SOFT_DB) return false;
  if (heard.from - softer.until < WAITS_MS) return false;
  const same = heard.words.filter((word) => softer.words.includes(word)).length;
  const longest = Math.max(heard.words.length, softer.words.length);
  if (same >= SAME_WORDS.least && same >= SAME_WORDS.share * longest) return true;
  if (same >= SAME_WORDS.leastOfAll && same === longest) return true;
  return softer.tries >= TRIES && heard.where !== 'overSpeech';
}

/**
 * A browser's gain control raises a television by 4 to 5 dB from one sentence to the next, until it is as loud as the
 * user was. It raises the user as well, who is at least 6 dB louder at any moment
 * (`bench/interruptions/in-chromium.ts`).
 */
const GAIN_RISES_DB = 6;
/** Talk that lasts so long goes on: two short sentences of a television, or one that is not as short. */
const TALK_MS = 1_500;
/** Who talks for so long without waiting for an answer wants none, and is remembered. */
const LONG_TALK_MS = 4_000;
/** Gain control holds its gain while nobody speaks. But a television that was not heard for so long may be off. */
const TALK_REMEMBERED_MS = 30_000;

/** @returns whether a voice that was too far away goes on talking, however loud gain control has made it meanwhile. */
export function isTalkOf(softer: SofterVoice | null, { levelDb, from }: Pick<HeardVoice, 'levelDb' | 'from'>): boolean {
  if (softer?.standing !== 'ignored' || levelDb > softer.levelDb + GAIN_RISES_DB) return false;
  const waitedMs = from - softer.until;
  if (waitedMs < 0 || waitedMs > TALK_REMEMBERED_MS) return false;
  return softer.talksOn || (softer.talkedMs >= TALK_MS && waitedMs < WAITS_MS);
}

/** @param why it is ignored. @returns the softer voice with this utterance, or another one that begins with it. */
export function nextTry(before: SofterVoice | null, heard: HeardVoice, why: 'far' | 'other'): SofterVoice {
  const { levelDb, from, until, words } = heard;
  const lastsMs = until - from;
  const talkedMs = why === 'far' ? lastsMs : 0;
  const begun: SofterVoice = { levelDb, until, words, tries: 1, standing: 'ignored', talkedMs, talksOn: false };
  if (before === null) return begun;
  const waitedMs = from - before.until;
  const hasWaited = waitedMs >= WAITS_MS && Math.abs(levelDb - before.levelDb) <= AS_SOFT_DB;
  const goesOn = isTalkOf(before, heard) || (before.talkedMs > 0 && waitedMs < WAITS_MS);
  const now = { ...begun, tries: hasWaited ? before.tries + 1 : 1, ...(goesOn && longer(before, lastsMs)) };
  if (words.length > 0 || waitedMs > TALK_REMEMBERED_MS) return now;
  // A cough is neither another try of the one who spoke before, nor another voice.
  return goesOn ? { ...now, words: before.words, tries: before.tries } : before;
}

function longer({ talkedMs: before }: SofterVoice, lastsMs: number): Pick<SofterVoice, 'talkedMs' | 'talksOn'> {
  const talkedMs = before + lastsMs;
  return { talkedMs, talksOn: talkedMs >= LONG_TALK_MS };
}

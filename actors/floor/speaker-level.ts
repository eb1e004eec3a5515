/**
 * How loud this user usually is, to tell the user from somebody across the room, or from the user with the head turned
 * away. Levels in dBFS, mean over the voiced windows of an utterance.
 */
export interface SpeakerLevel {
  /** Null until something was understood. */
  readonly usualDb: number | null;
}

export const UNKNOWN_LEVEL: SpeakerLevel = { usualDb: null };

/**
 * So much quieter than usual is somebody else. Turning the head away or talking from 2 m instead of 0.5 m costs
 * 8–12 dB; people themselves vary by about 5 dB from sentence to sentence. Who talks over another voice raises the own:
 * so during the persona's speech less is enough, while in silence a user must not be ignored for speaking softly. Whoever
 * speaks right after a question most likely answers it, also in a whisper, which is 10 to 15 dB softer than the voice.
 */
const FAR_BELOW_DB = { overSpeech: 5.5, inSilence: 9, afterQuestion: 15 };
/** What is nearer to the microphone is the user: upwards it learns quickly, downwards slowly. */
const WEIGHT_UP = 0.5;
const WEIGHT_DOWN = 0.15;
/** Who is ignored and speaks again at that level means it: heard on the second or third try. */
const WEIGHT_IGNORED = 0.35;

export type SpokenWhere = keyof typeof FAR_BELOW_DB;

export function isFarAway(level: SpeakerLevel, heardDb: number, where: SpokenWhere): boolean {
  return level.usualDb !== null && heardDb <= level.usualDb - FAR_BELOW_DB[where];
}

/** @param outcome whether the utterance counted as the user's, or was taken for somebody else's. */
export function learnLevel(level: SpeakerLevel, heardDb: number, outcome: 'answered' | 'ignored'): SpeakerLevel {
  if (!Number.isFinite(heardDb)) return level;
  if (level.usualDb === null) return outcome === 'answered' ? { usualDb: heardDb } : level;
  const weight = outcome === 'ignored' ? WEIGHT_IGNORED : heardDb > level.usualDb ? WEIGHT_UP : WEIGHT_DOWN;
  return { usualDb: level.usualDb + weight * (heardDb - level.usualDb) };
}

import type { BusEvent } from '../session/inner-events.ts';
import { ENTER_PROBABILITY } from '../listening/voice-segmenter.ts';
import type { Overlap } from './interruption.ts';

/** What is collected about an overlap, and about the speaker, to judge it by. Plain data. */
export interface OverlapSound {
  readonly onsetAt: number;
  readonly lastAt: number;
  readonly voice: 'on' | 'over';
  readonly text: string;
  readonly textIsFinal: boolean;
  readonly language: string | null;
  readonly levelSumDb: number;
  readonly voicedWindows: number;
}

export interface Speaker {
  /** Usual level of this user's voice; null until a turn was understood. */
  readonly usualLevelDb: number | null;
  /** Level of the utterance that may turn out to be a turn. */
  readonly lastLevelDb: number | null;
  readonly partialsKnown: boolean;
}

export const UNKNOWN_SPEAKER: Speaker = { usualLevelDb: null, lastLevelDb: null, partialsKnown: false };

/** A few turns make the usual level; a single loud one does not. */
const NEWEST_WEIGHT = 0.25;

export function beginOverlap(event: BusEvent, at: number): OverlapSound {
  const onsetAt = event.type === 'voice.suspected' || event.type === 'voice.started' ? event.onsetAt : at;
  return { onsetAt, lastAt: at, voice: 'on', text: '', textIsFinal: false, language: null, levelSumDb: 0, voicedWindows: 0 };
}

export function hear(overlap: OverlapSound, event: BusEvent): OverlapSound {
  switch (event.type) {
    case 'hearing.window':
      return event.probability < ENTER_PROBABILITY
        ? overlap
        : { ...overlap, lastAt: event.endsAt, levelSumDb: overlap.levelSumDb + event.levelDb, voicedWindows: overlap.voicedWindows + 1 };
    case 'hearing.partial':
      return { ...overlap, text: event.text };
    case 'hearing.final':
      return { ...overlap, text: event.text, textIsFinal: true, language: event.language };
    default:
      return overlap;
  }
}

export function stopVoice(overlap: OverlapSound, event: BusEvent): OverlapSound {
  return event.type === 'voice.stopped' ? { ...overlap, voice: 'over', lastAt: event.lastVoicedAt } : overlap;
}

export function overlapOf(sound: OverlapSound, speaker: Speaker, configuredLanguage: string | null): Overlap {
  return {
    voicedMs: sound.lastAt - sound.onsetAt,
    voice: sound.voice,
    text: sound.text,
    textIsFinal: sound.textIsFinal,
    language: sound.language ?? configuredLanguage,
    levelDb: sound.voicedWindows === 0 ? Infinity : sound.levelSumDb / sound.voicedWindows,
    usualLevelDb: speaker.usualLevelDb,
    partialsKnown: speaker.partialsKnown,
  };
}

export function learnLevel(speaker: Speaker, event: BusEvent): Speaker {
  switch (event.type) {
    case 'hearing.partial':
      return speaker.partialsKnown || event.text.trim() === '' ? speaker : { ...speaker, partialsKnown: true };
    case 'voice.stopped':
      return { ...speaker, lastLevelDb: event.levelDb };
    case 'turn.ended': {
      const { lastLevelDb, usualLevelDb } = speaker;
      if (lastLevelDb === null) return speaker;
      return { ...speaker, usualLevelDb: usualLevelDb === null ? lastLevelDb : usualLevelDb + NEWEST_WEIGHT * (lastLevelDb - usualLevelDb) };
    }
    default:
      return speaker;
  }
}

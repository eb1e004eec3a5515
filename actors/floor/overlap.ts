import type { BusEvent } from '../session/inner-events.ts';
import { ENTER_PROBABILITY, levelOf, powerOf } from '../listening/voice-segmenter.ts';
import type { Overlap } from './interruption.ts';
import type { SpeakerLevel } from './speaker-level.ts';

/** What is collected about an overlap, to judge it by. Plain data. */
export interface OverlapSound {
  readonly onsetAt: number;
  readonly lastAt: number;
  readonly voice: 'on' | 'over';
  readonly text: string;
  readonly textIsFinal: boolean;
  readonly language: string | null;
  /** Sum over the voiced windows. */
  readonly power: number;
  readonly voicedWindows: number;
}

export function beginOverlap(event: BusEvent, at: number): OverlapSound {
  const onsetAt = event.type === 'voice.suspected' || event.type === 'voice.started' ? event.onsetAt : at;
  return { onsetAt, lastAt: at, voice: 'on', text: '', textIsFinal: false, language: null, power: 0, voicedWindows: 0 };
}

export function hear(overlap: OverlapSound, event: BusEvent): OverlapSound {
  switch (event.type) {
    case 'hearing.window':
      return event.probability < ENTER_PROBABILITY
        ? overlap
        : { ...overlap, lastAt: event.endsAt, power: overlap.power + powerOf(event.levelDb), voicedWindows: overlap.voicedWindows + 1 };
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

/** @param known what is known of the user and the recogniser. */
export function overlapOf(sound: OverlapSound, known: { readonly speaker: SpeakerLevel; readonly partialsKnown: boolean; readonly language: string | null }): Overlap {
  return {
    voicedMs: sound.lastAt - sound.onsetAt,
    voice: sound.voice,
    text: sound.text,
    textIsFinal: sound.textIsFinal,
    language: sound.language ?? known.language,
    levelDb: sound.voicedWindows === 0 ? Infinity : levelOf(sound.power, sound.voicedWindows),
    speaker: known.speaker,
    partialsKnown: known.partialsKnown,
  };
}

import type { BusEvent } from '../kernel/inner-events.ts';
import { levelOf, powerOf } from '../vad/vad-segmenter.ts';
import { ENTER_PROBABILITY } from '../vad/vad-thresholds.ts';
import type { Overlap } from './interruption.ts';

/** What is collected about an overlap, to judge it by. Plain data. */
export interface OverlapEvidence {
  readonly onsetAt: number;
  readonly lastAt: number;
  readonly voice: 'on' | 'over';
  readonly text: string;
  readonly textIsFinal: boolean;
  readonly language: string | null;
  readonly confidence: number | null;
  /** Sum over the voiced windows. */
  readonly power: number;
  readonly voicedWindows: number;
}

export function beginOverlap(event: BusEvent, at: number): OverlapEvidence {
  const onsetAt = event.type === 'vad.suspected' || event.type === 'vad.started' ? event.onsetAt : at;
  return {
    onsetAt,
    lastAt: at,
    voice: 'on',
    text: '',
    textIsFinal: false,
    language: null,
    confidence: null,
    power: 0,
    voicedWindows: 0,
  };
}

export function hear(overlap: OverlapEvidence, event: BusEvent): OverlapEvidence {
  switch (event.type) {
    case 'vad.window':
      return event.probability < ENTER_PROBABILITY
        ? overlap
        : {
            ...overlap,
            lastAt: event.endsAt,
            power: overlap.power + powerOf(event.levelDb),
            voicedWindows: overlap.voicedWindows + 1,
          };
    case 'stt.partial':
      return { ...overlap, text: event.text };
    case 'stt.final':
      return {
        ...overlap,
        text: event.text,
        textIsFinal: true,
        language: event.language,
        confidence: event.confidence ?? null,
      };
    default:
      return overlap;
  }
}

export function stopVoice(overlap: OverlapEvidence, event: BusEvent): OverlapEvidence {
  return event.type === 'vad.stopped' ? { ...overlap, voice: 'over', lastAt: event.lastVoicedAt } : overlap;
}

/** @param known what is known of the user and the recognizer. */
export function overlapOf(
  audio: OverlapEvidence,
  known: Pick<Overlap, 'speaker' | 'partialsKnown' | 'mode' | 'language'> & { readonly userEndedAt: number | null },
): Overlap {
  return {
    from: audio.onsetAt,
    voicedMs: audio.lastAt - audio.onsetAt,
    pausedMs: known.userEndedAt === null ? null : audio.onsetAt - known.userEndedAt,
    voice: audio.voice,
    text: audio.text,
    textIsFinal: audio.textIsFinal,
    language: audio.language ?? known.language,
    confidence: audio.confidence,
    levelDb: audio.voicedWindows === 0 ? Infinity : levelOf(audio.power, audio.voicedWindows),
    speaker: known.speaker,
    partialsKnown: known.partialsKnown,
    mode: known.mode,
  };
}

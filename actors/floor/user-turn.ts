import { isBackchannel } from '../text/backchannel.ts';
import { joint, plainWords } from '../text/words.ts';
import { isSideTalk } from './side-talk.ts';
import type { SpeakerLevel } from './speaker-level.ts';

/** What the user is saying, from the first sound to the decision that it was all. Plain data. */
export interface OpenTurn {
  readonly correlationId: string;
  readonly startedAt: number;
  readonly lastVoicedAt: number;
  /** Sound above the threshold so far, and its mean level. */
  readonly voicedMs: number;
  readonly levelDb: number;
  /** Texts of the utterances that the recognizer has finished: a pause may have cut the turn into several. */
  readonly parts: readonly string[];
  /** Words of the utterance that is being recognized. */
  readonly partial: string;
  readonly language: string | null;
  /** How sure the recognizer is of the newest finished utterance, 0…1; null where it does not say. */
  readonly confidence: number | null;
  /** Finals asked for and not yet here. */
  readonly finalsAwaited: number;
  readonly finalAskedAt: number;
  readonly transcribedAt: number;
  /** What the LLM was asked with ahead of time; empty when it was not. */
  readonly preemptiveText: string;
  readonly modelProbability: number | null;
  readonly place: TurnPlace;
}

/**
 * How the turn stands to the persona's speech. `alone`: nothing was going on. `over-persona`: it began while the
 * persona thought or spoke. `yielded-*`: the persona stopped for it, on that evidence. `not-for-floor`: it was judged
 * to be no interruption. `answers-question`: the persona's question ended right after it began.
 */
export type TurnPlace =
  | 'alone'
  | 'over-persona'
  | 'yielded-to-words'
  | 'yielded-to-voice'
  | 'not-for-floor'
  | 'answers-question';

export function openTurn(correlationId: string, startedAt: number, place: TurnPlace): OpenTurn {
  return {
    correlationId,
    startedAt,
    lastVoicedAt: startedAt,
    voicedMs: 0,
    levelDb: Infinity,
    parts: [],
    partial: '',
    language: null,
    confidence: null,
    finalsAwaited: 0,
    finalAskedAt: 0,
    transcribedAt: 0,
    preemptiveText: '',
    modelProbability: null,
    place,
  };
}

export function turnText(turn: OpenTurn): string {
  let text = '';
  for (const part of [...turn.parts, turn.partial]) {
    const piece = part.trim();
    if (piece !== '') text += joint(text, piece) + piece;
  }
  return text;
}

/** Only the finished utterances: partial text is a guess. */
export function finalText(turn: OpenTurn): string {
  return turnText({ ...turn, partial: '' });
}

export function takePartial(turn: OpenTurn, text: string): OpenTurn {
  return { ...turn, partial: text };
}

export function takeFinal(
  turn: OpenTurn,
  text: string,
  language: string | null,
  at: number,
  confidence: number | null = null,
): OpenTurn {
  return {
    ...turn,
    parts: [...turn.parts, text],
    partial: '',
    language: language ?? turn.language,
    confidence,
    finalsAwaited: turn.finalsAwaited - 1,
    transcribedAt: at,
  };
}

/** The recognizer failed or stays silent: its last partial text has to do. */
export function settleForPartial(turn: OpenTurn, at: number): OpenTurn {
  return { ...turn, parts: [...turn.parts, turn.partial], partial: '', finalsAwaited: 0, transcribedAt: at };
}

/** Whether two texts ask the LLM the same: case and punctuation may differ between partial and final text. */
export function saysTheSame(left: string, right: string): boolean {
  return plainWords(left).join(' ') === plainWords(right).join(' ');
}

/** Sounds that recognizers write down and that are no words: alone they are no turn. */
const NOISES: ReadonlySet<string> = new Set([
  'ahem',
  'cough',
  'coughs',
  'sigh',
  'sighs',
  'laughter',
  'laughs',
  'noise',
  'music',
  'breath',
  'sniff',
  'achoo',
]);
/** A hum, however it is spelled: "um", "ummm", "uh", "hm", "ehm", "er", "euh"; accents are gone already ("ähm"). */
const HUM = /^(?:[uo]+h*m+|u+h+|h+m+|e+h+m*|e+rm?|e+u+h+|a+h+m*|m{2,})$/;

/** Takes a `vad.stopped`: a turn may have several, with pauses between. */
export function takeAudio(
  turn: OpenTurn,
  audio: { readonly lastVoicedAt: number; readonly voicedMs: number; readonly levelDb: number },
): OpenTurn {
  const voicedMs = turn.voicedMs + audio.voicedMs;
  const levelDb =
    turn.voicedMs === 0 ? audio.levelDb : (turn.levelDb * turn.voicedMs + audio.levelDb * audio.voicedMs) / voicedMs;
  return { ...turn, lastVoicedAt: audio.lastVoicedAt, voicedMs, levelDb };
}

/** @returns whether the text is a message to the persona. */
export function isMessage(turn: OpenTurn, speaker: SpeakerLevel): boolean {
  const text = finalText(turn);
  const words = plainWords(text, turn.language);
  // "Oh." "Hm." — thinking aloud, also after a question; "mm-hm" after a question is an answer.
  if (
    words.every((word) => NOISES.has(word) || HUM.test(word)) ||
    isBackchannel(text, { language: turn.language, personaJustAsked: true })
  )
    return false;
  switch (turn.place) {
    case 'yielded-to-words':
    case 'answers-question':
      return true;
    case 'alone':
      return !isForOthers(turn, speaker);
    case 'not-for-floor':
      return false;
    case 'over-persona':
    case 'yielded-to-voice':
      return !isBackchannel(text, { language: turn.language }) && !isForOthers(turn, speaker);
  }
}

/** Said to somebody else in the room, or by somebody else. */
export function isForOthers(turn: OpenTurn, speaker: SpeakerLevel): boolean {
  return isSideTalk({
    text: turnText(turn),
    language: turn.language,
    levelDb: turn.levelDb,
    speaker,
    where: turn.place === 'alone' ? 'inSilence' : 'overSpeech',
  });
}

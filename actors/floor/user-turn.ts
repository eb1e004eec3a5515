import type { SpokenPart } from '../meeting/said.ts';
import type { Span } from '../meeting/who-spoke.ts';
import type { ConversationMode } from '../meeting/conversation-mode.ts';
import { isWordless } from '../text/backchannel.ts';
import { joint, plainWords } from '../text/words.ts';
import { asksToWait } from './asks-to-wait.ts';
import { isSignOfListening } from './listening.ts';
import { isSideTalk } from './side-talk.ts';
import { insists, type HeardVoice, type SpokenWhere } from './softer-voice.ts';
import { isClear, type SpeakerLevel } from './speaker-level.ts';

/** What the user is saying, from the first sound to the decision that it was all. Plain data. */
export interface OpenTurn {
  readonly correlationId: string;
  readonly startedAt: number;
  readonly lastVoicedAt: number;
  /** Sound above the threshold so far, and its mean level. */
  readonly voicedMs: number;
  readonly levelDb: number;
  /** Texts of the utterances that the recognizer has finished: a pause may have cut the turn into several. */
  readonly parts: readonly SpokenPart[];
  /** Words of the utterance that is being recognized. */
  readonly partial: string;
  /** The partial text leaves out the last words: they come soon after the voice stops. */
  readonly isBehind: boolean;
  readonly language: string | null;
  /** How sure the recognizer is of the newest finished utterance, 0…1; null where it does not say. */
  readonly confidence: number | null;
  /** When there was a voice whose final text was not asked for yet. */
  readonly voice: readonly Span[];
  /** Finals asked for and not yet here: when there was the voice of each. */
  readonly asked: readonly (readonly Span[])[];
  readonly finalAskedAt: number;
  readonly transcribedAt: number;
  /** What the LLM was asked with ahead of time; empty when it was not. */
  readonly preemptiveText: string;
  readonly modelProbability: number | null;
  readonly place: TurnPlace;
  /** From the end of the persona's speech to the beginning of this turn, ms; Infinity: it has not spoken. */
  readonly afterPersonaMs: number;
}

/**
 * How the turn stands to what the persona does. `alone`: nothing was going on. `while-thinking`, `during-tool`: it began
 * while the persona was silent and made an answer, or waited for a tool. `over-persona`: the persona was heard during
 * some of it. `yielded-*`: the persona stopped for it, on that evidence. `not-for-floor`: it was judged
 * to be no interruption. `answers-question`, `at-the-end`: the persona's question, or what else it said, ended right
 * after it began.
 */
export type TurnPlace =
  | 'alone'
  | 'while-thinking'
  | 'during-tool'
  | 'over-persona'
  | 'yielded-to-words'
  | 'yielded-to-voice'
  | 'not-for-floor'
  | 'answers-question'
  | 'at-the-end';

export function openTurn(
  correlationId: string,
  startedAt: number,
  place: TurnPlace,
  afterPersonaMs = Infinity,
): OpenTurn {
  return {
    correlationId,
    startedAt,
    lastVoicedAt: startedAt,
    voicedMs: 0,
    levelDb: Infinity,
    parts: [],
    partial: '',
    isBehind: false,
    language: null,
    confidence: null,
    voice: [],
    asked: [],
    finalAskedAt: 0,
    transcribedAt: 0,
    preemptiveText: '',
    modelProbability: null,
    place,
    afterPersonaMs,
  };
}

/** With the partial text, as far as there is some. */
export function allParts(turn: OpenTurn): readonly SpokenPart[] {
  return [...turn.parts, { text: turn.partial, voice: [...turn.asked.flat(), ...turn.voice] }];
}

export function turnText(turn: OpenTurn): string {
  let text = '';
  for (const part of allParts(turn)) {
    const piece = part.text.trim();
    if (piece !== '') text += joint(text, piece) + piece;
  }
  return text;
}

/** Only the finished utterances: partial text is a guess. */
export function finalText(turn: OpenTurn): string {
  return turnText({ ...turn, partial: '' });
}

export function takePartial(turn: OpenTurn, text: string, place?: 'behind'): OpenTurn {
  return { ...turn, partial: text, isBehind: place === 'behind' };
}

/** The recognizer is asked for its final text of what was heard so far. */
export function askForFinal(turn: OpenTurn, at: number): OpenTurn {
  return { ...turn, asked: [...turn.asked, turn.voice], voice: [], finalAskedAt: at };
}

/** @returns the last sound of the oldest utterance whose final text is awaited. */
export function awaitedSince({ asked, finalAskedAt }: OpenTurn): number {
  return asked[0]?.at(-1)?.to ?? finalAskedAt;
}

export function takeFinal(
  turn: OpenTurn,
  text: string,
  language: string | null,
  at: number,
  confidence: number | null = null,
): OpenTurn {
  const [voice = [], ...asked] = turn.asked;
  return {
    ...turn,
    parts: [...turn.parts, { text, voice }],
    partial: '',
    isBehind: false,
    language: language ?? turn.language,
    confidence,
    asked,
    transcribedAt: at,
  };
}

/** The recognizer failed or stays silent: its last partial text has to do. */
export function settleForPartial(turn: OpenTurn, at: number): OpenTurn {
  return { ...turn, parts: allParts(turn), partial: '', isBehind: false, voice: [], asked: [], transcribedAt: at };
}

/** Whether two texts ask the LLM the same: case and punctuation may differ between partial and final text. */
export function saysTheSame(left: string, right: string): boolean {
  return plainWords(left).join(' ') === plainWords(right).join(' ');
}

/** Takes a `vad.stopped`: a turn may have several, with pauses between. */
export function takeAudio(
  turn: OpenTurn,
  audio: {
    readonly onsetAt: number;
    readonly lastVoicedAt: number;
    readonly voicedMs: number;
    readonly levelDb: number;
  },
): OpenTurn {
  const voice = [...turn.voice, { from: audio.onsetAt, to: audio.lastVoicedAt }];
  const voicedMs = turn.voicedMs + audio.voicedMs;
  const levelDb =
    turn.voicedMs === 0 ? audio.levelDb : (turn.levelDb * turn.voicedMs + audio.levelDb * audio.voicedMs) / voicedMs;
  return { ...turn, lastVoicedAt: audio.lastVoicedAt, voicedMs, levelDb, voice };
}

/** To whom the users of a session may be talking. */
export interface Company {
  readonly speaker: SpeakerLevel;
  readonly mode: ConversationMode;
  /** Of the conversation, where the recognizer does not say in which the turn is; null: not known either. */
  readonly language: string | null;
  /** The last thing said was a question of the persona. */
  readonly personaJustAsked: boolean;
}

function languageOf(turn: OpenTurn, company: Company): string | null {
  return turn.language ?? company.language;
}

/** @returns whether the text is a message: to the persona, or in a group to anybody. */
export function isMessage(turn: OpenTurn, company: Company): boolean {
  const text = finalText(turn);
  const language = languageOf(turn, company);
  // "Oh." "Hm." — thinking aloud, also after a question; "mm-hm" after a question is an answer.
  if (isWordless(text, language)) return false;
  const isListening = () => isSignOfListening(text, plainWords(text, language), language);
  switch (turn.place) {
    // The partial text for which the persona stopped was another: the final one shows that the user only listens.
    case 'yielded-to-words':
      return !isListening();
    case 'answers-question':
      return true;
    case 'alone':
    case 'while-thinking':
    case 'at-the-end':
      return !isForOthers(turn, company);
    // "Okay" to "One moment, I look it up": what is being made stays.
    case 'during-tool':
      return (company.personaJustAsked || !isListening()) && !isForOthers(turn, company);
    case 'not-for-floor':
      return false;
    case 'over-persona':
    case 'yielded-to-voice':
      return !isListening() && !isForOthers(turn, company);
  }
}

/** Nobody raises the voice against a persona that is not heard. */
const SILENT: ReadonlySet<TurnPlace> = new Set(['alone', 'while-thinking', 'during-tool']);

/** Recognizers hear one word in a noise ("stop", "hey", "no"), sometimes two. Three were said by somebody. */
const CERTAIN_WORDS = 3;

/** Whether the words for which the persona fell silent are surely said: finished utterances, or enough partial text. */
export function isCertain(turn: OpenTurn, company: Company): boolean {
  if (turn.place !== 'yielded-to-words') return false;
  return isMessage(turn, company) || plainWords(turn.partial, languageOf(turn, company)).length >= CERTAIN_WORDS;
}

export function heardVoice(turn: OpenTurn, company: Company): HeardVoice {
  const { levelDb, startedAt: from, lastVoicedAt: until } = turn;
  const words = plainWords(turnText(turn), languageOf(turn, company));
  return { levelDb, from, until, words, where: spokenWhere(turn, company) };
}

/** Who answers a question begins within so long. Far voices that came 7 to 12 s after one were taken for whispers. */
const ANSWERS_WITHIN_MS = 5_000;

function spokenWhere(turn: OpenTurn, { personaJustAsked }: Company): SpokenWhere {
  if (!SILENT.has(turn.place)) return 'overSpeech';
  return personaJustAsked && turn.afterPersonaMs <= ANSWERS_WITHIN_MS ? 'afterQuestion' : 'inSilence';
}

/** The persona begins to be heard, or is heard when the user goes on. */
export function overlapped(turn: OpenTurn): OpenTurn {
  return SILENT.has(turn.place) ? { ...turn, place: 'over-persona' } : turn;
}

/** Said to somebody else in the room, or by somebody else. In a group that is no side talk: the name decides. */
export function isForOthers(turn: OpenTurn, company: Company): boolean {
  const { speaker, mode } = company;
  if (mode === 'group') return false;
  const heard = heardVoice(turn, company);
  if (insists(speaker.softer, heard)) return false;
  // Words of which the recognizer is so sure were said near the microphone: the user may whisper.
  if (heard.where !== 'overSpeech' && isClear(turn.confidence)) return false;
  return isSideTalk({
    text: turnText(turn),
    language: languageOf(turn, company),
    confidence: turn.confidence,
    levelDb: heard.levelDb,
    from: heard.from,
    speaker,
    where: heard.where,
  });
}

/** "One moment": nothing is asked, so the persona waits. What is said to it in a group is decided by its name. */
export function isRequestToWait(turn: OpenTurn, company: Company): boolean {
  if (turn.place !== 'alone' || company.mode === 'group') return false;
  return asksToWait(turnText(turn), languageOf(turn, company));
}

/** Right after a question, nothing is only a request to wait: "one second" may be the answer. */
export function wantsNoAnswer(turn: OpenTurn, company: Company): boolean {
  return !company.personaJustAsked && isRequestToWait(turn, company);
}

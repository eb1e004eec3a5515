import type { SpeechText } from '../messages.ts';
import {
  abandoned,
  due,
  extended,
  EMPTY_LEDGER,
  resume,
  say,
  settle,
  type LedgerSegment,
  type SpokenLedger,
} from '../history/spoken-ledger.ts';
import { guessLanguage } from '../text/guess-language.ts';

/**
 * How many segments TTS has at once. It synthesizes 15 s ahead, which are 30 of the shortest sentences. The others wait
 * here, so each segment costs the same in a reply of any length.
 */
const MAX_AT_VOICE = 32;

/** One message of the persona: what is still to be said, what was heard, and which captions the client got. */
export interface PersonaMessage {
  readonly messageId: string;
  readonly correlationId: string;
  /** Whether the text is of a talk stream. Its captions name the stream in a second field. */
  readonly isTalk: boolean;
  /** ISO 639-1. Null: nobody knows it, and its first words do not tell. */
  readonly language: string | null;
  /** Segments that TTS has. */
  readonly ledger: SpokenLedger;
  /** Segments that wait for the floor or for TTS, in order. */
  readonly unsaid: readonly Segment[];
  /** By segment id, for segments in the ledger: data that the ledger does not have. */
  readonly about: Readonly<Record<string, SegmentFacts>>;
  /** What was heard of the segments that have left the ledger. */
  readonly settled: readonly SpokenStep[];
  /** The `content_index` of the next caption. */
  readonly chunks: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

export interface SegmentFacts {
  /** Which answer of the LLM it belongs to: 0, and one more after each round of tools. */
  readonly step: number;
  readonly utteranceId: string | null;
  readonly cue: string | null;
  /** The model says it itself: it is heard while its words still come. */
  readonly spoken?: true;
}

export interface Segment extends SegmentFacts {
  readonly segmentId: string;
  readonly text: string;
  readonly lead: string;
  /** UTF-16 units of both that were sent as captions but not heard. They are said again without captions. */
  readonly given?: number;
}

export function openMessage(identity: {
  messageId: string;
  correlationId: string;
  isTalk: boolean;
  language: string | null;
}): PersonaMessage {
  return {
    ...identity,
    ledger: EMPTY_LEDGER,
    unsaid: [],
    about: {},
    settled: [],
    chunks: 0,
    startedAt: null,
    endedAt: null,
  };
}

export function queueSegments(message: PersonaMessage, segments: readonly Segment[]): PersonaMessage {
  // The voice speaks one language in a message: the first guess stays.
  const language = message.language ?? guessLanguage(segments.map(({ text }) => text).join(' '));
  return segments.reduce(queueSegment, { ...message, language });
}

function queueSegment(message: PersonaMessage, segment: Segment): PersonaMessage {
  return (segment.spoken && withMoreWords(message, segment)) || { ...message, unsaid: [...message.unsaid, segment] };
}

/** More words of what the model says itself. @returns null: what is said, or waits, is something else. */
function withMoreWords(message: PersonaMessage, more: Segment): PersonaMessage | null {
  const words = more.lead + more.text;
  const waiting = message.unsaid.at(-1);
  if (waiting !== undefined) {
    if (waiting.spoken !== true || waiting.step !== more.step) return null;
    return { ...message, unsaid: [...message.unsaid.slice(0, -1), { ...waiting, text: waiting.text + words }] };
  }
  const said = message.ledger.segments.at(-1);
  const facts = said && message.about[said.segmentId];
  if (said?.state.kind === 'cut' || facts?.spoken !== true || facts.step !== more.step) return null;
  return { ...message, ledger: extended(message.ledger, said!.segmentId, words) };
}

/** Takes the segments that TTS should get now. @returns these segments, too. */
export function takeUnsaid(message: PersonaMessage): {
  readonly message: PersonaMessage;
  readonly said: readonly Segment[];
} {
  const said = message.unsaid.slice(0, Math.max(0, MAX_AT_VOICE - message.ledger.segments.filter(isAtVoice).length));
  if (said.length === 0) return { message, said };
  const about = { ...message.about };
  for (const { segmentId, step, utteranceId, cue, spoken } of said)
    about[segmentId] = { step, utteranceId, cue, ...(spoken && { spoken }) };
  return {
    message: { ...message, ledger: said.reduce(say, message.ledger), about, unsaid: message.unsaid.slice(said.length) },
    said,
  };
}

/** TTS has failed for good: the rest of the message is dropped. */
export function giveUp(message: PersonaMessage, at: number): PersonaMessage {
  return { ...message, ledger: abandoned(message.ledger, at), unsaid: [] };
}

/**
 * After a false interruption, or a cut because the client did not listen: what was not heard waits again, in
 * front.
 */
export function takeBack(message: PersonaMessage, newId: () => string): PersonaMessage {
  const cutFacts = message.ledger.segments
    .filter((segment) => segment.state.kind === 'cut' && segment.text.slice(segment.state.heard).trim() !== '')
    .map((segment) => message.about[segment.segmentId]);
  const { ledger, segments } = resume(message.ledger, newId);
  const again = segments.map((segment, at): Segment => {
    const entry = ledger.segments.find((candidate) => candidate.segmentId === segment.segmentId);
    const text = entry?.text ?? segment.text;
    const facts = cutFacts[at] ?? { step: 0, utteranceId: null, cue: null };
    return {
      segmentId: segment.segmentId,
      text: segment.text,
      lead: text.slice(0, text.length - text.trimStart().length),
      given: entry?.given ?? 0,
      ...facts,
    };
  });
  const ids = new Set(again.map((segment) => segment.segmentId));
  const heard = ledger.segments.filter((segment) => !ids.has(segment.segmentId));
  return {
    ...message,
    ledger: { segments: heard },
    unsaid: [...again, ...message.unsaid],
    startedAt: heard.length === 0 && message.settled.length === 0 ? null : message.startedAt,
  };
}

/** Drops everything that was not heard yet. */
export function withoutUnheard(message: PersonaMessage): PersonaMessage {
  return {
    ...message,
    unsaid: [],
    ledger: { segments: message.ledger.segments.filter((segment) => segment.given > 0) },
  };
}

export interface GivenOut {
  readonly message: PersonaMessage;
  readonly chunks: readonly SpeechText[];
  readonly nextAt: number | null;
}

/**
 * The captions that are due, in time with the audio. @param timestamp ISO time for the chunks. @param cue that is acted
 * meanwhile.
 */
export function giveOut(message: PersonaMessage, at: number, timestamp: string, cue: string | null): GivenOut {
  const { ledger, nextAt } = due(message.ledger, at);
  const chunks: SpeechText[] = [];
  ledger.segments.forEach((segment, index) => {
    const before = message.ledger.segments[index]?.given ?? 0;
    if (segment.given <= before) return;
    const facts = message.about[segment.segmentId];
    chunks.push({
      ...chunkBase(message, message.chunks + chunks.length, timestamp),
      content: segment.text.slice(before, segment.given),
      end_of_speech: false,
      interrupted: false,
      ...(facts?.utteranceId != null ? { utterance_id: facts.utteranceId } : {}),
      ...(cue === null ? {} : { cue_tag: cue }),
    });
  });
  const { ledger: open, settled } = settle(ledger, at);
  return {
    message: withSettled({ ...message, ledger: open, chunks: message.chunks + chunks.length }, settled),
    chunks,
    nextAt,
  };
}

/** The chunk that ends the message for the client. Null: the client got no chunk of it. */
export function lastChunk(message: PersonaMessage, interrupted: boolean, timestamp: string): SpeechText | null {
  return message.chunks === 0
    ? null
    : { ...chunkBase(message, message.chunks, timestamp), content: '', end_of_speech: true, interrupted };
}

function chunkBase(message: PersonaMessage, index: number, timestamp: string) {
  return {
    message_id: message.messageId,
    content_index: index,
    role: 'persona' as const,
    user_action_correlation_id: message.correlationId,
    timestamp,
    ...(message.isTalk ? { correlationId: message.correlationId } : {}),
  };
}

/** Which part of one answer of the LLM was heard, and which was not. */
export interface SpokenStep {
  readonly spoken: string;
  readonly unspoken: string;
}

/** By step. Of a segment that still plays, only the words with a caption count as heard. */
export function spokenSteps(message: PersonaMessage): readonly SpokenStep[] {
  return addSteps(message.settled, message.about, message.ledger.segments, message.unsaid);
}

/** The last words of the message that were heard. */
export function lastHeard(message: PersonaMessage): string {
  return (spokenSteps(message).findLast((step) => step.spoken.trim() !== '')?.spoken ?? '').slice(-LAST_WORDS);
}

/** UTF-16 units. Enough to see whether a question was asked. */
const LAST_WORDS = 100;

function withSettled(message: PersonaMessage, segments: readonly LedgerSegment[]): PersonaMessage {
  if (segments.length === 0) return message;
  const open = new Set(message.ledger.segments.map((segment) => segment.segmentId));
  const about = Object.fromEntries(Object.entries(message.about).filter(([id]) => open.has(id)));
  return { ...message, settled: addSteps(message.settled, message.about, segments, []), about };
}

function addSteps(
  known: readonly SpokenStep[],
  about: PersonaMessage['about'],
  segments: readonly LedgerSegment[],
  unsaid: readonly Segment[],
): readonly SpokenStep[] {
  const steps = known.map((step) => ({ ...step }));
  const at = (step: number) => (steps[step] ??= { spoken: '', unspoken: '' });
  for (const segment of segments) {
    const heard =
      segment.state.kind === 'finished'
        ? segment.text.length
        : segment.state.kind === 'cut'
          ? Math.max(segment.state.heard, segment.given)
          : segment.given;
    const step = at(about[segment.segmentId]?.step ?? 0);
    step.spoken += segment.text.slice(0, heard);
    step.unspoken += segment.text.slice(heard);
  }
  for (const segment of unsaid) {
    const whole = segment.lead + segment.text;
    at(segment.step).spoken += whole.slice(0, segment.given ?? 0);
    at(segment.step).unspoken += whole.slice(segment.given ?? 0);
  }
  return Array.from(steps, (step) => step ?? { spoken: '', unspoken: '' });
}

export function isPlaying(message: PersonaMessage): boolean {
  return message.ledger.segments.some((segment) => segment.state.kind === 'playing');
}

/** Whether TTS has a segment that has not ended. */
export function isOutstanding(message: PersonaMessage): boolean {
  return message.ledger.segments.some(isAtVoice);
}

function isAtVoice(segment: LedgerSegment): boolean {
  return segment.state.kind === 'playing' || segment.state.kind === 'queued';
}

import type { IdSource } from '../kernel/clock.ts';
import { canonicalUtteranceId } from './utterance-id.ts';

/**
 * Text that a client sends to be spoken, bypassing the LLM: streams of chunks by correlation id. One stream is spoken
 * at a time, in the order of their first chunks. Plain data, never changed in place.
 */

/** A stream without text for this long is closed (contract); empty chunks do not count. */
export const TALK_IDLE_MS = 15_000;
/** Streams waiting at once; more is a client running wild. */
const WAITING_MAX = 64;
/** Ids remembered so that late chunks are dropped. */
const ENDED_MAX = 256;
/** UTF-16 units of one stream: five hours of speech. What goes beyond is left out, and the stream is closed. */
const MAX_STREAM_LENGTH = 256 * 1024;
/**
 * UTF-16 units of all streams together that nobody took yet: 20 hours of speech, and at most 2 MiB of memory a session.
 * Without it, 64 streams of the longest kind would wait with 16 times as much.
 */
const MAX_WAITING_TEXT = 1024 * 1024;
/** Utterances of one stream that nobody took yet: a client may make one of each word. */
const MAX_PIECES = 1_000;

export interface TalkChunk {
  readonly content: string;
  readonly startOfSpeech: boolean;
  readonly endOfSpeech: boolean;
  /** Empty when the client gave none. */
  readonly correlationId: string;
  readonly utteranceId: string | null;
}

export interface TalkStream {
  readonly correlationId: string;
  /** Whether the client gave the id; a chunk without one continues the newest stream that had none. */
  readonly named: boolean;
  /** Text that nobody took yet, by utterance, in order. */
  readonly pieces: readonly TalkPiece[];
  /** Utterance that the next chunk continues; null where utterances are not used. */
  readonly utteranceId: string | null;
  readonly utterances: number;
  /** UTF-16 units that came, all in all. */
  readonly length: number;
  /** UTF-16 units in `pieces`. */
  readonly waiting: number;
  /** No text comes any more. `cut-short`: because there was too much of it. */
  readonly end: 'open' | 'closed' | 'cut-short';
  readonly lastTextAt: number;
}

export interface TalkPiece {
  readonly text: string;
  /** Null where utterances are not used. */
  readonly utteranceId: string | null;
  /** The first text of a second or later utterance carries one space in front. */
  readonly startsUtterance: boolean;
}

export interface TalkQueue {
  /** The first one is being spoken. */
  readonly streams: readonly TalkStream[];
  /** Ids that are over: late chunks of theirs are dropped. */
  readonly ended: readonly string[];
}

export const EMPTY_TALK_QUEUE: TalkQueue = { streams: [], ended: [] };

export interface TalkRules {
  readonly ids: IdSource;
  /** Utterances are known to the newest avatars only; elsewhere their ids are dropped. */
  readonly utterances: boolean;
}

/**
 * Takes one chunk. A chunk of an unknown id starts a stream, whatever it says about itself; a chunk without an id
 * belongs to the newest open stream that had none either, or starts one. @param at ms on the session's clock.
 */
export function acceptChunk(queue: TalkQueue, chunk: TalkChunk, at: number, rules: TalkRules): TalkQueue {
  const id = chunk.correlationId === '' ? anonymousId(queue, chunk, rules.ids) : chunk.correlationId;
  if (queue.ended.includes(id)) return queue;
  const known = queue.streams.find((stream) => stream.correlationId === id);
  if (known !== undefined) return known.end === 'open' ? replace(queue, extend(queue, known, chunk, at, rules)) : queue;
  // A terminator of nothing, or one stream too many.
  if ((chunk.content === '' && chunk.endOfSpeech) || queue.streams.length >= WAITING_MAX) return queue;
  const fresh: TalkStream = {
    correlationId: id,
    named: chunk.correlationId !== '',
    pieces: [],
    utteranceId: null,
    utterances: 0,
    length: 0,
    waiting: 0,
    end: 'open',
    lastTextAt: at,
  };
  return { ...queue, streams: [...queue.streams, extend(queue, fresh, chunk, at, rules)] };
}

function anonymousId(queue: TalkQueue, chunk: TalkChunk, ids: IdSource): string {
  const open = queue.streams.findLast((stream) => stream.end === 'open' && !stream.named);
  return open !== undefined && !chunk.startOfSpeech ? open.correlationId : ids.uuid();
}

function extend(queue: TalkQueue, stream: TalkStream, chunk: TalkChunk, at: number, rules: TalkRules): TalkStream {
  let { utteranceId, utterances } = stream;
  let starts = false;
  if (rules.utterances && chunk.utteranceId !== null && !(chunk.content === '' && chunk.endOfSpeech)) {
    const id = canonicalUtteranceId(chunk.utteranceId, rules.ids);
    if (id !== utteranceId) {
      utteranceId = id;
      utterances += 1;
      starts = true;
    }
  }
  const length = stream.length + chunk.content.length;
  const isTooMuch =
    length > MAX_STREAM_LENGTH ||
    waitingText(queue) + chunk.content.length > MAX_WAITING_TEXT ||
    (starts && stream.pieces.length >= MAX_PIECES);
  const takes = chunk.content !== '' && !isTooMuch;
  const text =
    starts && utterances > 1
      ? ` ${chunk.content.trimStart()}`
      : starts && utterances === 1
        ? chunk.content.trimStart()
        : chunk.content;
  return {
    ...stream,
    utteranceId,
    utterances,
    pieces: takes ? withPiece(stream.pieces, { text, utteranceId, startsUtterance: starts }) : stream.pieces,
    length: takes ? length : stream.length,
    waiting: takes ? stream.waiting + chunk.content.length : stream.waiting,
    end: chunk.content !== '' && isTooMuch ? 'cut-short' : chunk.endOfSpeech ? 'closed' : stream.end,
    lastTextAt: takes ? at : stream.lastTextAt,
  };
}

function waitingText({ streams }: TalkQueue): number {
  return streams.reduce((sum, { waiting }) => sum + waiting, 0);
}

/** What belongs to one utterance waits as one piece, whatever chunks it comes in. */
function withPiece(pieces: readonly TalkPiece[], piece: TalkPiece): readonly TalkPiece[] {
  const last = pieces.at(-1);
  return last === undefined || piece.startsUtterance
    ? [...pieces, piece]
    : [...pieces.slice(0, -1), { ...last, text: last.text + piece.text }];
}

/** Streams that were cut short by what came between two states of the queue. */
export function cutShort(before: TalkQueue, after: TalkQueue): readonly TalkStream[] {
  if (before === after) return [];
  return after.streams.filter(
    (stream) =>
      stream.end === 'cut-short' &&
      !before.streams.some((old) => old.end === 'cut-short' && old.correlationId === stream.correlationId),
  );
}

/** Whole text at once (`talk` command): a stream that is complete from the start. */
export function acceptTalk(queue: TalkQueue, content: string, at: number, ids: IdSource): TalkQueue {
  const chunk = { content, startOfSpeech: true, endOfSpeech: true, correlationId: ids.uuid(), utteranceId: null };
  return acceptChunk(queue, chunk, at, { ids, utterances: false });
}

/** What the stream in front has to say now. */
export function takePieces(queue: TalkQueue): { readonly queue: TalkQueue; readonly pieces: readonly TalkPiece[] } {
  const [front] = queue.streams;
  if (front === undefined || front.pieces.length === 0) return { queue, pieces: [] };
  return { queue: replace(queue, { ...front, pieces: [], waiting: 0 }), pieces: front.pieces };
}

/** The stream that is to be spoken now, or null. */
export function frontStream(queue: TalkQueue): TalkStream | null {
  return queue.streams[0] ?? null;
}

/** The stream in front was spoken to its end. */
export function finishFront(queue: TalkQueue): TalkQueue {
  const [front, ...rest] = queue.streams;
  return front === undefined ? queue : { streams: rest, ended: remember(queue.ended, [front.correlationId]) };
}

/** An interruption drops everything. @returns also the ids to tell the client of, in order. */
export function dropAll(queue: TalkQueue): { readonly queue: TalkQueue; readonly interrupted: readonly string[] } {
  const interrupted = queue.streams.map((stream) => stream.correlationId);
  return { queue: { streams: [], ended: remember(queue.ended, interrupted) }, interrupted };
}

/** Closes the streams that have had no text for too long; what they hold is still spoken. */
export function closeIdle(queue: TalkQueue, at: number): TalkQueue {
  return {
    ...queue,
    streams: queue.streams.map((stream) =>
      stream.end === 'open' && at - stream.lastTextAt >= TALK_IDLE_MS ? { ...stream, end: 'closed' } : stream,
    ),
  };
}

/** When `closeIdle` has something to do, ms on the session's clock. */
export function nextIdleAt(queue: TalkQueue): number | null {
  const open = queue.streams.filter((stream) => stream.end === 'open');
  return open.length === 0 ? null : Math.min(...open.map((stream) => stream.lastTextAt + TALK_IDLE_MS));
}

function replace(queue: TalkQueue, stream: TalkStream): TalkQueue {
  return { ...queue, streams: queue.streams.map((old) => (old.correlationId === stream.correlationId ? stream : old)) };
}

function remember(ended: readonly string[], ids: readonly string[]): readonly string[] {
  return [...ended, ...ids].slice(-ENDED_MAX);
}

import type { IdSource } from '../clock.ts';
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
/** UTF-16 units of one stream's text that is waiting; beyond it chunks are dropped. */
const WAITING_TEXT_MAX = 256 * 1024;

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
  /** No text comes any more. */
  readonly closed: boolean;
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
 * Takes one chunk. A chunk of an unknown id starts a stream, whatever it says about itself; a chunk without an id belongs
 * to the newest open stream that had none either, or starts one. @param at ms on the session's clock.
 */
export function acceptChunk(queue: TalkQueue, chunk: TalkChunk, at: number, rules: TalkRules): TalkQueue {
  const id = chunk.correlationId === '' ? anonymousId(queue, chunk, rules.ids) : chunk.correlationId;
  if (queue.ended.includes(id)) return queue;
  const known = queue.streams.find((stream) => stream.correlationId === id);
  if (known !== undefined) return known.closed ? queue : replace(queue, extend(known, chunk, at, rules));
  // A terminator of nothing, or one stream too many.
  if ((chunk.content === '' && chunk.endOfSpeech) || queue.streams.length >= WAITING_MAX) return queue;
  const fresh: TalkStream = {
    correlationId: id,
    named: chunk.correlationId !== '',
    pieces: [],
    utteranceId: null,
    utterances: 0,
    closed: false,
    lastTextAt: at,
  };
  return { ...queue, streams: [...queue.streams, extend(fresh, chunk, at, rules)] };
}

function anonymousId(queue: TalkQueue, chunk: TalkChunk, ids: IdSource): string {
  const open = queue.streams.findLast((stream) => !stream.closed && !stream.named);
  return open !== undefined && !chunk.startOfSpeech ? open.correlationId : ids.uuid();
}

function extend(stream: TalkStream, chunk: TalkChunk, at: number, rules: TalkRules): TalkStream {
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
  const waiting = stream.pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  const takes = chunk.content !== '' && waiting + chunk.content.length <= WAITING_TEXT_MAX;
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
    pieces: takes ? [...stream.pieces, { text, utteranceId, startsUtterance: starts }] : stream.pieces,
    closed: stream.closed || chunk.endOfSpeech,
    lastTextAt: takes ? at : stream.lastTextAt,
  };
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
  return { queue: replace(queue, { ...front, pieces: [] }), pieces: front.pieces };
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
      !stream.closed && at - stream.lastTextAt >= TALK_IDLE_MS ? { ...stream, closed: true } : stream,
    ),
  };
}

/** When `closeIdle` has something to do, ms on the session's clock. */
export function nextIdleAt(queue: TalkQueue): number | null {
  const open = queue.streams.filter((stream) => !stream.closed);
  return open.length === 0 ? null : Math.min(...open.map((stream) => stream.lastTextAt + TALK_IDLE_MS));
}

function replace(queue: TalkQueue, stream: TalkStream): TalkQueue {
  return { ...queue, streams: queue.streams.map((old) => (old.correlationId === stream.correlationId ? stream : old)) };
}

function remember(ended: readonly string[], ids: readonly string[]): readonly string[] {
  return [...ended, ...ids].slice(-ENDED_MAX);
}

import type { TimedUnit } from '../../models/ports.ts';
import { heardLength, wordEnds } from './heard-words.ts';

/**
 * Which words of a persona's message the user has heard, to the word. Each segment of speech is entered when it is sent
 * to the voice, and followed from its first sample to its last or to the cut. A while later it is settled and leaves
 * the ledger, which so stays short however long the message grows. Plain data, never changed in place.
 *
 * `chunks` and cut positions always agree: what was given out as chunks is a prefix of what counts as heard, so the
 * client's captions, the history, the transcript and the LLM's next view hold the same words.
 */

export interface LedgerSegment {
  readonly segmentId: string;
  /** As spoken, with its joining space in front. */
  readonly text: string;
  readonly state: SegmentState;
  /** UTF-16 units of `text` already given out as chunks. */
  readonly given: number;
  readonly words: readonly TimedUnit[];
  readonly durationMs: number | null;
}

export type SegmentState =
  | { readonly kind: 'queued' }
  | { readonly kind: 'playing'; readonly startedAt: number }
  /** In session time, so that its end can still be called in question. */
  | { readonly kind: 'finished'; readonly startedAt: number; readonly endedAt: number }
  /** Stopped: `heard` units of the text count as heard. */
  | { readonly kind: 'cut'; readonly heard: number };

export interface SpokenLedger {
  readonly segments: readonly LedgerSegment[];
}

export const EMPTY_LEDGER: SpokenLedger = { segments: [] };

/**
 * @param lead what joins it to the text before (`ReplyText` says). @param given units of both that were given out
 * before it was lost and said again.
 */
export function say(
  ledger: SpokenLedger,
  segment: { readonly segmentId: string; readonly text: string; readonly lead: string; readonly given?: number },
): SpokenLedger {
  const entry: LedgerSegment = {
    segmentId: segment.segmentId,
    text: segment.lead + segment.text,
    state: { kind: 'queued' },
    given: segment.given ?? 0,
    words: [],
    durationMs: null,
  };
  return { segments: [...ledger.segments, entry] };
}

/** More of its words are known, with their joining space. */
export function extended(ledger: SpokenLedger, segmentId: string, words: string): SpokenLedger {
  return change(ledger, segmentId, (segment) => ({ ...segment, text: segment.text + words }));
}

/** Takes a `speech.timing` event. */
export function timed(
  ledger: SpokenLedger,
  timing: {
    readonly segmentId: string;
    readonly words: readonly TimedUnit[];
    readonly durationMs: number;
    readonly complete: boolean;
  },
): SpokenLedger {
  return change(ledger, timing.segmentId, (segment) => ({
    ...segment,
    words: mergeWords(segment.words, timing.words),
    durationMs: timing.complete ? timing.durationMs : segment.durationMs,
  }));
}

/** @param at when its first sample was sent, ms on the session's clock. */
export function started(ledger: SpokenLedger, segmentId: string, at: number): SpokenLedger {
  return change(ledger, segmentId, (segment) =>
    segment.state.kind === 'queued' ? { ...segment, state: { kind: 'playing', startedAt: at } } : segment,
  );
}

/** After a gap it goes on. @param at when, ms on the session's clock. @param positionMs from where. */
export function resumed(ledger: SpokenLedger, segmentId: string, at: number, positionMs: number): SpokenLedger {
  return change(ledger, segmentId, (segment) =>
    segment.state.kind === 'playing' ? { ...segment, state: { kind: 'playing', startedAt: at - positionMs } } : segment,
  );
}

/** @param at when its last sample was sent, ms on the session's clock. */
export function finished(ledger: SpokenLedger, segmentId: string, at: number): SpokenLedger {
  return change(ledger, segmentId, (segment) => {
    if (segment.state.kind === 'cut') return segment;
    return {
      ...segment,
      state: {
        kind: 'finished',
        startedAt: segment.state.kind === 'queued' ? at : segment.state.startedAt,
        endedAt: at,
      },
    };
  });
}

/** The voice could not say it, or not to its end: it is over with what was heard of it. */
export function failed(ledger: SpokenLedger, segmentId: string, at: number): SpokenLedger {
  return {
    segments: ledger.segments.flatMap((segment) =>
      segment.segmentId === segmentId ? leftOut(segment, heardUnits(segment, at), at) : [segment],
    ),
  };
}

/** The voice has given up: all is over with what was given out of it. */
export function abandoned(ledger: SpokenLedger, at: number): SpokenLedger {
  return { segments: ledger.segments.flatMap((segment) => leftOut(segment, segment.given, at)) };
}

function leftOut(segment: LedgerSegment, heard: number, at: number): LedgerSegment[] {
  const { state } = segment;
  if (state.kind === 'cut' || state.kind === 'finished') return [segment];
  const until = Math.max(heard, segment.given);
  return until === 0
    ? []
    : [
        {
          ...segment,
          text: segment.text.slice(0, until),
          state: { kind: 'finished', startedAt: state.kind === 'playing' ? state.startedAt : at, endedAt: at },
        },
      ];
}

/**
 * Takes a `speech.cut` event: the playing segment is cut there, those behind it were not heard at all.
 * @param arrivedUpTo what was sent later did not arrive, not even of segments that were sent to their end; null: all
 * did.
 */
export function cut(
  ledger: SpokenLedger,
  segmentId: string | null,
  playedMs: number,
  arrivedUpTo: number | null = null,
): SpokenLedger {
  const until = arrivedUpTo ?? Number.POSITIVE_INFINITY;
  return {
    segments: ledger.segments.map((segment) => {
      const { state } = segment;
      if (state.kind === 'cut' || (state.kind === 'finished' && state.endedAt <= until)) return segment;
      const sentMs =
        state.kind === 'finished' ? state.endedAt - state.startedAt : segment.segmentId === segmentId ? playedMs : 0;
      const arrivedMs = state.kind === 'queued' ? 0 : Math.min(sentMs, until - state.startedAt);
      const heard = heardLength(segment, arrivedMs);
      // Where all arrived, a clock a few ms ahead of the voice may have given out one word more. That one counts.
      return {
        ...segment,
        state: { kind: 'cut', heard: arrivedUpTo === null ? Math.max(heard, segment.given) : heard },
      };
    }),
  };
}

export interface DueChunk {
  readonly ledger: SpokenLedger;
  /** Words heard since the last chunk, verbatim; empty when none. */
  readonly chunk: string;
  /** When to ask again, ms on the session's clock; null when nothing is playing or all of it was given. */
  readonly nextAt: number | null;
}

/** Captions appear in groups of words about this long: readable, and few messages. */
const CHUNK_MS = 400;

/** The text to send now so that captions stay in step with the sound. */
export function due(ledger: SpokenLedger, at: number): DueChunk {
  let chunk = '';
  let nextAt: number | null = null;
  const segments = ledger.segments.map((segment) => {
    const heard = heardUnits(segment, at);
    if (segment.state.kind === 'playing' && heard < segment.text.length)
      nextAt = nextWordAt(segment, segment.state.startedAt, at);
    if (heard <= segment.given) return segment;
    chunk += segment.text.slice(segment.given, heard);
    return { ...segment, given: heard };
  });
  return { ledger: { segments }, chunk, nextAt };
}

/** All words heard so far. @param at needed while a segment plays. */
export function spokenText(ledger: SpokenLedger, at = 0): string {
  return ledger.segments
    .map((segment) => segment.text.slice(0, Math.max(heardUnits(segment, at), segment.given)))
    .join('');
}

/** So long after its end a segment has arrived, or it is known that it has not: a dead line is noticed within 3 s. */
const SETTLED_AFTER_MS = 15_000;
/** As many leave at once: it takes time that grows with what is left. */
const SETTLED_AT_ONCE = 8;

/** Takes out, from the front, what nothing more can happen to. */
export function settle(
  ledger: SpokenLedger,
  at: number,
): { readonly ledger: SpokenLedger; readonly settled: readonly LedgerSegment[] } {
  const open = ledger.segments.findIndex(
    ({ state, given, text }) =>
      state.kind !== 'finished' || state.endedAt > at - SETTLED_AFTER_MS || given < text.length,
  );
  const count = open === -1 ? ledger.segments.length : open;
  return count < SETTLED_AT_ONCE
    ? { ledger, settled: [] }
    : { ledger: { segments: ledger.segments.slice(count) }, settled: ledger.segments.slice(0, count) };
}

export interface Resumed {
  readonly ledger: SpokenLedger;
  /** To be said again, in order. */
  readonly segments: readonly { readonly segmentId: string; readonly text: string }[];
}

/** What was certainly heard. */
const LONG_FINISHED: SegmentState = {
  kind: 'finished',
  startedAt: Number.NEGATIVE_INFINITY,
  endedAt: Number.NEGATIVE_INFINITY,
};

/** After a cut that was none: the same sentence goes on at the first word that was not heard. */
export function resume(ledger: SpokenLedger, newId: () => string): Resumed {
  const again: { segmentId: string; text: string }[] = [];
  const segments = ledger.segments.flatMap((segment): LedgerSegment[] => {
    if (segment.state.kind !== 'cut') return [segment];
    const rest = segment.text.slice(segment.state.heard);
    const { heard } = segment.state;
    const before: LedgerSegment[] =
      heard === 0
        ? []
        : [
            {
              ...segment,
              text: segment.text.slice(0, heard),
              given: Math.min(segment.given, heard),
              state: LONG_FINISHED,
            },
          ];
    if (rest.trim() === '') return [{ ...segment, state: LONG_FINISHED }];
    const segmentId = newId();
    again.push({ segmentId, text: rest.trim() });
    return [
      ...before,
      {
        segmentId,
        text: rest,
        state: { kind: 'queued' },
        given: Math.max(0, segment.given - heard),
        words: [],
        durationMs: null,
      },
    ];
  });
  return { ledger: { segments }, segments: again };
}

function heardUnits(segment: LedgerSegment, at: number): number {
  switch (segment.state.kind) {
    case 'queued':
      return 0;
    case 'finished':
      return segment.text.length;
    case 'cut':
      return segment.state.heard;
    case 'playing':
      return heardLength(segment, at - segment.state.startedAt);
  }
}

function nextWordAt(segment: LedgerSegment, startedAt: number, at: number): number {
  const later = wordEnds(segment)
    .map((word) => startedAt + word.countsAtMs)
    .filter((time) => time > at);
  const soon = later.findLast((time) => time <= at + CHUNK_MS) ?? later[0];
  // Its end is announced by an event; without a later word there is nothing to wake up for, save timings to come.
  return Math.max(soon ?? at + CHUNK_MS, at + 1);
}

function change(
  ledger: SpokenLedger,
  segmentId: string,
  edit: (segment: LedgerSegment) => LedgerSegment,
): SpokenLedger {
  return { segments: ledger.segments.map((segment) => (segment.segmentId === segmentId ? edit(segment) : segment)) };
}

function mergeWords(known: readonly TimedUnit[], more: readonly TimedUnit[]): readonly TimedUnit[] {
  if (more.length === 0) return known;
  // A provider may send the whole list again or only what is new.
  const from = more[0]?.startMs ?? 0;
  return [...known.filter((word) => word.startMs < from), ...more];
}

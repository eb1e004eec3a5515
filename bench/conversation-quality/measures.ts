import type { ActKind } from './script.ts';
import type { VoiceTrack } from './simulated-services.ts';

/**
 * The interaction measures of the τ-Voice benchmark, by their published definitions: two speech tracks in ticks of 200
 * ms, with events that the script labels.
 *
 * The script knows what the public benchmark must estimate. So a pause in the middle of a sentence does not end a turn
 * (starts in it are counted separately), and a reaction to a noise in silence is an error until 2 s after the end of
 * the noise, not after its start.
 */

export interface UserEvent {
  readonly kind: ActKind;
  readonly startMs: number;
  readonly endMs: number;
  /** Silences inside of it. */
  readonly pauses: readonly { readonly startMs: number; readonly endMs: number }[];
}

export interface Conversation {
  readonly name: string;
  readonly lengthMs: number;
  readonly events: readonly UserEvent[];
  readonly persona: VoiceTrack;
  /** Acts that did not take place, because the persona did not do what they wait for. */
  readonly missed: number;
}

export const TICK_MS = 200;
const NO_YIELD_TICKS = 10;
const SELECTIVITY_TICKS = 5;
const RESPONSE_TICKS = 10;

/** How lowered speech counts: as speech (`audible`), or as silence (`silent`). */
export type DuckCounts = 'audible' | 'silent';

export interface Rate {
  readonly good: number;
  readonly of: number;
}

export interface Measures {
  /** Times in seconds. */
  readonly responseLatency: number | null;
  readonly yieldLatency: number | null;
  readonly responseRate: Rate;
  readonly yieldRate: Rate;
  /** Events per user turn. */
  readonly interruptions: Rate;
  /** Not part of τ-Voice: pauses in the middle of a sentence that the persona took for the end of the turn. */
  readonly pausesTaken: Rate;
  readonly backchannel: Rate;
  readonly tic: Rate;
  readonly sideTalk: Rate;
  /** Not part of τ-Voice: doors, keys, music. */
  readonly noise: Rate;
}

export function measure(conversations: readonly Conversation[], ducked: DuckCounts): Measures {
  const latencies: Latencies = { response: [], yield: [] };
  const counts = noCounts();
  const note = (pair: number[], good: boolean) => {
    pair[0] = (pair[0] ?? 0) + (good ? 1 : 0);
    pair[1] = (pair[1] ?? 0) + 1;
  };
  for (const conversation of conversations) {
    const speaking = personaTicks(conversation, ducked);
    const userTicks = userSpeech(conversation);
    counts.interruptions += starts(speaking).filter(
      (tick) => userTicks[tick] === true && !startsWith(conversation, tick),
    ).length;
    for (const [at, event] of conversation.events.entries()) {
      for (const pause of event.pauses)
        note(
          counts.pauses,
          starts(speaking).some((tick) => within(tick, pause)),
        );
      const start = Math.floor(event.startMs / TICK_MS);
      const end = Math.ceil(event.endMs / TICK_MS);
      const overPersona = speaking[start] === true;
      const stop = firstSilence(speaking, start);
      if (event.kind === 'turn' || event.kind === 'interruption') {
        if (event.kind === 'interruption' && overPersona) {
          note(counts.yield, stop - start <= NO_YIELD_TICKS);
          if (stop - start <= NO_YIELD_TICKS) latencies.yield.push((stop - start) * TICK_MS);
        }
        if (speaking[end] === true && speaking[end - 1] === true) continue;
        const next = conversation.events[at + 1];
        const until = next === undefined ? speaking.length : Math.floor(next.startMs / TICK_MS);
        const answer = starts(speaking).find((tick) => tick >= end - 1 && tick < until);
        note(counts.response, answer !== undefined);
        if (answer !== undefined) latencies.response.push(Math.max(0, answer - end) * TICK_MS);
      } else if (overPersona) {
        note(counts[event.kind], stop - start > SELECTIVITY_TICKS);
      } else if (event.kind !== 'backchannel') {
        note(counts[event.kind], !starts(speaking).some((tick) => tick >= start && tick <= end + RESPONSE_TICKS));
      }
    }
  }
  return measuresOf(latencies, counts);
}

type Latencies = { readonly response: number[]; readonly yield: number[] };
type Counts = ReturnType<typeof noCounts>;

function noCounts() {
  return {
    response: [0, 0],
    yield: [0, 0],
    interruptions: 0,
    pauses: [0, 0],
    backchannel: [0, 0],
    tic: [0, 0],
    'side-talk': [0, 0],
    noise: [0, 0],
  };
}

function measuresOf(latencies: Latencies, counts: Counts): Measures {
  const rate = ([good, of]: number[]): Rate => ({ good: good ?? 0, of: of ?? 0 });
  return {
    responseLatency: meanSeconds(latencies.response),
    yieldLatency: meanSeconds(latencies.yield),
    responseRate: rate(counts.response),
    yieldRate: rate(counts.yield),
    interruptions: { good: counts.interruptions, of: counts.response[1] ?? 0 },
    pausesTaken: rate(counts.pauses),
    backchannel: rate(counts.backchannel),
    tic: rate(counts.tic),
    sideTalk: rate(counts['side-talk']),
    noise: rate(counts.noise),
  };
}

function meanSeconds(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length / 1000;
}

/** Whether the persona is audible in each tick, in any part of it. */
function personaTicks(conversation: Conversation, ducked: DuckCounts): boolean[] {
  const audible =
    ducked === 'audible'
      ? conversation.persona.spans
      : conversation.persona.spans.flatMap((span) => without(span, conversation.persona.ducked));
  return ticks(
    conversation.lengthMs,
    audible.map(({ start, end }) => [start, end]),
  );
}

/** Ticks with speech of the user, also if it is not for the persona. Noises are no speech. */
function userSpeech(conversation: Conversation): boolean[] {
  return ticks(
    conversation.lengthMs,
    conversation.events.filter((event) => event.kind !== 'noise').flatMap(voicedSpans),
  );
}

function voicedSpans(event: UserEvent): [number, number][] {
  const edges = [event.startMs, ...event.pauses.flatMap((pause) => [pause.startMs, pause.endMs]), event.endMs];
  return edges.flatMap((edge, at): [number, number][] => (at % 2 === 0 ? [[edge, edges[at + 1] ?? edge]] : []));
}

function within(tick: number, span: { readonly startMs: number; readonly endMs: number }): boolean {
  return tick * TICK_MS >= span.startMs - TICK_MS && tick * TICK_MS < span.endMs;
}

/** Both began in the same tick, so neither could react to the other. */
function startsWith(conversation: Conversation, tick: number): boolean {
  return conversation.events.some((event) => Math.floor(event.startMs / TICK_MS) === tick);
}

function ticks(lengthMs: number, spans: readonly (readonly [number, number])[]): boolean[] {
  const result = Array.from({ length: Math.ceil(lengthMs / TICK_MS) }, () => false);
  for (const [start, end] of spans) {
    for (let tick = Math.floor(start / TICK_MS); tick < result.length && tick * TICK_MS < end; tick += 1)
      if (end > start) result[tick] = true;
  }
  return result;
}

function without(
  span: { readonly start: number; readonly end: number },
  holes: VoiceTrack['ducked'],
): { start: number; end: number }[] {
  let rest = [{ start: span.start, end: span.end }];
  for (const hole of holes) {
    rest = rest
      .flatMap((piece) => [
        { start: piece.start, end: Math.min(piece.end, hole.start) },
        { start: Math.max(piece.start, hole.end), end: piece.end },
      ])
      .filter((piece) => piece.end > piece.start);
  }
  return rest;
}

function starts(speaking: readonly boolean[]): number[] {
  return speaking.flatMap((now, tick) => (now && speaking[tick - 1] !== true ? [tick] : []));
}

function firstSilence(speaking: readonly boolean[], from: number): number {
  const found = speaking.indexOf(false, from);
  return found === -1 ? speaking.length : found;
}

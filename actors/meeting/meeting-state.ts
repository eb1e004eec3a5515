import type { MeetingParticipant } from '../events.ts';
import type { Asked } from '../kernel/inner-events.ts';
import { endSpeaking, type LoudSpan } from './who-spoke.ts';

/** What a session remembers of its meeting. Plain data, never changed in place. */
export interface MeetingState {
  /** Who is there, without the persona. */
  readonly others: readonly MeetingParticipant[];
  /** Names by id, also of those who left: their last words may still be on their way. The newest last. */
  readonly names: ReadonlyMap<string, string>;
  readonly loud: readonly LoudSpan[];
  /** The persona was asked, and its answer is not heard yet; null: nobody waits for one. */
  readonly asked: Asked | null;
  /** The last answer, while nobody else has said anything since. */
  readonly answered: Answered | null;
}

export interface Answered {
  readonly to: readonly string[];
  /** End of its sound, ms; `Infinity` while it is heard. */
  readonly until: number;
  /** It ended with a question. */
  readonly askedQuestion: boolean;
}

export const NO_MEETING: MeetingState = { others: [], names: new Map(), loud: [], asked: null, answered: null };

/** Twice as many as can be there at once. */
const KEPT_NAMES = 400;

/** @param list the whole list of those who are there; an id that comes twice counts once. */
export function takeParticipants(state: MeetingState, list: readonly MeetingParticipant[], at: number): MeetingState {
  const others = [...new Map(list.map((one) => [one.id, one])).values()];
  const ids = new Set(others.map(({ id }) => id));
  const left = [...state.names].filter(([id]) => !ids.has(id));
  const names = new Map([...left, ...others.map(({ id, name }) => [id, name] as const)].slice(-KEPT_NAMES));
  const gone = state.others.filter(({ id }) => !ids.has(id));
  const loud = gone.reduce((spans, { id }) => endSpeaking(spans, id, at), state.loud);
  return { ...state, others, names, loud };
}

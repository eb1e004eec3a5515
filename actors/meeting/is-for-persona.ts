import type { Asked, Said } from '../kernel/inner-events.ts';
import type { MeetingConfig } from '../session-config.ts';
import { isAddressed, isSaidTo } from './addressed-by-name.ts';
import { asksQuestion } from './asks-question.ts';
import { conversationMode } from './conversation-mode.ts';
import type { MeetingState } from './meeting-state.ts';

/** Whether the persona is meant by what was said. */

/**
 * For so long after the persona's name the answer is still wanted, if others talk on meanwhile. Later the talk has
 * moved on, and an answer would bring it back.
 */
const QUESTION_LASTS_MS = 15_000;
/** Who got an answer asks on without the name. Voice assistants that listen on do it for 5 to 8 s. */
const FOLLOW_UP_MS = 5_000;

interface Heard {
  readonly said: readonly Said[];
  readonly language: string | null;
  readonly endedAt: number;
}

/** @param meeting null: an ordinary session. @returns who asked the persona, and when; null: the words were for others. */
export function askedOf(heard: Heard, meeting: MeetingConfig | null, state: MeetingState): Asked | null {
  const all = { by: heard.said.at(-1)?.speakers ?? [], at: heard.endedAt };
  if (meeting === null || conversationMode(meeting, state.others.length) === 'one-to-one') return all;
  const names = state.others.map(({ name }) => name);
  const named = heard.said.findLast(({ text }) => isAddressed(text, meeting.displayName, names));
  if (named !== undefined && isFresh(named.endedAt, heard)) return { by: named.speakers, at: named.endedAt };
  if (state.asked !== null && isFresh(state.asked.at, heard)) return state.asked;
  // If somebody else goes on, it was said to them.
  const [only, second] = heard.said;
  if (only !== undefined && second === undefined && asksOn(only, heard.language, state, names))
    return { by: only.speakers, at: only.endedAt };
  return null;
}

function isFresh(at: number, { endedAt }: Heard): boolean {
  return endedAt - at <= QUESTION_LASTS_MS;
}

/** Whoever has just been answered asks another question, answers one, or interrupts the answer. */
function asksOn(
  { speakers, text, startedAt }: Said,
  language: string | null,
  { answered }: MeetingState,
  names: readonly string[],
): boolean {
  if (answered === null || speakers.length === 0 || !speakers.every((id) => answered.to.includes(id))) return false;
  if (startedAt > answered.until + FOLLOW_UP_MS || isSaidTo(text, names)) return false;
  return startedAt < answered.until || answered.askedQuestion || asksQuestion(text, language);
}

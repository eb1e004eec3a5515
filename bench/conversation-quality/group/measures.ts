import { isAddressed } from '../../../actors/meeting/addressed-by-name.ts';
import { PERSONA, type GroupActKind } from './group-script.ts';
import type { GroupConversation, PlayedAct } from './play-group.ts';
import type { Rate } from '../measures.ts';

/** Whether the persona of a meeting spoke when it was asked, and only then. */

/** An answer that comes later than this after a question is none. */
const ANSWER_MS = 5_000;
/** Between two sentences of one answer there is less silence. */
const SENTENCES_APART_MS = 700;
/** A voice is noticed so soon: two windows, and what the VAD takes. */
const NOTICED_MS = 100;
/** What the VAD takes for the begin of a voice, and its true begin. */
const ONSET_MS = 200;

export type RowName = 'right' | 'several' | 'wrong';

/** When the persona began to speak, not from sentence to sentence. */
function begins({ persona: { spans } }: GroupConversation): number[] {
  return spans
    .filter(({ start }, at) => start - (spans[at - 1]?.end ?? -Infinity) > SENTENCES_APART_MS)
    .map(({ start }) => start);
}

const isAfter =
  ({ endMs }: PlayedAct) =>
  (start: number): boolean =>
    start > endMs && start < endMs + ANSWER_MS;

/** How many acts got an answer. @param only which of them count; the act before it may decide. */
export function answered(
  meetings: readonly GroupConversation[],
  only: (act: PlayedAct, meeting: GroupConversation, before: PlayedAct | undefined) => boolean,
): Rate {
  const all = meetings.flatMap((meeting) =>
    meeting.acts
      .filter((act, at) => only(act, meeting, meeting.acts[at - 1]))
      .map((act) => begins(meeting).some(isAfter(act))),
  );
  return { good: all.filter(Boolean).length, of: all.length };
}

export function isAnswered(act: PlayedAct | undefined, meeting: GroupConversation): boolean {
  return act !== undefined && begins(meeting).some(isAfter(act));
}

/** What the recognizer wrote can be told from the names of those who are there. */
export function isRecognizable({ nameHeardAs }: PlayedAct, { people }: GroupConversation): boolean {
  return nameHeardAs !== null && isAddressed(nameHeardAs, PERSONA, people);
}

/** Beginnings of the persona that nobody asked for, by what was said before them. */
export function unwanted(meetings: readonly GroupConversation[]): readonly GroupActKind[] {
  return meetings.flatMap((meeting) =>
    begins(meeting)
      .filter((start) => !meeting.acts.some((act) => isQuestion(act) && isAfter(act)(start)))
      .map((start) => meeting.acts.findLast(({ endMs }) => endMs < start)?.act.kind ?? 'talk'),
  );
}

export function isQuestion({ act }: PlayedAct): boolean {
  return act.kind === 'addressed' || act.kind === 'follow-up';
}

export function beginsOverVoices(meetings: readonly GroupConversation[]): number {
  const over = (meeting: GroupConversation) => (start: number) =>
    meeting.acts.some(({ startMs, endMs }) => start > startMs + NOTICED_MS && start < endMs);
  return meetings.flatMap((meeting) => begins(meeting).filter(over(meeting))).length;
}

/** From the last sound of a question to the first of its answer, ms, sorted. */
export function latencies(meetings: readonly GroupConversation[]): readonly number[] {
  return meetings
    .flatMap((meeting) =>
      meeting.acts
        .filter(({ act }) => act.kind === 'addressed')
        .flatMap((act) => {
          const start = begins(meeting).find(isAfter(act));
          return start === undefined ? [] : [start - act.endMs];
        }),
    )
    .toSorted((one, other) => one - other);
}

/** How the rows of the transcripts name those who spoke. */
export function rowNames(meetings: readonly GroupConversation[]): readonly RowName[] {
  return meetings.flatMap(({ rows, acts }) =>
    rows.map(({ speaker, at }) => {
      const spoke = acts
        .filter(({ startMs, endMs }) => at > startMs - ONSET_MS && at < endMs)
        .map(({ act }) => act.who);
      const names = speaker.split(', ');
      if (!names.some((name) => spoke.includes(name))) return 'wrong';
      return names.length > 1 ? 'several' : 'right';
    }),
  );
}

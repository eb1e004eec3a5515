import type { TimelineEvent } from './timeline-event.ts';

/** Fewer of a kind in a row are no noise: a line of the user has three. */
const MIN_IN_GROUP = 4;

/** Events of one kind that follow each other, with nothing else in between. */
export interface EventGroup {
  readonly kind: TimelineEvent['kind'];
  /** In their order; one, unless there are four or more in a row. */
  readonly events: readonly TimelineEvent[];
}

/** Groups what follows each other of one kind, so that what makes the course of a conversation is seen at once. */
export function groupEvents(events: readonly TimelineEvent[]): readonly EventGroup[] {
  const runs: TimelineEvent[][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last?.[0]?.kind === event.kind) last.push(event);
    else runs.push([event]);
  }
  const groups = runs.flatMap((run) => (run.length < MIN_IN_GROUP ? run.map((event) => [event]) : [run]));
  return groups.map((run) => ({ kind: run[0]!.kind, events: run }));
}

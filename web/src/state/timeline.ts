import { batch, computed, signal } from '@preact/signals';
import type { ServerMessage } from '../../../clients/js/src/index.ts';
import { ApiError } from '../api/client.ts';
import { getTimeline } from '../api/routes.ts';
import { observedTurns } from '../session/observed-turns.ts';
import { describe, timelineOf, type TimelineEvent } from '../session/timeline-event.ts';
import type { TurnRecord } from '../session/turn-record.ts';

/** How often the service is asked for its own timings. */
const EVERY_MS = 1_000;
/** Lines of the timeline that are kept. */
const MAX_EVENTS = 400;

const seenEvents = signal<readonly TimelineEvent[]>([]);
const seenTurns = signal<readonly TurnRecord[]>([]);
const told = signal<{ readonly turns: readonly TurnRecord[]; readonly events: readonly TimelineEvent[] } | null>(null);

/** Data of the service is better than what this page can observe. Its log arrives some seconds late. */
export const turns = computed(() => told.value?.turns ?? seenTurns.value);
export const events = computed(() => {
  const logged = told.value?.events ?? [];
  const until = logged.findLast(({ kind }) => kind !== 'floor')?.at ?? -1;
  return [...logged.filter(({ at }) => at <= until), ...seenEvents.value.filter(({ at }) => at > until)];
});

/** The session of this page: what is still told of the one before it is of no interest. */
let followed: string | null = null;
let startedAt = 0;
let timer = 0;

/** Starts again for a session that starts now. */
export function follow(sessionId: string): void {
  stopFollowing();
  followed = sessionId;
  batch(() => {
    seenEvents.value = [];
    seenTurns.value = [];
    told.value = null;
  });
  startedAt = performance.now();
  timer = window.setInterval(() => void ask(sessionId), EVERY_MS);
}

/** @param sessionId asked for a last time, because the end of a turn may have come with the end of the session. */
export function stopFollowing(sessionId?: string): void {
  window.clearInterval(timer);
  if (sessionId !== undefined && told.value !== null) void ask(sessionId);
}

export function note(line: Omit<TimelineEvent, 'at'>): void {
  seenEvents.value = [...seenEvents.value, { ...line, at: performance.now() - startedAt }].slice(-MAX_EVENTS);
}

export function noteMessage(message: ServerMessage): void {
  seenTurns.value = observedTurns(seenTurns.value, message, performance.now() - startedAt);
  const line = describe(message);
  if (line !== null) note(line);
}

async function ask(sessionId: string): Promise<void> {
  try {
    const timeline = await getTimeline(sessionId);
    if (followed !== sessionId) return;
    told.value = { turns: timeline.turns, events: timelineOf(timeline.turns, timeline.events).slice(-MAX_EVENTS) };
  } catch (error) {
    // This service sends no timings, so the page's own observations are used. Other errors are ignored.
    if (followed === sessionId && error instanceof ApiError && error.status === 404) window.clearInterval(timer);
  }
}

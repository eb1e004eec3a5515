import type { SessionEvent } from '../events.ts';

/**
 * Rounds the numbers of an event before the tree and the recorder see it, so that both see the same, in a few digits.
 * A log of an hour is 2 MB with it and 6 MB without. None of it is near what the measurements can tell.
 */
export function roundEvent(event: SessionEvent): SessionEvent {
  if (event.type !== 'vad.window') return event;
  const { type, probability, levelDb, endsAt, loudMs } = event;
  return {
    type,
    probability: round(probability, 1000),
    levelDb: round(levelDb, 10),
    endsAt: roundTime(endsAt),
    ...(loudMs !== undefined && { loudMs: Math.round(loudMs) }),
  };
}

/** To 0.01 ms: a third of a sample. */
export function roundTime(ms: number): number {
  return round(ms, 100);
}

function round(value: number, steps: number): number {
  // JSON has no infinities; silence may be measured as -Infinity dB.
  if (!Number.isFinite(value)) return value > 0 ? Number.MAX_SAFE_INTEGER : -1000;
  return Math.round(value * steps) / steps;
}

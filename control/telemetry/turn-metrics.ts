import { Counter, Histogram, type Registry } from 'prom-client';
import type { SessionListener } from '../sessions/session-store.ts';
import { stagesOf } from './turn-stages.ts';

/** Seconds: from a stage that is over at once to a long answer. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30];

/** Adds how long the stages of turns took, and how turns and sessions ended, to `/metrics`. */
export function countTurns(registry: Registry, listen: (listener: SessionListener) => void): void {
  const stages = new Histogram({
    name: 'parley_turn_stage_seconds',
    help: 'Time of each stage of a turn. `first_audio`: from the end of the user’s speech to the first sound of the answer.',
    labelNames: ['stage'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const turns = new Counter({
    name: 'parley_turns_total',
    help: 'Turns, by how they ended.',
    labelNames: ['result'],
    registers: [registry],
  });
  const sessions = new Counter({
    name: 'parley_sessions_ended_total',
    help: 'Sessions that ended, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  listen({
    turn(_session, turn) {
      for (const { name, from, to } of stagesOf(turn)) stages.observe({ stage: name }, (to - from) / 1000);
      turns.inc({ result: turn.finishReason ?? 'unanswered' });
    },
    ended: (_session, reason) => sessions.inc({ reason: reason ?? 'unknown' }),
  });
}

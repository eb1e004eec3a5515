import { Counter, Histogram, type Registry } from 'prom-client';
import type { EndReason } from '../../actors/report.ts';
import type { SessionListener } from '../sessions/records/session-store.ts';
import { stagesOf } from './turn-stages.ts';

/** Seconds: from a stage that is over at once to a long answer. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30];

/** All are there from the start: without a first 0, Prometheus does not notice the sessions that a start finds cut off. */
const REASONS: Readonly<Record<EndReason, 0>> = {
  client_disconnected: 0,
  end_call: 0,
  user_inactivity: 0,
  max_session_length: 0,
  stopped_by_api: 0,
  share_link_withdrawn: 0,
  usage_limit: 0,
  meeting_ended: 0,
  engine_shutdown: 0,
  connection_lost: 0,
  never_connected: 0,
  engine_error: 0,
};

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
  for (const [reason, none] of Object.entries(REASONS)) sessions.inc({ reason }, none);
  listen({
    turn(_session, turn) {
      for (const { name, from, to } of stagesOf(turn)) stages.observe({ stage: name }, (to - from) / 1000);
      turns.inc({ result: turn.finishReason ?? 'unanswered' });
    },
    ended: (_session, reason) => sessions.inc({ reason: reason ?? 'unknown' }),
  });
}

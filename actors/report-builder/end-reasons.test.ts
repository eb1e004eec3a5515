import { expect, test } from 'vitest';
import type { EndReason } from '../report.ts';
import { endOf, sessionEnd } from './end-reasons.ts';

const table: Record<EndReason, ['NORMAL_EXIT' | 'CLOSED_BY_ENGINE' | 'ERROR', boolean]> = {
  client_disconnected: ['NORMAL_EXIT', false],
  end_call: ['CLOSED_BY_ENGINE', true],
  user_inactivity: ['CLOSED_BY_ENGINE', true],
  max_session_length: ['CLOSED_BY_ENGINE', true],
  stopped_by_api: ['CLOSED_BY_ENGINE', true],
  share_link_withdrawn: ['CLOSED_BY_ENGINE', true],
  usage_limit: ['CLOSED_BY_ENGINE', true],
  meeting_ended: ['NORMAL_EXIT', true],
  engine_shutdown: ['CLOSED_BY_ENGINE', true],
  connection_lost: ['ERROR', true],
  never_connected: ['ERROR', true],
  engine_error: ['ERROR', true],
};

test.each(Object.entries(table))('a session that ends by %s is counted as told', (reason, [exitStatus, told]) => {
  const end = endOf(reason as EndReason);
  expect(end.exitStatus).toBe(exitStatus);
  expect(end.told).toBe(told ? end.message : null);
  expect(sessionEnd(reason as EndReason, true, 5)).toEqual({
    reason,
    message: end.message,
    exitStatus,
    connected: true,
    at: 5,
  });
});

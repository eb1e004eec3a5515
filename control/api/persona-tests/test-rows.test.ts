import { expect, it } from 'vitest';
import { runView } from './test-rows.ts';

const NOTED_AT = Date.parse('2026-11-27T15:00:00.000Z');
const statusAfter = (ms: number, status: 'queued' | 'running' | 'passed') => {
  const at = new Date(NOTED_AT).toISOString();
  const row = { id: 'run', persona_id: 'persona', version: 1, content_hash: '', covers_all: 1, total: 2 };
  return runView({ ...row, status, passed: 1, failed: 0, created_at: at, updated_at: at }, NOTED_AT + ms).status;
};

/** The service was killed in a run. For ten minutes the console said "1 of 2 done…", and no other run could be begun. */
it('a run whose process is gone has failed a minute after its last note', () => {
  expect(statusAfter(60_000, 'running')).toBe('running');
  expect(statusAfter(60_001, 'running')).toBe('failed');
});

it('a run that waits for others is given ten minutes, and one that is over stays as it came out', () => {
  expect(statusAfter(600_000, 'queued')).toBe('queued');
  expect(statusAfter(600_001, 'queued')).toBe('failed');
  expect(statusAfter(86_400_000, 'passed')).toBe('passed');
});

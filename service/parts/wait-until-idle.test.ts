import { expect, it } from 'vitest';
import { waitUntilIdle, type IdleOutcome } from './wait-until-idle.ts';

/** @param answers of the service; after the last one, it is late. @returns how it ended, and how many were not asked for. */
async function waitThrough(answers: readonly unknown[], diesAfter = Infinity): Promise<[IdleOutcome['end'], number]> {
  const left = [...answers];
  const { end } = await waitUntilIdle({
    async ask() {
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    pause: async () => {},
    isAlive: () => answers.length - left.length <= diesAfter,
    isLate: () => left.length === 0,
  });
  return [end, left.length];
}

const live = (activeSessions: number): unknown => ({ status: 'not ready', activeSessions });
const refused = new Error('refused');
const many = (answer: unknown): unknown[] => Array.from({ length: 50 }, () => answer);

it('waits until the last session is over', async () => {
  expect(await waitThrough([live(2), live(1), live(0), live(0)])).toEqual(['idle', 1]);
});

/** Three questions without an answer counted as idle: a busy service was stopped, and its conversations cut off. */
it('goes on asking a service that has answered before, however long it does not', async () => {
  expect(await waitThrough([live(1), ...many(refused), live(1), live(0), live(0)])).toEqual(['idle', 1]);
});

/** With another port or address, a drain was over after four seconds with status 0, and a conversation was live. */
it('fails when the process runs and nobody answers', async () => {
  const [end, left] = await waitThrough(many(refused));
  expect(end).toBe('unreachable');
  expect(left).toBeGreaterThan(0);
});

it('fails when another service answers, which takes sessions', async () => {
  expect((await waitThrough(many({ status: 'ready', activeSessions: 0 })))[0]).toBe('not draining');
  expect(await waitThrough([{ status: 'ready', activeSessions: 0 }, live(1), live(0)])).toEqual(['idle', 0]);
});

it('is over when the process has ended', async () => {
  expect(await waitThrough([live(1), refused, live(1)], 1)).toEqual(['gone', 1]);
});

it('fails when the time is over and sessions are live', async () => {
  expect(await waitThrough([live(2), live(1)])).toEqual(['late', 0]);
});

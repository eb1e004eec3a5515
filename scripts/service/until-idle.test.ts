import { expect, it } from 'vitest';
import { untilIdle } from './until-idle.ts';

/** @returns how many answers were not asked for. */
async function waitThrough(answers: readonly unknown[]): Promise<number> {
  const left = [...answers];
  const ask = async (): Promise<unknown> => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  await untilIdle({ ask, pause: async () => {} });
  return left.length;
}

const live = (activeSessions: number): unknown => ({ activeSessions });
const gone = new Error('refused');

it('waits until the last session is over', async () => {
  expect(await waitThrough([live(2), live(1), live(0), live(0)])).toBe(1);
});

it('goes on asking when one question has no answer', async () => {
  expect(await waitThrough([live(1), gone, gone, live(1), gone, gone, live(0), live(0)])).toBe(1);
});

it('gives up on a service that is gone', async () => {
  expect(await waitThrough([live(1), gone, gone, gone, live(1)])).toBe(1);
});

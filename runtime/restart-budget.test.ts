import { expect, it } from 'vitest';
import { RestartBudget } from './restart-budget.ts';

it('starts again at once, then with pauses, and gives up what dies six times in a minute', () => {
  const budget = new RestartBudget();
  expect([0, 1, 2, 3, 4, 5].map((second) => budget.died(second * 1_000))).toEqual([0, 500, 1_000, 2_000, 4_000, null]);
});

it('forgets what is more than a minute ago', () => {
  const budget = new RestartBudget();
  expect([0, 61_000, 122_000].map((at) => budget.died(at))).toEqual([0, 0, 0]);
});

import { expect, it } from 'vitest';
import { costRows, unreported } from './cost-rows.ts';

const usage = [
  { service: 'llm', provider: 'openai m', requests: 3, unreportedRequests: 1, inputTokens: 9_412, outputTokens: 120 },
  { service: 'stt', provider: 'deepgram', audioSeconds: 90 },
] as const;

it('says what each part of a session cost, and by which price', () => {
  const lines = [
    { service: 'llm', provider: 'openai m', unit: 'inputTokens', quantity: 9_412, price: 0.25, amount: 0.002353 },
    { service: 'stt', provider: 'deepgram', unit: 'audioMinutes', quantity: 1.5, price: null, amount: null },
  ] as const;
  expect(costRows({ currency: 'USD', amount: 0.002353, isComplete: false, lines: [...lines] }, usage)).toEqual([
    { what: 'Input', provider: 'openai m', amount: '9,412 tokens', price: '$0.25 a million', cost: '$0.0024' },
    { what: 'Recognition', provider: 'deepgram', amount: '1.5 min', price: null, cost: null },
  ]);
  expect(unreported(usage)).toBe(1);
});

it('says what was used where no prices are set', () => {
  expect(costRows(null, usage).map(({ what, amount }) => [what, amount])).toEqual([
    ['Input', '9,412 tokens'],
    ['Output', '120 tokens'],
    ['Recognition', '1.5 min'],
  ]);
});

import { expect, test } from 'vitest';
import { turnFromRow } from './stored-turn.ts';

const STORED = { turnIndex: 1, correlationId: 'c', transcribedAt: 2600 };

test('a turn that was stored under the older names of its stages keeps their times', () => {
  const turn = turnFromRow(
    JSON.stringify({ ...STORED, mindAskedAt: 2610, mindFirstOutputAt: 2900, mindFinalOutputAt: null }),
  );
  expect(turn).toEqual({ ...STORED, llmRequestedAt: 2610, llmFirstOutputAt: 2900, llmFinalOutputAt: null });
});

test('a turn of today is read as it was written', () => {
  const turn = { ...STORED, llmRequestedAt: 2610, llmFirstOutputAt: null, llmFinalOutputAt: 3400 };
  expect(turnFromRow(JSON.stringify(turn))).toEqual(turn);
});

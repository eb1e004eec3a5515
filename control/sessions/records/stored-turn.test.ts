import { expect, test } from 'vitest';
import { openTurn } from '../../../actors/report-builder/turn-timings.ts';
import { turnFromRow } from './stored-turn.ts';

const STORED = { turnIndex: 1, correlationId: 'c', transcribedAt: 2600 };
const EMPTY = openTurn(1, 'c');

test('a turn that was stored under the older names of its stages keeps their times', () => {
  const turn = turnFromRow(
    JSON.stringify({ ...STORED, mindAskedAt: 2610, mindFirstOutputAt: 2900, mindFinalOutputAt: null }),
  );
  expect(turn).toEqual({ ...EMPTY, ...STORED, llmRequestedAt: 2610, llmFirstOutputAt: 2900, llmFinalOutputAt: null });
});

test('a turn of today is read as it was written', () => {
  const turn = { ...EMPTY, ...STORED, llmRequestedAt: 2610, llmFirstOutputAt: null, llmFinalOutputAt: 3400 };
  expect(turnFromRow(JSON.stringify(turn))).toEqual(turn);
});

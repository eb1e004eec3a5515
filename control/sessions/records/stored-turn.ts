import { openTurn } from '../../../actors/report-builder/turn-timings.ts';
import type { TurnRecord } from '../../../actors/report.ts';

/** Stages of the LLM as rows of before version 2 of the session log name them. */
interface OldStages {
  readonly mindAskedAt?: number | null;
  readonly mindFirstOutputAt?: number | null;
  readonly mindFinalOutputAt?: number | null;
}

/**
 * @param json a row's `record_json`. Turns that were stored with older names of their stages are read like new ones.
 * Stages that older rows lack are null.
 */
export function turnFromRow(json: string): TurnRecord {
  const { mindAskedAt, mindFirstOutputAt, mindFinalOutputAt, ...turn } = JSON.parse(json) as TurnRecord & OldStages;
  return {
    ...openTurn(turn.turnIndex, turn.correlationId),
    ...turn,
    llmRequestedAt: turn.llmRequestedAt ?? mindAskedAt ?? null,
    llmFirstOutputAt: turn.llmFirstOutputAt ?? mindFirstOutputAt ?? null,
    llmFinalOutputAt: turn.llmFinalOutputAt ?? mindFinalOutputAt ?? null,
  };
}

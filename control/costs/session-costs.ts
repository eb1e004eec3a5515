import type { UsageRecord } from '../../actors/report.ts';
import type { SessionPriceColumns } from '../store/cost-tables.ts';
import { type Cost, costOfSession } from './cost-of-session.ts';
import { isFree } from './is-free.ts';
import type { LlmPrices, Prices } from './price-schema.ts';

/** The columns of a session by which it is paid. */
export interface PaidRow extends SessionPriceColumns {
  readonly start_time: string;
  readonly end_time: string | null;
}

/** @returns what it cost, by the prices of its end; null while it lasts, and where none were set. */
export function costOf(row: PaidRow, usage: readonly UsageRecord[]): Cost | null {
  if (row.end_time === null) return null;
  return costOfSession({
    usage,
    lengthMs: Math.max(0, Date.parse(row.end_time) - Date.parse(row.start_time)),
    prices: parsed<Prices>(row.prices_json),
    ownLlm: parsed<LlmPrices>(row.llm_prices_json),
    hasOwnLlm: row.llm_id !== null,
    isFree,
  });
}

const parsed = <T>(json: string | null): T | null => (json === null ? null : (JSON.parse(json) as T));

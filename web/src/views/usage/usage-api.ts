import type { Spent } from '../../../../control/costs/cost-schema.ts';
import { request } from '../../api/client.ts';

export interface Percentiles {
  readonly count: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

export interface UsageFigures {
  readonly sessions: number;
  readonly failedSessions: number;
  readonly minutes: number;
  /** Each currency by itself; empty: no prices were set. */
  readonly costs: readonly Spent[];
  readonly turns: number;
  readonly interruptedTurns: number;
  readonly firstAudioLatencySeconds: Percentiles;
  readonly llmTimeToFirstOutputSeconds: Percentiles;
}

export type PersonaUsage = Pick<UsageFigures, 'sessions' | 'minutes' | 'costs'> & {
  /** Null, and without a name: those that came with their requests, together. */
  readonly personaId: string | null;
  readonly name: string | null;
};

export interface Usage {
  readonly days: readonly (UsageFigures & { readonly date: string })[];
  readonly total: UsageFigures;
  /** Those that talked most come first. */
  readonly personas: readonly PersonaUsage[];
  readonly truncated: boolean;
}

/** @param days how many, the last one is today, by the clock of this browser. */
export const getUsage = (days: number) =>
  request<Usage>('GET', `/v1/sessions/usage?days=${days}&utcOffsetMinutes=${-new Date().getTimezoneOffset()}`);

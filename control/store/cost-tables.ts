/** Rows of what conversations cost: see `tables.ts`. */

/** What a provider has done in a session: see `UsageRecord`. */
export interface SessionUsageRow {
  session_id: string;
  service: 'stt' | 'llm' | 'tts';
  provider: string;
  place: number;
  amounts_json: string;
}

export interface OrganizationPricesRow {
  organization_id: string;
  /** `Prices`. */
  prices_json: string;
  updated_at: string;
}

/** With what a session is paid. */
export interface SessionPriceColumns {
  /** Of the organization. Null: it has another one, or none. */
  llm_id: string | null;
  /** The organization's `Prices` and the LLM's `LlmPrices` when it ended. Null: there were none, or it lasts. */
  prices_json: string | null;
  llm_prices_json: string | null;
}

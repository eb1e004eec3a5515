import { sql } from 'kysely';
import type { SessionPriceColumns } from '../store/cost-tables.ts';

/** For an update of a session that ends now: prices that change later do not change what it cost. */
export const frozenPrices = () => ({
  prices_json: sql<SessionPriceColumns['prices_json']>`(
    select prices.prices_json from organization_prices prices where prices.organization_id = sessions.organization_id)`,
  llm_prices_json: sql<SessionPriceColumns['llm_prices_json']>`(
    select llm.prices_json from llms llm where llm.id = sessions.llm_id)`,
});

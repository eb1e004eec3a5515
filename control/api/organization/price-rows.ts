import { NO_PRICES, type Prices, storedPrices } from '../../costs/price-schema.ts';
import type { Store } from '../../store/open.ts';

export interface StoredPrices {
  readonly prices: Prices;
  /** Null: never set. */
  readonly updatedAt: string | null;
}

export async function pricesOf({ db }: Store, organizationId: string): Promise<StoredPrices> {
  const row = await db
    .selectFrom('organization_prices')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) return { prices: NO_PRICES, updatedAt: null };
  return { prices: storedPrices(row.prices_json), updatedAt: row.updated_at };
}

export async function savePrices({ db }: Store, organizationId: string, prices: Prices, at: string): Promise<void> {
  const values = { organization_id: organizationId, prices_json: JSON.stringify(prices), updated_at: at };
  await db
    .insertInto('organization_prices')
    .values(values)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute();
}

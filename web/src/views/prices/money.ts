import type { CostTotal, Spent } from '../../../../control/costs/cost-schema.ts';

/** Smaller amounts than a cent are what most answers cost. */
const DIGITS_BELOW_ONE = 4;
/** As exactly as prices are kept. */
const DIGITS_OF_PRICES = 6;

/** "$12.35", "$0.0123". Where nothing is left of it when it is rounded, "<$0.0001". */
export function moneyText(amount: number, currency: string): string {
  const smallest = 10 ** -DIGITS_BELOW_ONE;
  if (amount > 0 && amount < smallest) return `<${formatted(smallest, currency, DIGITS_BELOW_ONE)}`;
  return formatted(amount, currency, amount > 0 && amount < 1 ? DIGITS_BELOW_ONE : undefined);
}

export const priceText = (price: number, currency: string): string => formatted(price, currency, DIGITS_OF_PRICES);

/** "$0.0123", "at least $0.0123". Null: not known. */
export const costText = (cost: CostTotal): string | null =>
  cost === null ? null : withLeast(moneyText(cost.amount, cost.currency), cost.isComplete);

/** "$3.20 + €1.10". @param share 0.5: half of it. Null: not known. */
export function spentText(costs: readonly Spent[], share = 1): string | null {
  if (costs.length === 0) return null;
  const text = costs.map(({ amount, currency }) => moneyText(amount * share, currency)).join(' + ');
  return withLeast(
    text,
    costs.every(({ isComplete }) => isComplete),
  );
}

const withLeast = (text: string, isComplete: boolean): string => (isComplete ? text : `at least ${text}`);

function formatted(amount: number, currency: string, maximumFractionDigits?: number): string {
  return amount.toLocaleString(undefined, { style: 'currency', currency, maximumFractionDigits });
}

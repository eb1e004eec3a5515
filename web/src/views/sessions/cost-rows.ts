import type { CostDetails } from '../../../../control/costs/cost-schema.ts';
import type { ProviderUsage } from '../../../../control/sessions/records/provider-usage-schema.ts';
import { moneyText, priceText } from '../prices/money.ts';

export interface CostRow {
  readonly what: string;
  readonly provider: string | null;
  readonly amount: string;
  /** Null: nobody set one. */
  readonly price: string | null;
  readonly cost: string | null;
}

type Unit = NonNullable<CostDetails>['lines'][number]['unit'];

const WORDS: Readonly<Record<Unit, { readonly what: string; readonly unit: string; readonly per: string }>> = {
  inputTokens: { what: 'Input', unit: 'tokens', per: 'a million' },
  cachedInputTokens: { what: 'Input from the cache', unit: 'tokens', per: 'a million' },
  cacheWriteTokens: { what: 'Input into the cache', unit: 'tokens', per: 'a million' },
  outputTokens: { what: 'Output', unit: 'tokens', per: 'a million' },
  audioInputTokens: { what: 'Sound heard', unit: 'tokens', per: 'a million' },
  cachedAudioInputTokens: { what: 'Sound heard, from the cache', unit: 'tokens', per: 'a million' },
  audioOutputTokens: { what: 'Sound spoken', unit: 'tokens', per: 'a million' },
  characters: { what: 'Voice', unit: 'characters', per: 'a million' },
  audioMinutes: { what: 'Recognition', unit: 'min', per: 'a minute' },
  conversationMinutes: { what: 'Conversation', unit: 'min', per: 'a minute' },
};

/** One for each line of the table. */
export function costRows(cost: CostDetails, usage: readonly ProviderUsage[]): CostRow[] {
  if (cost === null) return usage.flatMap(usedRows);
  return cost.lines.map(({ provider, unit, quantity, price, amount }) => ({
    ...rowOf(provider, unit, quantity),
    price: price === null ? null : `${priceText(price, cost.currency)} ${WORDS[unit].per}`,
    cost: amount === null ? null : moneyText(amount, cost.currency),
  }));
}

/** How many answers of LLMs cost nobody knows how much. */
export const unreported = (usage: readonly ProviderUsage[]): number =>
  usage.reduce((sum, { unreportedRequests = 0 }) => sum + unreportedRequests, 0);

function usedRows({ provider, audioSeconds, ...used }: ProviderUsage): CostRow[] {
  const units: readonly (readonly [Unit, number | undefined])[] = [
    ['inputTokens', used.inputTokens],
    ['cachedInputTokens', used.cachedInputTokens],
    ['cacheWriteTokens', used.cacheWriteTokens],
    ['outputTokens', used.outputTokens],
    ['audioInputTokens', used.audioInputTokens],
    ['cachedAudioInputTokens', used.cachedAudioInputTokens],
    ['audioOutputTokens', used.audioOutputTokens],
    ['audioMinutes', audioSeconds === undefined ? undefined : audioSeconds / 60],
    ['characters', used.characters],
  ];
  return units.flatMap(([unit, quantity]) => (quantity === undefined ? [] : [rowOf(provider, unit, quantity)]));
}

function rowOf(provider: string | null, unit: Unit, quantity: number): CostRow {
  const count = quantity.toLocaleString(undefined, { maximumFractionDigits: 2 });
  return { what: WORDS[unit].what, provider, amount: `${count} ${WORDS[unit].unit}`, price: null, cost: null };
}

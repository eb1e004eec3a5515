import type { Amounts } from '../../models/ports.ts';
import type { UsageRecord } from '../report.ts';

/** @returns the usage with what was done now, and the record that has changed by it. */
export function addUsage(
  usage: readonly UsageRecord[],
  { service, provider, place, amounts }: UsageRecord,
): { readonly usage: readonly UsageRecord[]; readonly record: UsageRecord } {
  const isSame = (one: UsageRecord): boolean =>
    one.service === service && one.provider === provider && one.place === place;
  const before = usage.find(isSame);
  const record = { service, provider, place, amounts: sum(before?.amounts ?? {}, amounts) };
  return {
    usage: before === undefined ? [...usage, record] : usage.map((one) => (isSame(one) ? record : one)),
    record,
  };
}

function sum(one: Amounts, other: Amounts): Amounts {
  const total: Record<string, number> = { ...one };
  for (const [unit, amount] of Object.entries(other)) total[unit] = (total[unit] ?? 0) + amount;
  return total;
}

import type { SelectQueryBuilder } from 'kysely';
import type { UsageRecord } from '../../../actors/report.ts';
import { addUsage } from '../../../actors/providers/provider-usage.ts';
import type { Amounts } from '../../../models/ports.ts';
import type { SessionUsageRow } from '../../store/cost-tables.ts';
import type { Store } from '../../store/open.ts';
import type { Database } from '../../store/tables.ts';
import { upsertUsage } from './record-statements.ts';

/** @returns what was counted of these sessions so far, by their ids. Those without anything are left out. */
export async function usageOf({ db }: Store, ids: readonly string[]): Promise<ReadonlyMap<string, UsageRecord[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('session_usage')
    .selectAll()
    .where('session_id', 'in', ids)
    .orderBy('service')
    .orderBy('place')
    .orderBy('provider')
    .execute();
  return bySession(rows);
}

/** The same of all that a query finds, which may be thousands. */
export async function usageOfAll(
  sessions: SelectQueryBuilder<Database, 'sessions', object>,
): Promise<ReadonlyMap<string, UsageRecord[]>> {
  const rows = await sessions
    .innerJoin('session_usage', 'session_usage.session_id', 'sessions.id')
    .selectAll('session_usage')
    .execute();
  return bySession(rows);
}

/** Adds what was used for a session after its end. Nobody else counts for it any more. */
export async function addSessionUsage(store: Store, sessionId: string, used: readonly UsageRecord[]): Promise<void> {
  if (used.length === 0) return;
  const before = (await usageOf(store, [sessionId])).get(sessionId) ?? [];
  const after = used.reduce<readonly UsageRecord[]>((usage, record) => addUsage(usage, record).usage, before);
  const changed = after.filter((record) => !before.includes(record));
  await store.atomically(changed.map((record) => upsertUsage(store.db, sessionId, record)));
}

function bySession(rows: readonly SessionUsageRow[]): ReadonlyMap<string, UsageRecord[]> {
  const usage = new Map<string, UsageRecord[]>();
  for (const { session_id: id, amounts_json: json, ...row } of rows) {
    const of = usage.get(id) ?? [];
    of.push({ ...row, amounts: JSON.parse(json) as Amounts });
    usage.set(id, of);
  }
  return usage;
}

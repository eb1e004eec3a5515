import type { Store } from '../../store/open.ts';
import type { KnowledgeGroupRow } from '../../store/tables.ts';
import type { KnowledgeGroupResponse } from './knowledge-schema.ts';

/** @param ids null: all groups of the organization, newest first. */
export async function groupsOf(
  store: Store,
  organizationId: string,
  ids: readonly string[] | null,
): Promise<KnowledgeGroupResponse[]> {
  if (ids !== null && ids.length === 0) return [];
  let groups = store.db.selectFrom('knowledge_groups').selectAll().where('organization_id', '=', organizationId);
  if (ids !== null) groups = groups.where('id', 'in', [...ids]);
  const rows = await groups.orderBy('created_at', 'desc').orderBy('id').execute();
  const counts = await store.db
    .selectFrom('knowledge_documents')
    .select((eb) => ['group_id', eb.fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .groupBy('group_id')
    .execute();
  const byGroup = new Map(counts.map((row) => [row.group_id, Number(row.count)]));
  return rows.map((row) => groupOf(row, byGroup.get(row.id) ?? 0));
}

function groupOf(row: KnowledgeGroupRow, documentCount: number): KnowledgeGroupResponse {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    documentCount,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

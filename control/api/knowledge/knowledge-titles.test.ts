import { beforeAll, expect, it } from 'vitest';
import type { ToolDefinition } from '../../../actors/session-config.ts';
import { organizationNamed } from '../../access/api-keys.ts';
import type { Store } from '../../store/open.ts';
import { describeOnSqlite } from '../../testing/stores.ts';
import { knowledgeTitles } from './knowledge-titles.ts';

describeOnSqlite('titles of knowledge', (stores) => {
  let store: Store;
  let organizationId = '';
  beforeAll(async () => {
    store = await stores.open();
    organizationId = await organizationNamed(store, 'first', 0);
  });

  const at = '2026-01-01T00:00:00.000Z';
  async function group(id: string, name: string, owner: string, files: readonly string[] = []): Promise<void> {
    const times = { created_at: at, updated_at: null };
    await store.db
      .insertInto('knowledge_groups')
      .values({ id, organization_id: owner, name, description: null, ...times })
      .execute();
    for (const [index, filename] of files.entries())
      await store.db
        .insertInto('knowledge_documents')
        .values({
          id: `${id}-${index}`,
          organization_id: owner,
          group_id: id,
          filename,
          file_type: 'text/plain',
          file_size: 1,
          blob_key: 'k',
          status: filename.startsWith('failed') ? 'FAILED' : 'READY',
          error_message: null,
          note: null,
          chunk_size: 1,
          chunk_overlap: 0,
          attempts: 1,
          reading: 0,
          reader: 0,
          ...times,
        })
        .execute();
  }
  const searching = (...documentFolderIds: string[]) =>
    ({ kind: 'rag', documentFolderIds }) as unknown as ToolDefinition;

  it('are those of groups and readable documents, as people say them', async () => {
    const files = ['opening_hours-2026.md', '2026.pdf', `${'long '.repeat(20)}.txt`, 'failed.md', 'Zsolnay.v2.docx'];
    await group('museum', 'Brightwater Museum', organizationId, files);
    await group('other', 'Not asked for', organizationId);
    const titles = await knowledgeTitles(store, organizationId, [searching('museum'), searching('museum')]);
    expect(titles[0]).toBe('Brightwater Museum');
    expect(new Set(titles)).toEqual(new Set(['Brightwater Museum', 'opening hours 2026', 'Zsolnay v2']));
  });

  it('are none without tools that search, and never those of another organization', async () => {
    const stranger = await organizationNamed(store, 'second', 0);
    await group('secret', 'Plans of the second', stranger, ['plans.md']);
    expect(await knowledgeTitles(store, organizationId, [searching('secret')])).toEqual([]);
    expect(await knowledgeTitles(store, organizationId, [])).toEqual([]);
  });
});

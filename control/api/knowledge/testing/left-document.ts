import { randomUUID } from 'node:crypto';
import { isoTime } from '../../../../actors/kernel/iso-time.ts';
import type { TestService } from '../../../testing/service.ts';

/** Uploads a document that nobody processes, as an earlier run of the service left it. @returns its id. */
export async function leftDocument(
  service: TestService,
  filename: string,
  content: string | Buffer,
  attempts = 0,
): Promise<string> {
  const group = (await service.send('POST', '/v1/knowledge/groups', { name: 'g' })).body.id as string;
  const id = randomUUID();
  await service.blobs.write(`documents/${id}`, Buffer.from(content));
  await service.store.db
    .insertInto('knowledge_documents')
    .values({
      id,
      organization_id: service.organizationId,
      group_id: group,
      filename,
      file_type: '',
      file_size: content.length,
      blob_key: `documents/${id}`,
      status: 'PROCESSING',
      error_message: null,
      note: null,
      chunk_size: 100,
      chunk_overlap: 0,
      attempts,
      reading: 0,
      reader: 0,
      created_at: isoTime(Date.now()),
      updated_at: null,
    })
    .execute();
  return id;
}

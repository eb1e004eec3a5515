import { expect } from 'vitest';
import { Form } from '../../../testing/form.ts';
import type { TestService } from '../../../testing/service.ts';

/** The requests that most tests of knowledge make. `service` gives the one that runs while a test does. */
export function knowledgeRequests(service: () => TestService) {
  return {
    /** Makes a group and answers its id. */
    group: async () =>
      (await service().send('POST', '/v1/knowledge/groups', { name: 'House rules' })).body.id as string,

    /** Uploads a document and answers it as it is after its processing. */
    upload: async (
      groupId: string,
      filename: string,
      content: string | Uint8Array,
      contentType = 'application/octet-stream',
      fields: Record<string, string> = {},
    ) => {
      const form = new Form();
      for (const [name, value] of Object.entries(fields)) form.field(name, value);
      const answer = await service().send(
        'POST',
        `/v1/knowledge/groups/${groupId}/documents`,
        form.file('file', filename, contentType, content),
      );
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body.status).toBe('PROCESSING');
      await service().knowledge.idle();
      return (await service().send('GET', `/v1/knowledge/documents/${answer.body.id}`)).body;
    },

    search: async (groupId: string, query: string) =>
      (await service().send('POST', `/v1/knowledge/groups/${groupId}/search`, { query })).body as {
        filename: string;
        content: string;
        score: number;
        chunkIndex: number;
        metadata: Record<string, unknown>;
        documentId: string;
      }[],
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { HOSTILE_DOCUMENTS, type HostileDocument } from '../../../control/api/knowledge/testing/hostile-documents.ts';
import type { Attack } from '../attack.ts';
import { callApi, type ServiceAddress } from '../../lib/call-api.ts';
import { counted } from '../counted.ts';

const LOOK_EVERY_MS = 500;

interface StoredDocument {
  readonly id: string;
  readonly status: string;
  readonly errorMessage: string | null;
}

/** All documents of a kind at once. */
function documents(kind: string, what: string): Attack {
  const sent = HOSTILE_DOCUMENTS.filter(({ filename }) =>
    filename.endsWith('.docx') || filename.endsWith('.pdf') ? filename.endsWith(kind) : kind === 'text',
  );
  return {
    name: `documents-${kind}`,
    what: `${sent.length} ${what}`,
    async prepare() {
      const files = sent.map((document) => ({ document, content: document.content() }));
      return async (service) => {
        const group = await callApi<{ id: string }>(service, 'POST', '/v1/knowledge/groups', { name: 'Hostile' });
        for (const file of files) await upload(service, group.id, file);
        return counted(
          (await untilRead(service, group.id)).map(({ status, errorMessage }) =>
            errorMessage === null ? status : `${status} (${errorMessage})`,
          ),
        );
      };
    },
  };
}

async function upload(
  { url, apiKey }: ServiceAddress,
  groupId: string,
  { document, content }: { readonly document: HostileDocument; readonly content: Buffer },
): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(content)], { type: document.contentType }), document.filename);
  const answer = await fetch(`${url}/v1/knowledge/groups/${groupId}/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form,
  });
  if (!answer.ok) throw new Error(`${document.name}: ${answer.status} ${await answer.text()}`);
}

async function untilRead(service: ServiceAddress, groupId: string): Promise<readonly StoredDocument[]> {
  for (;;) {
    const found = await callApi<StoredDocument[]>(service, 'GET', `/v1/knowledge/groups/${groupId}/documents`);
    if (found.every(({ status }) => status !== 'PROCESSING')) return found;
    await pause(LOOK_EVERY_MS);
  }
}

export const hostileDocuments: readonly Attack[] = [
  documents('docx', 'DOCX files that expand to 100 MB to 2 GB'),
  documents('pdf', 'PDF files that expand to 500 MB to 4 GB'),
  documents('text', 'text files of 20 to 50 MB, all of them brackets, commas, full stops'),
];

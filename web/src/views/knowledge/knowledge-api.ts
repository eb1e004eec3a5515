import { ApiError, refusal, request } from '../../api/client.ts';
import type { KnowledgeDocument, KnowledgeGroup } from '../../api/types.ts';
import { apiKey } from '../../state/key.ts';
import { serviceUrl } from '../../api/service.ts';

export interface GroupDetails extends KnowledgeGroup {
  readonly documentCount: number;
}

export interface DocumentDetails extends KnowledgeDocument {
  readonly errorMessage: string | null;
  readonly note: string | null;
}

export interface Passage {
  readonly documentId: string;
  readonly filename: string;
  readonly content: string;
  /** 0…1. */
  readonly score: number;
  readonly chunkIndex: number;
}

export const listGroups = () => request<readonly GroupDetails[]>('GET', '/v1/knowledge/groups');
export const getGroup = (id: string) => request<GroupDetails>('GET', `/v1/knowledge/groups/${id}`);
export const createGroup = (name: string) => request<GroupDetails>('POST', '/v1/knowledge/groups', { name });
export const listDocuments = (groupId: string) =>
  request<readonly DocumentDetails[]>('GET', `/v1/knowledge/groups/${groupId}/documents`);
export const deleteDocument = (id: string) => request<unknown>('DELETE', `/v1/knowledge/documents/${id}`);
export const processDocument = (id: string) => request<unknown>('POST', `/v1/knowledge/documents/${id}/process`);
export const searchGroup = (groupId: string, query: string) =>
  request<readonly Passage[]>('POST', `/v1/knowledge/groups/${groupId}/search`, { query });

/**
 * Uploads a document. `fetch` does not tell how much has been sent, so this is the older interface.
 * @param onProgress 0…1. @throws ApiError
 */
export function uploadDocument(groupId: string, file: File, onProgress: (part: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest();
    upload.open('POST', `${serviceUrl()}/v1/knowledge/groups/${groupId}/documents`);
    upload.setRequestHeader('authorization', `Bearer ${apiKey.value ?? ''}`);
    upload.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    upload.addEventListener('error', () => reject(new ApiError(0, 'The service cannot be reached.')));
    upload.addEventListener('load', () => {
      if (upload.status === 201) resolve();
      else reject(refusalOf(upload));
    });
    const form = new FormData();
    form.set('file', file);
    upload.send(form);
  });
}

function refusalOf({ status, responseText }: XMLHttpRequest): ApiError {
  try {
    return refusal(status, JSON.parse(responseText));
  } catch {
    return refusal(status, null);
  }
}

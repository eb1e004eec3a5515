import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { HttpError } from '../../errors/http-error.ts';
import { downloadUrl } from '../../http/file-urls.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import type { KnowledgeDocumentRow } from '../../store/tables.ts';
import type { knowledgeDocumentResponse } from './knowledge-schema.ts';
import { knowledgeErrors } from './knowledge-errors.ts';
import type { Store } from '../../store/open.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { Logger } from '../../../runtime/log.ts';

/** What is taken of the service here. */
export interface DocumentRowsParts {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly signer: UrlSigner;
  readonly log: Logger;
}

export function documentOf(
  control: Pick<DocumentRowsParts, 'signer'>,
  baseUrl: string,
  row: KnowledgeDocumentRow,
): z.infer<typeof knowledgeDocumentResponse> {
  return {
    id: row.id,
    knowledgeFolderId: row.group_id,
    filename: row.filename,
    fileType: row.file_type,
    fileSize: Number(row.file_size),
    fileUrl: fileUrlOf(control, baseUrl, row),
    status: row.status,
    errorMessage: row.error_message,
    note: row.note,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** @returns what a client is told of a document, with addresses that it reaches. */
export function answering(control: Pick<DocumentRowsParts, 'signer'> & PublicUrlParts) {
  return (request: FastifyRequest, row: KnowledgeDocumentRow) => documentOf(control, publicUrl(control, request), row);
}

export function fileUrlOf(
  control: Pick<DocumentRowsParts, 'signer'>,
  baseUrl: string,
  row: KnowledgeDocumentRow,
): string {
  return downloadUrl(control.signer, baseUrl, 'documents', row.id, row.filename, row.file_type);
}

/** @throws HttpError 404. */
export async function findDocument(
  { store }: Pick<DocumentRowsParts, 'store'>,
  organizationId: string,
  id: string,
): Promise<KnowledgeDocumentRow> {
  const row = await store.db
    .selectFrom('knowledge_documents')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(knowledgeErrors.documentNotFound);
  return row;
}

/** The rows are gone already. A file that cannot be deleted now is deleted at the next start. */
export async function removeDocumentFiles(
  { blobs, log }: Pick<DocumentRowsParts, 'blobs' | 'log'>,
  rows: readonly KnowledgeDocumentRow[],
): Promise<void> {
  for (const row of rows) {
    await blobs
      .remove(row.blob_key)
      .catch((error: unknown) =>
        log.warn({ err: error, documentId: row.id }, 'a file of a deleted document could not be removed'),
      );
  }
}

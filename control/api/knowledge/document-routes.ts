import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { publicUrl, type PublicUrlParts } from '../../http/public-url.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { readForm } from '../../http/forms.ts';
import { emptyAnswer, errorAnswers, idPath, mediaType } from '../../http/schemas.ts';
import { isMissingReference } from '../../store/open.ts';
import type { KnowledgeDocumentRow } from '../../store/tables.ts';
import { cleanName } from './clean-name.ts';
import { answering, fileUrlOf, findDocument, removeDocumentFiles, type DocumentRowsParts } from './document-rows.ts';
import { documentType, refusedDocument, SUPPORTED_DOCUMENTS } from './document-type.ts';
import { findGroup } from './group-routes.ts';
import {
  CHUNK_OVERLAP,
  CHUNK_SIZE,
  chunkingForm,
  confirmUpload,
  knowledgeDocumentResponse,
  MAX_DOCUMENT_SIZE,
  presignDocument,
  uploadRequest,
  renameDocument,
} from './knowledge-schema.ts';
import { removeDocuments, type RemoveDocumentsParts } from './remove-documents.ts';
import { knowledgeErrors } from './knowledge-errors.ts';
import type { Knowledge } from './knowledge.ts';

/** What these routes take of the service. */
export type DocumentRoutesParts = DocumentRowsParts &
  RemoveDocumentsParts &
  PublicUrlParts & {
    readonly knowledge: Knowledge;
  };

const oneConfig = { pathId: { status: 404, missing: knowledgeErrors.documentNotFound } } as const;
const groupConfig = { pathId: { status: 404, missing: knowledgeErrors.groupNotFound } } as const;

/** Documents of knowledge groups. They are read in the background; their status shows the progress. */
export function documentRoutes(app: App, control: DocumentRoutesParts): void {
  listDocumentsRoute(app, control);
  uploadDocumentRoute(app, control);
  startUploadRoute(app, control);
  completeUploadRoute(app, control);
  readAgainRoute(app, control);
  readDocumentRoute(app, control);
  renameDocumentRoute(app, control);
  deleteDocumentRoute(app, control);
  downloadDocumentRoute(app, control);
}

function listDocumentsRoute(app: App, control: DocumentRoutesParts): void {
  const { store } = control;
  const answer = answering(control);
  app.get(
    '/v1/knowledge/groups/:id/documents',
    {
      config: groupConfig,
      schema: {
        summary: 'List the documents of a group',
        params: idPath,
        response: { 200: z.array(knowledgeDocumentResponse), ...errorAnswers(404) },
      },
    },
    async (request) => {
      const group = await findGroup(control, callerOf(request).organizationId, request.params.id);
      const rows = await store.db
        .selectFrom('knowledge_documents')
        .selectAll()
        .where('group_id', '=', group.id)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map((row) => answer(request, row));
    },
  );
}

function uploadDocumentRoute(app: App, control: DocumentRoutesParts): void {
  const { blobs } = control;
  const answer = answering(control);
  app.post(
    '/v1/knowledge/groups/:id/documents',
    {
      config: { ...groupConfig, access: { scope: 'knowledge', orToken: 'upload' } },
      bodyLimit: MAX_DOCUMENT_SIZE + 65_536,
      schema: {
        summary: 'Upload a document',
        description: `A form with \`file\` (${SUPPORTED_DOCUMENTS}, at most 50 MB), \`chunkSize\` (100–8000, default ${CHUNK_SIZE}) and \`chunkOverlap\` (default ${CHUNK_OVERLAP}).`,
        params: idPath,
        ...uploadRequest,
        response: { 201: knowledgeDocumentResponse, ...errorAnswers(400, 404, 413) },
      },
    },
    async (request, reply) => {
      const organizationId = request.uploaderOrganizationId ?? callerOf(request).organizationId;
      const group = await findGroup(control, organizationId, request.params.id);
      if (!request.isMultipart())
        throw new HttpError('invalidBody', { message: 'Send a multipart form with the field "file".' });
      const id = randomUUID();
      const row = await receiveDocument(control, request, { id, organizationId, groupId: group.id }).catch(
        async (error) => {
          await blobs.remove(blobKey(id));
          throw error;
        },
      );
      control.knowledge.process(row.id);
      return reply.status(201).send(answer(request, row));
    },
  );
}

function startUploadRoute(app: App, control: DocumentRoutesParts): void {
  app.post(
    '/v1/knowledge/groups/:id/documents/presigned-upload',
    {
      config: groupConfig,
      schema: {
        summary: 'Get an address to upload a document to',
        params: idPath,
        body: presignDocument,
        response: { 200: z.object({ uploadUrl: z.string(), documentId: z.string() }), ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const { filename, contentType, fileSize } = request.body;
      const group = await findGroup(control, callerOf(request).organizationId, request.params.id);
      if (documentType(filename, contentType) === null)
        throw invalid([detail('contentType', refusedDocument(filename))]);
      const row = newDocument(control, {
        id: randomUUID(),
        organizationId: group.organization_id,
        groupId: group.id,
        filename,
        contentType,
        size: fileSize,
        status: 'UPLOADED',
        chunkSize: CHUNK_SIZE,
        chunkOverlap: CHUNK_OVERLAP,
      });
      await insert(control, row);
      const path = control.signer.sign({
        method: 'PUT',
        path: `/uploads/documents/${row.id}`,
        limit: fileSize,
        contentType,
        filename: null,
      });
      return { uploadUrl: publicUrl(control, request) + path, documentId: row.id };
    },
  );
}

function completeUploadRoute(app: App, control: DocumentRoutesParts): void {
  const { store, blobs } = control;
  const answer = answering(control);
  app.post(
    '/v1/knowledge/documents/:id/confirm-upload',
    {
      config: oneConfig,
      schema: {
        summary: 'Say that an upload is complete',
        params: idPath,
        body: confirmUpload,
        response: { 200: knowledgeDocumentResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const before = await findDocument(control, callerOf(request).organizationId, request.params.id);
      // Confirming twice is harmless.
      if (before.status !== 'UPLOADED') return answer(request, before);
      const size = await blobs.size(before.blob_key);
      if (size === null) throw invalid([detail('fileSize', 'Nothing was uploaded yet')]);
      if (size !== request.body.fileSize) throw invalid([detail('fileSize', `The uploaded file has ${size} bytes`)]);
      const row: KnowledgeDocumentRow = {
        ...before,
        status: 'PROCESSING',
        file_size: size,
        updated_at: isoTime(control.now()),
      };
      await store.db
        .updateTable('knowledge_documents')
        .set({ status: row.status, file_size: size, updated_at: row.updated_at })
        .where('id', '=', row.id)
        .execute();
      control.knowledge.process(row.id);
      return answer(request, row);
    },
  );
}

function readAgainRoute(app: App, control: DocumentRoutesParts): void {
  const { store, blobs } = control;
  const answer = answering(control);
  app.post(
    '/v1/knowledge/documents/:id/process',
    {
      config: oneConfig,
      schema: {
        summary: 'Read a document again',
        description:
          'For a document that is FAILED, for example because the embedding service was away, or READY. One that is being read stays as it is.',
        params: idPath,
        response: { 200: knowledgeDocumentResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const before = await findDocument(control, callerOf(request).organizationId, request.params.id);
      if ((await blobs.size(before.blob_key)) === null)
        throw invalid([detail('id', 'The file of this document was not uploaded yet')]);
      const row = await store.db
        .updateTable('knowledge_documents')
        .set({ status: 'PROCESSING', error_message: null, note: null, attempts: 0, updated_at: isoTime(control.now()) })
        .where('id', '=', before.id)
        .where('status', 'in', ['FAILED', 'READY'])
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return answer(request, before);
      control.knowledge.process(row.id);
      return answer(request, row);
    },
  );
}

function readDocumentRoute(app: App, control: DocumentRoutesParts): void {
  const answer = answering(control);
  app.get(
    '/v1/knowledge/documents/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Read the record of a document',
        params: idPath,
        response: { 200: knowledgeDocumentResponse, ...errorAnswers(404) },
      },
    },
    async (request) =>
      answer(request, await findDocument(control, callerOf(request).organizationId, request.params.id)),
  );
}

function renameDocumentRoute(app: App, control: DocumentRoutesParts): void {
  const { store } = control;
  const answer = answering(control);
  app.put(
    '/v1/knowledge/documents/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Rename a document',
        params: idPath,
        body: renameDocument,
        response: { 200: knowledgeDocumentResponse, ...errorAnswers(400, 404) },
      },
    },
    async (request) => {
      const row = await store.db
        .updateTable('knowledge_documents')
        .set({ filename: request.body.filename, updated_at: isoTime(control.now()) })
        .where('id', '=', request.params.id)
        .where('organization_id', '=', callerOf(request).organizationId)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) throw new HttpError(knowledgeErrors.documentNotFound);
      return answer(request, row);
    },
  );
}

function deleteDocumentRoute(app: App, control: DocumentRoutesParts): void {
  app.delete(
    '/v1/knowledge/documents/:id',
    {
      config: oneConfig,
      schema: {
        summary: 'Delete a document',
        params: idPath,
        response: { 204: emptyAnswer, ...errorAnswers(404) },
      },
    },
    async (request, reply) => {
      const row = await findDocument(control, callerOf(request).organizationId, request.params.id);
      await removeDocuments(control, [row]);
      return reply.status(204).send(null);
    },
  );
}

function downloadDocumentRoute(app: App, control: DocumentRoutesParts): void {
  const { blobs } = control;
  app.get(
    '/v1/knowledge/documents/:id/download',
    {
      config: oneConfig,
      schema: {
        summary: 'Get a download address',
        params: idPath,
        response: { 200: z.object({ downloadUrl: z.string(), filename: z.string() }), ...errorAnswers(404) },
      },
    },
    async (request) => {
      const row = await findDocument(control, callerOf(request).organizationId, request.params.id);
      if ((await blobs.size(row.blob_key)) === null)
        throw new HttpError(knowledgeErrors.documentNotFound, {
          message: 'The file of this document was not uploaded yet.',
        });
      return { downloadUrl: fileUrlOf(control, publicUrl(control, request), row), filename: row.filename };
    },
  );
}

/**
 * Writes the file of a form to disk as it arrives: 50 MB in memory delay every session by up to 100 ms. First the file,
 * then the row: a row that was acknowledged always has its file.
 * @throws HttpError 400, 413; the caller removes the file.
 */
async function receiveDocument(
  control: Pick<DocumentRoutesParts, 'store' | 'blobs' | 'log' | 'now'>,
  request: FastifyRequest,
  { id, ...owner }: { id: string; organizationId: string; groupId: string },
): Promise<KnowledgeDocumentRow> {
  const { fields, file } = await readForm(request, {
    file: 'file',
    largest: MAX_DOCUMENT_SIZE,
    fields: chunkingForm,
    take: (content) => control.blobs.write(blobKey(id), content),
  });
  if (file === null) throw invalid([detail('file', 'Required')]);
  const filename = cleanName(file.filename);
  if (!mediaType.safeParse(file.contentType).success) throw invalid([detail('file', 'has no valid content type')]);
  if (documentType(filename, file.contentType) === null) throw invalid([detail('file', refusedDocument(filename))]);
  if (file.content.bytes === 0) throw invalid([detail('file', 'is empty')]);
  const row = newDocument(control, {
    id,
    ...owner,
    filename,
    contentType: file.contentType,
    size: file.content.bytes,
    status: 'PROCESSING',
    ...fields,
  });
  await insert(control, row);
  return row;
}

const blobKey = (documentId: string): string => `documents/${documentId}`;

function newDocument(
  control: Pick<DocumentRoutesParts, 'now'>,
  wanted: {
    id: string;
    organizationId: string;
    groupId: string;
    filename: string;
    contentType: string;
    size: number;
    status: 'UPLOADED' | 'PROCESSING';
    chunkSize: number;
    chunkOverlap: number;
  },
): KnowledgeDocumentRow {
  return {
    id: wanted.id,
    organization_id: wanted.organizationId,
    group_id: wanted.groupId,
    filename: wanted.filename,
    file_type: wanted.contentType,
    file_size: wanted.size,
    blob_key: blobKey(wanted.id),
    status: wanted.status,
    error_message: null,
    note: null,
    chunk_size: wanted.chunkSize,
    chunk_overlap: wanted.chunkOverlap,
    attempts: 0,
    reading: 0,
    reader: 0,
    created_at: isoTime(control.now()),
    updated_at: null,
  };
}

async function insert(
  control: Pick<DocumentRoutesParts, 'store' | 'blobs' | 'log'>,
  row: KnowledgeDocumentRow,
): Promise<void> {
  try {
    await control.store.db.insertInto('knowledge_documents').values(row).execute();
  } catch (error) {
    await removeDocumentFiles(control, [row]);
    // The group was deleted meanwhile.
    if (isMissingReference(error)) throw new HttpError(knowledgeErrors.groupNotFound);
    throw error;
  }
}

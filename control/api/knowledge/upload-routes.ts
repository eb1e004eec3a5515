import type { Readable } from 'node:stream';
import { z } from 'zod';
import { type App, callerOf } from '../../http/app.ts';
import { HttpError } from '../../errors/http-error.ts';
import { errorAnswers, idPath } from '../../http/schemas.ts';
import { BlobTooLargeError, type Blobs } from '../../store/blobs.ts';
import { findGroup } from './group-routes.ts';
import { knowledgeErrors } from './knowledge-errors.ts';
import type { Store } from '../../store/open.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';

/** What these routes take of the service. */
export interface UploadRoutesParts {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly signer: UrlSigner;
}

/** Uploads by signed URL: raw bytes, streamed to disk. They appear whole or not at all. */
export function uploadRoutes(app: App, control: UploadRoutesParts): void {
  app.post(
    '/v1/knowledge/groups/:id/upload-token',
    {
      config: { pathId: { status: 404, missing: knowledgeErrors.groupNotFound } },
      schema: {
        summary: 'Make an upload token for a browser',
        description:
          'The token goes into the header `X-Upload-Token` and lets its holder upload documents to this group, and nothing else, for 15 minutes.',
        params: idPath,
        response: { 200: z.object({ uploadToken: z.string() }), ...errorAnswers(404) },
      },
    },
    async (request) => {
      const group = await findGroup(control, callerOf(request).organizationId, request.params.id);
      return { uploadToken: control.signer.uploadToken(group.organization_id, group.id) };
    },
  );

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    (scope as unknown as App).put(
      '/uploads/:kind/:id',
      {
        config: { access: 'open' },
        schema: {
          hide: true,
          params: z.object({ kind: z.enum(['documents', 'samples']), id: z.guid() }),
          querystring: z.record(z.string(), z.string()),
        },
      },
      async (request) => {
        const { kind, id } = request.params;
        const grant = control.signer.check('PUT', `/uploads/${kind}/${id}`, request.query);
        if (grant === null) throw new HttpError('badSignature');
        const sent = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
        if (grant.contentType !== null && sent !== grant.contentType.split(';')[0]!.trim().toLowerCase()) {
          throw new HttpError('badSignature', {
            message: `This URL was made for the content type ${grant.contentType}.`,
          });
        }
        if (kind === 'documents' && !(await awaitsUpload(control, id)))
          throw new HttpError('badSignature', { message: 'This document was uploaded already, or deleted.' });
        const body = request.body as Readable | undefined | null;
        if (body === undefined || body === null)
          throw new HttpError('invalidBody', { message: 'The request has no body.' });
        try {
          const { bytes } = await control.blobs.write(`${kind}/${id}`, body, grant.limit ?? undefined);
          return { bytes };
        } catch (error) {
          throw error instanceof BlobTooLargeError ? new HttpError('payloadTooLarge') : error;
        }
      },
    );
  });
}

async function awaitsUpload({ store }: Pick<UploadRoutesParts, 'store'>, id: string): Promise<boolean> {
  const row = await store.db.selectFrom('knowledge_documents').select('status').where('id', '=', id).executeTakeFirst();
  return row?.status === 'UPLOADED';
}

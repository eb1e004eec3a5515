import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { App, Control } from '../context.ts';
import { HttpError } from '../errors.ts';
import { BlobTooLargeError } from '../store/blobs.ts';

/** Uploads by signed URL: raw bytes, streamed to disk. They appear whole or not at all. */
export function uploadRoutes(app: App, control: Control): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    (scope as unknown as App).put('/uploads/:kind/:id', {
      config: { access: 'open' },
      schema: { hide: true, params: z.object({ kind: z.enum(['documents', 'samples']), id: z.guid() }), querystring: z.record(z.string(), z.string()) },
    }, async (request) => {
      const { kind, id } = request.params;
      const grant = control.signer.check('PUT', `/uploads/${kind}/${id}`, request.query);
      if (grant === null) throw new HttpError('badSignature');
      const sent = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
      if (grant.contentType !== null && sent !== grant.contentType.split(';')[0]!.trim().toLowerCase()) {
        throw new HttpError('badSignature', { message: `This URL was made for the content type ${grant.contentType}.` });
      }
      if (kind === 'documents' && !(await awaitsUpload(control, id))) throw new HttpError('badSignature', { message: 'This document was uploaded already, or deleted.' });
      const body = request.body as Readable | undefined | null;
      if (body === undefined || body === null) throw new HttpError('invalidBody', { message: 'The request has no body.' });
      try {
        const { bytes } = await control.blobs.write(`${kind}/${id}`, body, grant.limit ?? undefined);
        return { bytes };
      } catch (error) {
        throw error instanceof BlobTooLargeError ? new HttpError('payloadTooLarge') : error;
      }
    });
  });
}

async function awaitsUpload({ store }: Control, id: string): Promise<boolean> {
  const row = await store.db.selectFrom('knowledge_documents').select('status').where('id', '=', id).executeTakeFirst();
  return row?.status === 'UPLOADED';
}

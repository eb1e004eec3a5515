import { basename, dirname } from 'node:path';
import serveStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Grant } from '../access/signed-urls.ts';
import type { App, Control } from '../context.ts';
import { HttpError } from '../errors.ts';
import { mediaType } from '../schemas.ts';

/** Kinds of files that signed URLs hand out. */
const FILE_KINDS = [
  'documents',
  'recordings',
  'videos',
  'avatar-idle',
  'avatar-introduction',
  'voice-samples',
] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/**
 * @param contentType null: the file itself tells it. @returns a URL that lets its holder download the file for an hour.
 */
export function downloadUrl(
  control: Control,
  baseUrl: string,
  kind: FileKind,
  id: string,
  filename: string,
  contentType: string | null,
): string {
  return (
    baseUrl + control.signer.sign({ method: 'GET', path: `/files/${kind}/${id}`, limit: null, contentType, filename })
  );
}

/** Downloads by signed URL: the signature is the credential. Ranges work, so players can seek. */
export function fileRoutes(app: App, control: Control): void {
  void app.register(serveStatic, { root: control.blobs.folder, serve: false });

  app.get(
    '/files/:kind/:id',
    {
      config: { access: 'open' },
      schema: {
        hide: true,
        params: z.object({ kind: z.enum(FILE_KINDS), id: z.guid() }),
        querystring: z.record(z.string(), z.string()),
      },
    },
    async (request, reply) => {
      const { kind, id } = request.params;
      const grant = control.signer.check('GET', `/files/${kind}/${id}`, request.query);
      if (grant === null) throw new HttpError('badSignature');
      const file = await fileOf(control, kind, id);
      if (file === null) throw new HttpError('notFound');
      return sendFile(reply, file.path, { ...grant, contentType: file.contentType ?? grant.contentType });
    },
  );
}

/** @returns `contentType` null: it is the one of the signed URL. */
async function fileOf(
  control: Control,
  kind: FileKind,
  id: string,
): Promise<{ readonly path: string; readonly contentType: string | null } | null> {
  if (kind === 'voice-samples') return control.samples === null ? null : control.samples.fileOf(id);
  const path = await pathOf(control, kind, id);
  return path === null ? null : { path, contentType: null };
}

async function pathOf(
  { store, blobs, previews }: Control,
  kind: Exclude<FileKind, 'voice-samples'>,
  id: string,
): Promise<string | null> {
  if (kind === 'avatar-idle') return previews === null ? null : previews.pathOf('idle', id);
  if (kind === 'avatar-introduction') return previews === null ? null : previews.pathOf('introduction', id);
  if (kind === 'recordings') {
    const row = await store.db.selectFrom('recordings').select('path').where('session_id', '=', id).executeTakeFirst();
    return row?.path ?? null;
  }
  const table = kind === 'documents' ? 'knowledge_documents' : 'avatar_videos';
  const row = await store.db.selectFrom(table).select('blob_key').where('id', '=', id).executeTakeFirst();
  return row === undefined || row.blob_key === null ? null : blobs.pathOf(row.blob_key);
}

function sendFile(
  reply: FastifyReply,
  path: string,
  { filename, contentType }: Pick<Grant, 'filename' | 'contentType'>,
): FastifyReply {
  const inline = contentType !== null && /^(video|audio)\//.test(contentType);
  return (
    reply
      .header(
        'content-disposition',
        `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(filename ?? basename(path))}`,
      )
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, no-store')
      // A type that was stored before types were checked may be invalid in a header.
      .type(mediaType.safeParse(contentType).data ?? 'application/octet-stream')
      .sendFile(basename(path), dirname(path), { cacheControl: false, contentType: false })
  );
}

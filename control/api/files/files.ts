import serveStatic from '@fastify/static';
import { z } from 'zod';
import type { App } from '../../http/app.ts';
import { HttpError } from '../../errors/http-error.ts';
import { FILE_KINDS, type FileKind } from '../../http/file-urls.ts';
import { mediaType } from '../../http/schemas.ts';
import { findRecording } from '../../sessions/records/recording-files.ts';
import { fileAt, type FoundBlob, type Blobs, type DiskBlobs } from '../../store/blobs.ts';
import { sendBlob } from '../../http/send-blob.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Store } from '../../store/open.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';
import type { AvatarPreviews } from '../avatars/avatar-previews.ts';
import type { VoiceSamples } from '../voices/voice-samples.ts';

/** What is taken of the service here. */
interface FilesParts {
  readonly settings: Pick<Settings, 'PARLEY_DATA_DIR'>;
  readonly store: Store;
  readonly blobs: Blobs;
  readonly caches: DiskBlobs;
  readonly signer: UrlSigner;
  readonly previews: AvatarPreviews | null;
  readonly samples: VoiceSamples | null;
}

/** What is made when somebody wants it. */
const MADE_BY_ENGINES: ReadonlySet<string> = new Set(['avatar-idle', 'avatar-introduction', 'voice-samples']);
/** Downloads by signed URL: the signature is the credential. Ranges work, so players can seek. */
export function fileRoutes(app: App, control: FilesParts): void {
  void app.register(serveStatic, { root: control.caches.folder, serve: false });

  app.get(
    '/files/:kind/:id',
    {
      config: {
        access: 'open',
        needsEngine: (request) => MADE_BY_ENGINES.has((request.params as { kind: string }).kind),
      },
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
      const contentType = file.contentType ?? grant.contentType;
      const inline = contentType !== null && /^(video|audio)\//.test(contentType);
      const name = encodeURIComponent(grant.filename ?? id);
      void reply
        .header('content-disposition', `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, no-store')
        // A type that was stored before types were checked may be invalid in a header.
        .type(mediaType.safeParse(contentType).data ?? 'application/octet-stream');
      return sendBlob(request, reply, file.found);
    },
  );
}

/** @returns `contentType` null: it is the one of the signed URL. */
async function fileOf(
  control: Pick<FilesParts, 'settings' | 'store' | 'blobs' | 'previews' | 'samples'>,
  kind: FileKind,
  id: string,
): Promise<{ readonly found: FoundBlob; readonly contentType: string | null } | null> {
  if (kind === 'voice-samples') {
    const sample = control.samples === null ? null : await control.samples.fileOf(id);
    return sample === null ? null : { found: fileAt(sample.path), contentType: sample.contentType };
  }
  const found = await foundBlob(control, kind, id);
  return found === null ? null : { found, contentType: null };
}

async function foundBlob(
  { settings, store, blobs, previews }: Pick<FilesParts, 'settings' | 'store' | 'blobs' | 'previews'>,
  kind: Exclude<FileKind, 'voice-samples'>,
  id: string,
): Promise<FoundBlob | null> {
  if (kind === 'avatar-idle' || kind === 'avatar-introduction')
    return (await previews?.find(kind === 'avatar-idle' ? 'idle' : 'introduction', id)) ?? null;
  if (kind === 'recordings') {
    const row = await store.db.selectFrom('recordings').select('path').where('session_id', '=', id).executeTakeFirst();
    return row === undefined ? null : findRecording({ dataDir: settings.PARLEY_DATA_DIR, blobs }, row.path);
  }
  const table = kind === 'documents' ? 'knowledge_documents' : 'avatar_videos';
  const row = await store.db.selectFrom(table).select('blob_key').where('id', '=', id).executeTakeFirst();
  return row === undefined || row.blob_key === null ? null : blobs.find(row.blob_key);
}

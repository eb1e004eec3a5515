import { z } from 'zod';
import type { App } from '../../http/app.ts';
import { HttpError } from '../../errors/http-error.ts';
import { sendBlob } from '../../http/send-blob.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';

const BLOB_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
};

/**
 * Images of avatars. They are public, because widgets and web pages show them. Their names cannot be guessed unless
 * they are built in.
 */
export function imageRoutes(
  app: App,
  { blobs, catalogue }: { readonly blobs: Blobs; readonly catalogue: Catalogue },
): void {
  app.get(
    '/pictures/stock/:avatar/:shape',
    {
      config: { access: 'open', needsEngine: () => true },
      schema: {
        hide: true,
        params: z.object({ avatar: z.string(), shape: z.enum(['square', 'landscape', 'portrait']) }),
      },
    },
    async (request, reply) => {
      const avatar = catalogue.avatars.find(({ id }) => id === request.params.avatar);
      const image = (await avatar?.image(request.params.shape)) ?? null;
      if (image === null) throw new HttpError('notFound');
      return reply
        .type(image.contentType)
        .header('cache-control', 'public, max-age=3600')
        .send(Buffer.from(image.bytes));
    },
  );

  app.get(
    '/pictures/:name',
    {
      config: { access: 'open' },
      schema: { hide: true, params: z.object({ name: z.string().regex(/^[0-9a-f-]{36}\.(png|jpg|webp|avif)$/) }) },
    },
    async (request, reply) => {
      const { name } = request.params;
      const found = await blobs.find(`pictures/${name}`);
      if (found === null) throw new HttpError('notFound');
      void reply
        .type(BLOB_TYPES[name.split('.').at(-1)!]!)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff');
      return sendBlob(request, reply, found);
    },
  );
}

import type { Image } from '../../catalogue/catalogue.ts';
import { detail, HttpError, invalid } from '../../errors/http-error.ts';
import { imageType, wrongImage } from './image-type.ts';
import { MAX_IMAGE_SIZE } from './avatar-schema.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Logger } from '../../../runtime/log.ts';

/** How long an image may take to arrive. */
const FETCH_TIMEOUT_MS = 15_000;

/** Downloads an image from a public address. @throws HttpError 400 naming `imageUrl`. */
export async function fetchImage(
  { ports, log }: { readonly ports: Pick<ControlPorts, 'publicUrls'>; readonly log: Logger },
  url: string,
): Promise<Image> {
  const problem = await ports.publicUrls.problemWith(url);
  if (problem !== null) throw invalid([detail('imageUrl', problem)]);
  try {
    const image = await ports.publicUrls.download(url, { maxBytes: MAX_IMAGE_SIZE, timeoutMs: FETCH_TIMEOUT_MS });
    if (imageType(image.bytes) !== null) return image;
    throw invalid([detail('imageUrl', wrongImage(image.bytes))]);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    log.info({ err: error }, 'the image of an avatar could not be fetched');
    throw invalid([
      detail(
        'imageUrl',
        `The image could not be fetched: ${error instanceof Error ? error.message : 'unknown reason'}`,
      ),
    ]);
  }
}

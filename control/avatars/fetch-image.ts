import type { Picture } from '../catalogue.ts';
import type { Control } from '../context.ts';
import { detail, invalid } from '../errors.ts';
import { LARGEST_IMAGE } from './avatar-schema.ts';

/** How long a picture may take to arrive. */
const FETCH_TIMEOUT_MS = 15_000;

/** Downloads a picture from a public address. @throws HttpError 400 naming `imageUrl`. */
export async function fetchImage({ ports }: Pick<Control, 'ports'>, url: string): Promise<Picture> {
  const problem = await ports.publicUrls.problemWith(url);
  if (problem !== null) throw invalid([detail('imageUrl', problem)]);
  try {
    const response = await ports.publicUrls.fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`the address answered with status ${response.status}`);
    return { bytes: await limitedBytes(response), contentType: response.headers.get('content-type') ?? '' };
  } catch (error) {
    throw invalid([detail('imageUrl', `The picture could not be fetched: ${reasonOf(error)}`)]);
  }
}

async function limitedBytes(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > LARGEST_IMAGE) throw new Error(`it is larger than ${LARGEST_IMAGE} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  return error.cause instanceof Error ? error.cause.message : error.message;
}

import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { fetch, type Response } from 'undici';
import { outgoingAgent } from '../../../engine/index.ts';
import type { BlobPart } from '../blobs.ts';
import type { BucketAddress } from '../../settings/bucket-address.ts';

/** Objects of one bucket, by the keys of their blobs. Everything throws `BucketError` when it fails. */
export interface Bucket {
  /** Stores the file under the key. It appears whole or not at all. */
  put(key: string, path: string): Promise<void>;
  /** @returns bytes; null when there is no such object. */
  size(key: string): Promise<number | null>;
  /** @param range as HTTP has it, or null: everything. @returns null when there is no such object. */
  read(key: string, range: string | null): Promise<BlobPart | null>;
  /** Does nothing when there is no such object. */
  remove(key: string): Promise<void>;
  /** Objects of one kind. */
  list(kind: string): Promise<readonly { readonly key: string; readonly modifiedAt: number }[]>;
  close(): Promise<void>;
}

export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** What the service answered, or that it did not. `message` is for operators. */
export class BucketError extends Error {
  override readonly name = 'BucketError';
  /** Null: no answer. */
  readonly status: number | null;
  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

/** ms. A service that is well connects within milliseconds. */
const CONNECT_TIMEOUT_MS = 3_000;
/** ms without any progress: while it answers, and after everything was sent. */
const IDLE_TIMEOUT_MS = 30_000;
/** Of a list, in one answer. */
const PAGE = 1_000;
/** How long an address of an object works, s: it is used at once. */
const ADDRESS_SECONDS = 60;

/**
 * Opens the bucket; nothing is sent yet. The client is loaded here and nowhere else, so that a service without a bucket
 * does not load it.
 */
export async function openBucket({ url, prefix }: BucketAddress, credentials: BucketCredentials): Promise<Bucket> {
  const { S3mini } = await import('s3mini');
  const dispatcher = outgoingAgent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
  });
  const send: typeof fetch = (input, init) => fetch(input, { ...init, dispatcher });
  const client = new S3mini({ ...credentials, endpoint: url, fetch: send as unknown as typeof globalThis.fetch });
  const nameOf = (key: string): string => prefix + key;
  return {
    put: (key, path) =>
      explained(async () => {
        await client.putObject(nameOf(key), await openAsBlob(path));
      }),
    size: (key) => absentAsNull(() => client.getContentLength(nameOf(key))),
    read: (key, range) =>
      explained(async () => {
        const address = await client.getPresignedUrl('GET', nameOf(key), ADDRESS_SECONDS);
        const answer = await send(address, range === null ? {} : { headers: { range } });
        if (answer.status === 404) {
          await answer.body?.cancel();
          return null;
        }
        return partOf(answer);
      }),
    remove: (key) =>
      explained(async () => {
        await client.deleteObject(nameOf(key));
      }),
    list: (kind) =>
      explained(async () => {
        const found: { key: string; modifiedAt: number }[] = [];
        let token: string | undefined;
        do {
          const page = await client.listObjectsPaged('/', nameOf(`${kind}/`), PAGE, token);
          if (page === null || page === undefined) throw new BucketError('The bucket does not exist', 404);
          for (const { Key, LastModified } of page.objects ?? [])
            found.push({ key: Key.slice(prefix.length), modifiedAt: new Date(LastModified).getTime() });
          token = page.nextContinuationToken;
        } while (token !== undefined);
        return found;
      }),
    close: () => dispatcher.close(),
  };
}

/** @throws BucketError unless it is the object, a part of it, or the refusal of a part that it does not have. */
async function partOf(answer: Response): Promise<BlobPart> {
  const { status, headers, body } = answer;
  if ((status !== 200 && status !== 206 && status !== 416) || body === null) {
    await body?.cancel();
    throw new BucketError(`The bucket answered ${status} to a request for a file`, status);
  }
  if (status === 416) await body.cancel();
  return {
    status,
    bytes: Number(headers.get('content-length')),
    range: headers.get('content-range'),
    body: status === 416 ? Readable.from([]) : Readable.fromWeb(body as ReadableStream),
  };
}

async function absentAsNull<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await explained(request);
  } catch (error) {
    if (error instanceof BucketError && error.status === 404) return null;
    throw error;
  }
}

/** Errors of client and network as those of this file. */
async function explained<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof BucketError) throw error;
    const { status, serviceCode } = refusalIn(error);
    if (status === null) throw new BucketError(`The bucket does not answer (${deepestMessage(error)})`, null, error);
    throw new BucketError(`The bucket refuses: ${status} ${serviceCode ?? ''}`.trim(), status, error);
  }
}

/** The client wraps some answers of the service in errors of its own. */
function refusalIn(error: unknown): { readonly status: number | null; readonly serviceCode?: string } {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('status' in one && typeof one.status === 'number') return one as Error & { status: number };
  return { status: null };
}

function deepestMessage(error: unknown): string {
  let one = error;
  while (one instanceof Error && one.cause instanceof Error) one = one.cause;
  return one instanceof Error ? one.message : String(one);
}

import { AnswerLimitError } from '../../models/http/answer-limits.ts';
import { connectionFailure } from '../../models/http/connection-failure.ts';
import { limitFetch } from '../../models/http/limit-fetch.ts';
import type { Fetch } from './guarded-fetch.ts';

/** `message` goes on from a subject, "The frame could not be fetched: …", and names no host and no address. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

export interface DownloadedFile {
  readonly bytes: Uint8Array;
  /** As the server names it, maybe empty. */
  readonly contentType: string;
}

/** Reads a whole file from an address that a user named. @throws DownloadError */
export async function download(
  fetch: Fetch,
  url: string,
  limits: { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<DownloadedFile> {
  try {
    const limited = limitFetch(fetch, { bodyBytes: limits.maxBytes, unit: null, wholeMs: limits.timeoutMs });
    const response = await limited(url);
    if (!response.ok) {
      await response.body?.cancel();
      throw new DownloadError(`its server answered with status ${response.status}`);
    }
    return { bytes: await response.bytes(), contentType: response.headers.get('content-type') ?? '' };
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    const exceeded = AnswerLimitError.in(error);
    throw new DownloadError(exceeded === null ? connectionFailure(error) : `its server ${exceeded.message}`, {
      cause: error,
    });
  }
}

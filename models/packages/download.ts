import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, fetch, type Response } from 'undici';
import { sha256Of, sizeOf } from './installed.ts';

export interface Download {
  readonly url: string;
  /** Final path. It appears only when the file is whole and its checksum is right. */
  readonly target: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Exact size. */
  readonly bytes: number;
  /** Sent as the header of this name. */
  readonly authorization?: string;
}

export interface DownloadOptions {
  /** @param received bytes so far. */
  readonly onProgress?: (received: number, total: number) => void;
  /** Between two tries. @defaultValue 1000 ms */
  readonly pauseMs?: number;
}

/**
 * `offline`: the server cannot be reached. `interrupted`: it broke off, more than once. `refused`: it answered with an
 * error. `checksum`: these are not the right bytes.
 */
export type DownloadProblem = 'offline' | 'interrupted' | 'refused' | 'checksum';

export class DownloadError extends Error {
  readonly problem: DownloadProblem;
  constructor(problem: DownloadProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DownloadError';
    this.problem = problem;
  }
}

/** A connection that says nothing for this long is taken for dead. */
const SILENCE_MS = 30_000;
/** Each try goes on where the last one broke off. */
const TRIES = 3;

/** Honors HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
function proxyAgent(): EnvHttpProxyAgent {
  return new EnvHttpProxyAgent({
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    connect: { timeout: SILENCE_MS },
  });
}

/**
 * Fetches a file unless it is there already. What an interrupted download left (`<target>.part`) is continued.
 * @returns `present` when nothing had to be fetched. @throws DownloadError
 */
export async function download(file: Download, options: DownloadOptions = {}): Promise<'present' | 'fetched'> {
  if (await isPresent(file)) return 'present';
  await mkdir(dirname(file.target), { recursive: true });
  const part = `${file.target}.part`;
  const agent = proxyAgent();
  try {
    for (let tries = 1; ; tries++) {
      try {
        await receive(file, part, agent, options);
        break;
      } catch (error) {
        const again = error instanceof DownloadError && error.problem === 'interrupted' && tries < TRIES;
        if (!again) throw error;
        await new Promise((resolve) => setTimeout(resolve, options.pauseMs ?? 1000));
      }
    }
  } finally {
    await agent.close();
  }
  await check(file, part);
  await flush(part);
  await rename(part, file.target);
  return 'fetched';
}

/** A file with other bytes, because it was damaged or is an older version, is fetched again. */
async function isPresent({ target, sha256 }: Download): Promise<boolean> {
  if ((await sizeOf(target)) === null) return false;
  return (await sha256Of(target)) === sha256;
}

async function receive(
  file: Download,
  part: string,
  agent: EnvHttpProxyAgent,
  { onProgress }: DownloadOptions,
): Promise<void> {
  const have = (await sizeOf(part)) ?? 0;
  if (have === file.bytes) return;
  const response = await request(file, have, agent);
  if (response.status === 416) {
    await response.body?.cancel();
    await rm(part, { force: true });
    throw new DownloadError('interrupted', 'The server cannot continue this download.');
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new DownloadError('refused', `The server answered ${response.status} ${response.statusText} to ${file.url}`);
  }
  // A server may ignore the wish to continue and send everything.
  const continues =
    response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${have}-`) === true;
  const from = continues ? have : 0;
  let received = from;
  async function* counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      received += chunk.length;
      if (received > file.bytes)
        throw new DownloadError(
          'checksum',
          `The server sends more than the ${file.bytes} bytes of ${basename(file.target)}.`,
        );
      onProgress?.(received, file.bytes);
      yield chunk;
    }
  }
  try {
    await pipeline(
      Readable.fromWeb(response.body as never),
      counted,
      createWriteStream(part, { flags: continues ? 'a' : 'w' }),
    );
  } catch (error) {
    if (error instanceof DownloadError) {
      await rm(part, { force: true });
      throw error;
    }
    if (isFileError(error)) throw error;
    throw new DownloadError('interrupted', `The connection broke off after ${received} bytes.`, { cause: error });
  }
  if (received < file.bytes)
    throw new DownloadError('interrupted', `The server stopped after ${received} of ${file.bytes} bytes.`);
}

async function request({ url, authorization }: Download, from: number, agent: EnvHttpProxyAgent): Promise<Response> {
  try {
    return await fetch(url, {
      dispatcher: agent,
      headers: {
        'accept-encoding': 'identity',
        ...(from > 0 && { range: `bytes=${from}-` }),
        ...(authorization !== undefined && { authorization }),
      },
    });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason =
      cause instanceof Error
        ? 'code' in cause && typeof cause.code === 'string'
          ? cause.code
          : cause.message
        : String(cause);
    throw new DownloadError('offline', `${new URL(url).host} cannot be reached (${reason}).`, { cause: error });
  }
}

async function check({ target, sha256 }: Download, part: string): Promise<void> {
  const found = await sha256Of(part);
  if (found === sha256) return;
  await rm(part, { force: true });
  throw new DownloadError('checksum', `${basename(target)} has the checksum ${found}, not ${sha256}. It was not kept.`);
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** A full disk or a folder that may not be written to: trying again does not help. */
function isFileError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT', 'EIO', 'EPERM'].includes(String(error.code))
  );
}

import { EnvHttpProxyAgent, fetch } from 'undici';
import { z } from 'zod';
import { download, DownloadError } from '../download.ts';
import type { RegistryArchive } from '../package-source.ts';
import type { FetchOptions } from './fetch-options.ts';

/** Where Python packages are when nothing else is set. */
const PYPI = 'https://pypi.org/simple';
/** An index has thousands of lines at most. */
const MAX_BYTES = 16e6;
const SILENCE_MS = 30_000;

const page = z.object({
  files: z.array(z.object({ filename: z.string(), url: z.string(), hashes: z.record(z.string(), z.string()) })),
});

/**
 * Fetches a wheel from the index of Python packages without pip, for machines that lack it: from `PIP_INDEX_URL`, with
 * the name and password that stand in it, through the proxy that is set. A broken-off download goes on.
 * @param target where it is put. @throws DownloadError
 */
export async function downloadFromIndex(
  archive: RegistryArchive,
  target: string,
  { onProgress }: Pick<FetchOptions, 'onProgress'>,
): Promise<void> {
  const { url, authorization } = await findWheel(archive);
  const { sha256, bytes } = archive;
  await download(
    { url, sha256, bytes, target, ...(authorization !== null && { authorization }) },
    { ...(onProgress !== undefined && { onProgress: (received) => onProgress(received) }) },
  );
}

export async function indexKnows(archive: RegistryArchive): Promise<boolean> {
  return findWheel(archive).then(
    () => true,
    () => false,
  );
}

interface Found {
  readonly url: string;
  /** For the same host only. */
  readonly authorization: string | null;
}

async function findWheel({ name, version, sha256 }: RegistryArchive): Promise<Found> {
  const index = new URL(`${(process.env['PIP_INDEX_URL'] || PYPI).replace(/\/+$/, '')}/`);
  const authorization =
    index.username === ''
      ? null
      : `Basic ${Buffer.from(`${decodeURIComponent(index.username)}:${decodeURIComponent(index.password)}`).toString('base64')}`;
  index.username = '';
  index.password = '';
  // Names are compared without regard to case, and "-", "_" and "." are the same.
  const address = new URL(`${name.toLowerCase().replaceAll(/[-_.]+/g, '-')}/`, index);
  const { body, type, from } = await readPage(address, authorization);
  const files = type.includes('json') ? jsonFiles(body) : htmlFiles(body);
  const found =
    files.find((each) => each.sha256 === sha256) ??
    files.find(({ filename }) => filename.endsWith('.whl') && filename.split('-')[1] === version);
  if (found === undefined)
    throw new DownloadError('refused', `The index of Python packages at ${index.host} has no ${name} ${version}.`);
  const url = new URL(found.url, from);
  url.hash = '';
  return { url: url.href, authorization: url.host === index.host ? authorization : null };
}

async function readPage(
  address: URL,
  authorization: string | null,
): Promise<{ readonly body: string; readonly type: string; readonly from: string }> {
  const agent = new EnvHttpProxyAgent({ headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS });
  try {
    const response = await fetch(address, {
      dispatcher: agent,
      headers: {
        accept: 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1',
        ...(authorization !== null && { authorization }),
      },
    });
    if (!response.ok)
      throw new DownloadError(
        'refused',
        `The index of Python packages at ${address.host} answered ${response.status} to ${address.pathname}`,
      );
    let body = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      body += decoder.decode(chunk as Uint8Array, { stream: true });
      if (body.length > MAX_BYTES) throw new DownloadError('refused', `The index at ${address.host} has no end.`);
    }
    return { body, type: response.headers.get('content-type') ?? '', from: response.url };
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    throw new DownloadError('offline', `The index of Python packages at ${address.host} cannot be reached.`, {
      cause: error,
    });
  } finally {
    await agent.close();
  }
}

interface IndexFile {
  readonly filename: string;
  readonly url: string;
  readonly sha256: string | undefined;
}

function jsonFiles(body: string): IndexFile[] {
  try {
    return page
      .parse(JSON.parse(body))
      .files.map(({ filename, url, hashes }) => ({ filename, url, sha256: hashes['sha256'] }));
  } catch (error) {
    throw new DownloadError('refused', 'The index of Python packages cannot be read.', { cause: error });
  }
}

/** The older form: a link for each file, with its checksum behind a "#". */
function htmlFiles(body: string): IndexFile[] {
  return [...body.matchAll(/<a\s[^>]{0,2000}?href="([^"]{1,2000})"[^>]{0,2000}>([^<]{1,300})<\/a>/gi)].map(
    ([, href = '', text = '']) => {
      const url = href.replaceAll('&amp;', '&');
      return { filename: text.trim(), url, sha256: /#sha256=([0-9a-f]{64})$/.exec(url)?.[1] };
    },
  );
}

import { CommandError } from '../api.ts';
import { type HostedDocument, type HostedGroup, listAll } from './hosted.ts';
import type { Ids, Importing } from './importing.ts';

/** Largest document, bytes: what both services take. */
const MAX_DOCUMENT_SIZE = 50 * 1024 * 1024;
const DOWNLOAD_MS = 120_000;

/** Groups by their names, with the documents that are not there yet. */
export async function importKnowledge(work: Importing): Promise<Ids> {
  const { from, to, tell } = work;
  const own = await listAll<HostedGroup>(to, '/v1/knowledge/groups');
  const ids = new Map<string, string>();
  for (const group of await listAll<HostedGroup>(from, '/v1/knowledge/groups')) {
    const known = own.find(({ name }) => name === group.name);
    const { name, description } = group;
    const { id } =
      known ??
      (await to.send<HostedGroup>('POST', '/v1/knowledge/groups', { name, ...(description && { description }) }));
    tell(known === undefined ? 'taken' : 'there', `knowledge group ${name}`);
    ids.set(group.id, id);
    await importDocuments(work, group, id);
  }
  return ids;
}

async function importDocuments({ from, to, tell }: Importing, group: HostedGroup, id: string): Promise<void> {
  const list = (api: Importing['from'], groupId: string) =>
    listAll<HostedDocument>(api, `/v1/knowledge/groups/${groupId}/documents`);
  const [there, own] = await Promise.all([list(from, group.id), list(to, id)]);
  for (const { id: documentId, filename } of there) {
    const what = `document ${group.name}/${filename}`;
    if (own.some((one) => one.filename === filename)) {
      tell('there', what);
      continue;
    }
    try {
      const { downloadUrl } = await from.send<{ downloadUrl: string }>(
        'GET',
        `/v1/knowledge/documents/${documentId}/download`,
      );
      const form = new FormData();
      form.set('file', await fileAt(downloadUrl), filename);
      await to.send('POST', `/v1/knowledge/groups/${id}/documents`, form);
      tell('taken', what);
    } catch (error) {
      tell('left', what, sentenceOf(error));
    }
  }
}

/** @throws CommandError when it is not to be had, or too large. */
export async function fileAt(url: string): Promise<Blob> {
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) }).catch(() => null);
  if (response === null || !response.ok || response.body === null)
    throw new CommandError(`its file cannot be fetched${response === null ? '' : ` (status ${response.status})`}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    for await (const part of response.body) {
      bytes += part.byteLength;
      if (bytes > MAX_DOCUMENT_SIZE) break;
      parts.push(part as Uint8Array<ArrayBuffer>);
    }
  } catch {
    // It is left out, and the next one is fetched.
    throw new CommandError('its file did not come to its end');
  }
  if (bytes > MAX_DOCUMENT_SIZE) throw new CommandError('its file is larger than 50 MB');
  return new Blob(parts, { type: response.headers.get('content-type') ?? 'application/octet-stream' });
}

export function sentenceOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  throw error;
}

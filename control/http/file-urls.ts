import type { UrlSigner } from '../access/signed-urls.ts';

/** Kinds of files that signed URLs hand out. */
export const FILE_KINDS = [
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
  signer: UrlSigner,
  baseUrl: string,
  kind: FileKind,
  id: string,
  filename: string,
  contentType: string | null,
): string {
  return baseUrl + signer.sign({ method: 'GET', path: `/files/${kind}/${id}`, limit: null, contentType, filename });
}

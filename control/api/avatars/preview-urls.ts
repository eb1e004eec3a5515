import { downloadUrl } from '../../http/file-urls.ts';
import type { PreviewKind } from '../../ports.ts';
import { genderOf, type AvatarPreviews } from './avatar-previews.ts';
import type { UrlSigner } from '../../access/signed-urls.ts';

/** @returns addresses that work for an hour; null if there is no video. */
export function previewUrls(
  control: { readonly signer: UrlSigner; readonly previews: AvatarPreviews | null },
  baseUrl: string,
  avatar: { id: string; displayName: string; tags: readonly string[] },
): { videoUrl: string | null; idleVideoUrl: string | null } {
  if (control.previews === null) return { videoUrl: null, idleVideoUrl: null };
  const urlOf = (kind: PreviewKind): string =>
    downloadUrl(control.signer, baseUrl, `avatar-${kind}`, avatar.id, `${avatar.displayName}.mp4`, 'video/mp4');
  return { videoUrl: genderOf(avatar.tags) === null ? null : urlOf('introduction'), idleVideoUrl: urlOf('idle') };
}

import type { Control } from '../context.ts';
import { downloadUrl } from '../http/files.ts';
import type { FilmKind } from '../ports.ts';
import { genderOf } from './avatar-films.ts';

/** @returns addresses that work for an hour; null if there is no video. */
export function filmUrls(
  control: Control,
  baseUrl: string,
  avatar: { id: string; displayName: string; tags: readonly string[] },
): { videoUrl: string | null; idleVideoUrl: string | null } {
  if (control.films === null) return { videoUrl: null, idleVideoUrl: null };
  const urlOf = (kind: FilmKind): string =>
    downloadUrl(control, baseUrl, `avatar-${kind}`, avatar.id, `${avatar.displayName}.mp4`, 'video/mp4');
  return { videoUrl: genderOf(avatar.tags) === null ? null : urlOf('introduction'), idleVideoUrl: urlOf('idle') };
}

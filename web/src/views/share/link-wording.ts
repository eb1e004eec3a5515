import type { ShareLink } from './share-api.ts';

export function linkAddress(link: Pick<ShareLink, 'token'>, service: string): string {
  return `${service}/s/${link.token}`;
}

/** @param now ms since the epoch. */
export function linkState(
  { enabled, expiresAt, usageLimit, usageCount }: ShareLink,
  now: number,
): { readonly text: string; readonly tone: 'good' | 'bad' | '' } {
  if (!enabled) return { text: 'Withdrawn', tone: 'bad' };
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return { text: 'Expired', tone: '' };
  if (usageLimit !== null && usageCount >= usageLimit) return { text: 'Used up', tone: '' };
  return { text: 'Works', tone: 'good' };
}

export function usesText({ usageLimit, usageCount }: Pick<ShareLink, 'usageLimit' | 'usageCount'>): string {
  const plural = (count: number): string => `${count} conversation${count === 1 ? '' : 's'}`;
  return usageLimit === null ? `${plural(usageCount)}, no limit` : `${usageCount} of ${plural(usageLimit)}`;
}

export function expiryText(expiresAt: string | null): string {
  if (expiresAt === null) return 'never expires';
  return `until ${new Date(expiresAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}`;
}

/** One web site a line; empty lines do not count. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

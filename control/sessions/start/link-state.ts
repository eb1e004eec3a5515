import { HttpError } from '../../errors/http-error.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import type { ShareLinkRow } from '../../store/tables.ts';
import { shareLinkErrors } from '../../errors/share-link-errors.ts';

export type LinkState = 'usable' | 'withdrawn' | 'expired' | 'used up';

type LinkLimits = Pick<ShareLinkRow, 'enabled' | 'expires_at' | 'usage_limit' | 'usage_count'>;

/** @param now ISO 8601. */
export function linkStateOf(link: LinkLimits | undefined, now: string): LinkState {
  if (link === undefined || link.enabled !== 1) return 'withdrawn';
  if (link.expires_at !== null && link.expires_at <= now) return 'expired';
  return link.usage_limit !== null && link.usage_count >= link.usage_limit ? 'used up' : 'usable';
}

/** @throws HttpError 404, 410 or 429 with a sentence for the visitor, unless the link can be used. */
export function requireUsable(state: LinkState): void {
  switch (state) {
    case 'usable':
      return;
    case 'withdrawn':
      throw new HttpError(shareLinkErrors.shareLinkNotFound, {
        message: 'This link does not exist, or it was withdrawn.',
      });
    case 'expired':
      throw new HttpError(shareLinkErrors.shareLinkExpired);
    case 'used up':
      throw new HttpError(sessionErrors.usageLimit, {
        message: 'As many conversations were held with this link as it allows.',
      });
  }
}

import type { Look } from './bootstrap.ts';
import type { Source } from './options.ts';

/** What the page needs to continue a conversation after a reload, besides the session, which the client keeps. */
export interface SavedConversation {
  readonly look: Look;
  readonly byVoice: boolean;
}

/** The client's option `resume`: each persona or link of a page has a conversation of its own. */
export function resumeName(source: Source): string {
  return source.kind === 'share' ? `share:${source.token}` : `persona:${source.personaId}`;
}

const keyOf = (source: Source): string => `parley-widget:${resumeName(source)}`;

/** Called when the page goes. */
export function saveConversation(source: Source, left: SavedConversation): void {
  try {
    sessionStorage.setItem(keyOf(source), JSON.stringify(left));
  } catch {
    // The storage is full, or the visitor does not allow it: the conversation ends with its page.
  }
}

/** @returns null when none was left. It is given out once. */
export function takeSavedConversation(source: Source): SavedConversation | null {
  try {
    const text = sessionStorage.getItem(keyOf(source));
    sessionStorage.removeItem(keyOf(source));
    return text === null ? null : (JSON.parse(text) as SavedConversation);
  } catch {
    return null;
  }
}

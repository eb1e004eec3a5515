import { signal } from '@preact/signals';

/** `#/personas/new/voice` is the part `voice` of the view `personas` with the id `new`. The talk view is empty. */
export interface Route {
  readonly view: string;
  readonly id: string | null;
  readonly part: string | null;
}

export const TALK = 'talk';
/** Where somebody chooses a password; its id is what the link of the invitation brings. */
export const INVITATION = 'invitation';
/** The id of something that does not exist yet. */
export const NEW = 'new';

/** Views are addresses, so that reload, back and bookmarks work. */
export function routeOf(fragment: string): Route {
  // The start script's address has the key in its fragment.
  if (!fragment.startsWith('#/')) return { view: TALK, id: null, part: null };
  const [view = '', id = '', part = ''] = fragment
    .slice(2)
    .split('/')
    .map((part) => decoded(part));
  return { view: view === '' ? TALK : view, id: id === '' ? null : id, part: part === '' ? null : part };
}

export const route = signal<Route>(routeOf(location.hash));

window.addEventListener('hashchange', () => {
  route.value = routeOf(location.hash);
  window.scrollTo(0, 0);
});

export function go(fragment: string): void {
  location.hash = fragment;
}

/** An address that somebody has typed may be malformed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

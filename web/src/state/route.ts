import { signal } from '@preact/signals';

/** `#/tools/new` is the view `tools` with the id `new`. The talk view has the empty address. */
export interface Route {
  readonly view: string;
  readonly id: string | null;
}

export const TALK = 'talk';
/** The id of something that does not exist yet. */
export const NEW = 'new';

/** Views are addresses, so that reload, back and bookmarks work. */
export function routeOf(fragment: string): Route {
  // The start script's address has the key in its fragment.
  if (!fragment.startsWith('#/')) return { view: TALK, id: null };
  const [view = '', id = ''] = fragment
    .slice(2)
    .split('/')
    .map((part) => decoded(part));
  return { view: view === '' ? TALK : view, id: id === '' ? null : id };
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

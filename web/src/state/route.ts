import { signal } from '@preact/signals';

export type Route =
  | { readonly view: 'talk' }
  | { readonly view: 'persona'; readonly id: string | null }
  | { readonly view: 'sessions' }
  | { readonly view: 'session'; readonly id: string }
  | { readonly view: 'videos' }
  | { readonly view: 'share'; readonly id: string | null }
  | { readonly view: 'settings' };

/** Views are addresses, so that reload, back and bookmarks work. */
export function routeOf(fragment: string): Route {
  const [view, id] = fragment.replace(/^#\/?/, '').split('/');
  if (view === 'sessions')
    return id === undefined || id === '' ? { view: 'sessions' } : { view: 'session', id: decodeURIComponent(id) };
  if (view === 'personas' && id !== undefined && id !== '')
    return { view: 'persona', id: id === 'new' ? null : decodeURIComponent(id) };
  if (view === 'share') return { view, id: id === undefined || id === '' ? null : decodeURIComponent(id) };
  if (view === 'videos') return { view: 'videos' };
  if (view === 'settings') return { view: 'settings' };
  return { view: 'talk' };
}

export const route = signal<Route>(routeOf(location.hash));

window.addEventListener('hashchange', () => {
  route.value = routeOf(location.hash);
  window.scrollTo(0, 0);
});

export function go(fragment: string): void {
  location.hash = fragment;
}

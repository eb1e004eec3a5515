/** What goes into each document of a meeting. `vite build meetings/page` makes it. */
export const PAGE_SCRIPT = new URL('../page/dist/page.js', import.meta.url);

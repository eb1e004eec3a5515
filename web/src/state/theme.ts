import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const STORED_AS = 'parley.theme';
const stored = localStorage.getItem(STORED_AS);

export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system');

/** Keeps the page and this browser's memory in step with the choice. */
export function followTheme(): void {
  effect(() => {
    if (theme.value === 'system') {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem(STORED_AS);
    } else {
      document.documentElement.dataset.theme = theme.value;
      localStorage.setItem(STORED_AS, theme.value);
    }
  });
}

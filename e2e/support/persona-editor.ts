import type { Locator, Page } from 'playwright-core';

/** What tests do in the persona editor of the console. @param page the one that is open now. */
export function personaEditor(page: () => Page) {
  return {
    /** Opens a part of the persona by its name. */
    async part(name: string): Promise<void> {
      await page().getByRole('navigation', { name: 'Parts of the persona' }).getByRole('link', { name }).click();
      await page().getByRole('heading', { level: 2, name, exact: true }).waitFor();
    },
    field: (label: string): Locator => page().getByLabel(label, { exact: true }),
    button: (name: string): Locator => page().getByRole('button', { name, exact: true }),
  };
}

import type { Locator } from 'playwright-core';

/** @returns what is said to be wrong with a field of the console, to eyes and to a screen reader; null: nothing. */
export function fieldProblem(control: Locator): Promise<string | null> {
  return control.evaluate((element) => {
    const { root, field } = {
      root: element.getRootNode() as unknown as { getElementById(id: string): { textContent: string } | null },
      field: element as unknown as { getAttribute(name: string): string | null },
    };
    if (field.getAttribute('aria-invalid') !== 'true') return null;
    const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
    return root.getElementById(ids.at(-1) ?? '')?.textContent ?? null;
  });
}

export const hasFocus = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => (element as unknown as { matches(of: string): boolean }).matches(':focus'));

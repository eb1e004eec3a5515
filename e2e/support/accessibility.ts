import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** WCAG 2.2 AA, and axe's own advice on good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Colors that still change have no contrast of their own. What inherits one begins to change when that one changes. */
const TRANSITIONS_OVER = `(async () => {
  for (;;) {
    const running = document.getAnimations().filter((each) => each instanceof CSSTransition);
    if (running.length === 0) return;
    await Promise.all(running.map((each) => each.finished.catch(() => {})));
  }
})()`;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * What axe finds wrong with the page as it is shown now, shadow roots included: one line for each rule that is broken.
 * @param context the part to check. @defaultValue the whole page
 */
export async function accessibilityProblems(page: Page, context = 'document'): Promise<readonly string[]> {
  // A page's content policy does not apply to what a test evaluates. A page that was not loaded anew has it already.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(await readFile(AXE, 'utf8'));
  await page.evaluate(TRANSITIONS_OVER);
  const { violations } = (await page.evaluate(
    `axe.run(${context}, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] })`,
  )) as { violations: readonly Violation[] };
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html.slice(0, 300)}\n  ${failureSummary ?? ''}`).join('\n')}`,
  );
}

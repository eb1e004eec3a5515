import { afterEach } from 'vitest';
import { openBrowsers } from '../../engine/testing/browser.ts';
import { runningServices } from './service.ts';
import { sharedOutput } from './shared-service.ts';

/** Enough lines to see what happened, few enough to find it. */
const SERVICE_LINES = 60;
const BROWSER_LINES = 10;
const PAGE_CHARACTERS = 600;

/**
 * Prints at once what failed, and the output of the services and the pages. If the next attempt succeeds, vitest says
 * nothing of this one.
 */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: ${task.result.errors?.at(-1)?.message}`);
  for (const output of [...[...runningServices].map((service) => service.output()), ...(await sharedOutput())])
    console.log(`${task.name}: the service wrote\n${output.trimEnd().split('\n').slice(-SERVICE_LINES).join('\n')}`);
  for (const { page, lines } of openBrowsers) {
    const text = await page
      .locator('body')
      .innerText({ timeout: 2_000 })
      .catch((error: unknown) => String(error));
    console.log(
      `${task.name}: the browser shows ${page.url()}\n${text.slice(0, PAGE_CHARACTERS)}\n${lines.slice(-BROWSER_LINES).join('\n')}`,
    );
  }
});

import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { CONSOLE_KEY, startConsoleService } from './support/console-service.ts';

const CONSOLE = fileURLToPath(new URL('../web/dist/', import.meta.url));

/** It asked by the clock, and dropped each answer that came after the next question: nothing was ever shown. */
it('the console waits for the answer of a slow service before it asks again how far a video is', async () => {
  const service = await startConsoleService(CONSOLE);
  const { page, close } = await launchBrowser();
  try {
    await page.clock.install();
    await page.goto(`${service.url}/#key=${CONSOLE_KEY}`);
    await page.getByRole('link', { name: 'Videos' }).click();
    await page.getByLabel('Script').fill('Welcome.');
    await page.getByRole('button', { name: 'Make the video' }).click();
    await page.getByText('Being made').waitFor();
    let asked = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/v1/avatar-videos?*', async (route) => {
      asked += 1;
      await promise;
      await route.continue();
    });
    await page.clock.runFor('10:00');
    await expect.poll(() => asked).toBe(1);
    await page.clock.runFor('10:00');
    // Whatever was asked before this has come here.
    await page.evaluate('fetch("readyz").then(() => null)');
    expect(asked).toBe(1);
    resolve();
    await expect.poll(() => asked).toBeGreaterThan(1);
  } finally {
    await close();
    await service.close();
  }
});

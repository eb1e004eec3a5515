import { afterAll, beforeEach } from 'vitest';
import type { TestBrowser } from './browser.ts';

/**
 * One browser for the tests of a suite, launched before the first of them. Chromium dies once in some thousand launches:
 * the test that finds it dead gets another one, where otherwise its retries and all tests after it failed.
 *
 * @param launch opens the browser and brings it to where each test begins. Called again when the browser has died.
 * @returns the browser of the running test: not to be kept from one test to the next.
 */
export function sharedBrowser(launch: () => Promise<TestBrowser>): Omit<TestBrowser, 'close' | 'isAlive'> {
  let launched: Promise<TestBrowser> | null = null;
  let current: TestBrowser | null = null;
  const browser = (): TestBrowser => {
    if (!current) throw new Error('A shared browser is launched before each test.');
    return current;
  };
  beforeEach(async () => {
    if (current?.isAlive() === false) {
      launched = null;
      await current.close();
    }
    // Concurrent tests wait for the same one.
    launched ??= launch();
    current = await launched;
  });
  afterAll(() => current?.close());
  return {
    get context() {
      return browser().context;
    },
    get page() {
      return browser().page;
    },
    get lines() {
      return browser().lines;
    },
  };
}

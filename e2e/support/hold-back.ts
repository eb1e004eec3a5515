import type { Page } from 'playwright-core';

export interface HeldBack {
  /** It comes, and nothing else is held back any more. */
  release(): Promise<void>;
}

/** What has come is on the page when this resolves. */
export const painted = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))');

/**
 * What a page asks for does not come before it is released: so a test sees what the page does meanwhile, however busy
 * the machine is. @param path of its address.
 */
export async function holdBack(page: Page, method: 'GET' | 'POST', path: RegExp): Promise<HeldBack> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => path.test(pathname),
    async (route) => {
      if (route.request().method() === method) await promise;
      await route.continue();
    },
  );
  return {
    async release() {
      resolve();
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}

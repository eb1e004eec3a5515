import type { Page } from 'playwright-core';

export interface DelayedResponse {
  /** Lets this response and all later ones through. */
  release(): Promise<void>;
}

/** Resolves when the page shows everything that has arrived. */
export const painted = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))');

/**
 * Holds back the response to a request of the page until it is released. So a test sees what the page does meanwhile,
 * however busy the machine is. @param path matches the path of the request.
 */
export async function delayResponse(page: Page, method: 'GET' | 'POST', path: RegExp): Promise<DelayedResponse> {
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

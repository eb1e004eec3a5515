import { describe, expect, it } from 'vitest';
import { launchBrowser } from './browser.ts';
import { sharedBrowser } from './shared-browser.ts';

// One crash of Chromium failed 22 tests, three times each: they shared what was no longer there.
describe('a browser that the tests of a suite share', () => {
  let launches = 0;
  const browser = sharedBrowser(async () => {
    const launched = await launchBrowser();
    await launched.page.goto(`data:text/plain,launch ${++launches}`);
    return launched;
  });
  const shown = (): Promise<string> => browser.page.locator('body').innerText();

  it('is launched for the first test', async () => {
    expect(await shown()).toBe('launch 1');
  });

  it('is the same for the next', async () => {
    expect(await shown()).toBe('launch 1');
    const page = browser.page;
    const crashed = page.waitForEvent('crash');
    await page.goto('chrome://crash').catch(() => {});
    await crashed;
  });

  it('is another one after its page has crashed', async () => {
    expect(await shown()).toBe('launch 2');
    const { context, page } = browser;
    const closed = page.waitForEvent('close');
    const session = await context.newCDPSession(page);
    await session.send('Browser.crash').catch(() => {});
    await closed;
  });

  it('is another one after it has died', async () => {
    expect(await shown()).toBe('launch 3');
  });
});

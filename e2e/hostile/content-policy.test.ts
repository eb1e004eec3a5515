import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../control/store/open.ts';
import { startTestService, type TestService } from '../../control/testing/service.ts';
import { launchBrowser } from '../../engine/testing/browser.ts';
import { sharedBrowser } from '../../engine/testing/shared-browser.ts';

/**
 * The console keeps its API key in the storage of this origin, where every page of the origin can read it. The page of
 * the API reference, made by others, was served without a policy.
 */
describe('a script that gets into a page of the service', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-policy-'));
  let store: Store;
  let service: TestService;
  let url: string;
  beforeAll(async () => {
    store = await openStore({ dataDir });
    service = await startTestService(store, { dataDir });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await service?.close();
    await store?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const browser = sharedBrowser(() => launchBrowser());
  beforeEach(() => {
    browser.lines.length = 0;
  });

  const refusals = (): string[] => browser.lines.filter((line) => /Content Security Policy/i.test(line));

  it('does not run in the API reference, which works', async () => {
    const { page } = browser;
    await page.goto(`${url}/docs/`);
    await page.getByRole('heading', { name: 'Parley', exact: true }).first().waitFor();
    // A request is tried out from the page: the first one that it shows, without a key.
    await page
      .getByRole('button', { name: /^Test Request/ })
      .first()
      .click();
    const answered = page.waitForResponse((response) => response.url().startsWith(`${url}/v1/`));
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect((await answered).status()).toBe(401);
    expect(refusals()).toEqual([]);

    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'window.stolen = true';
      document.head.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.stolen = true">');
    `);
    await expect.poll(() => refusals().length).toBeGreaterThanOrEqual(2);
    expect(await page.evaluate('window.stolen')).toBeUndefined();
    await expect(page.evaluate(`fetch('https://attacker.invalid/')`)).rejects.toThrow();
    await expect.poll(() => refusals().some((line) => line.includes('attacker.invalid'))).toBe(true);
  });

  it.each([
    '/healthz',
    '/openapi.json',
    '/docs/js/scalar.js',
    '/v1/personas',
    '/nothing/here',
    '/pictures/stock/none/square',
  ])('has no page to run in at %s', async (path) => {
    const { headers } = await fetch(url + path);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toContain('script-src');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

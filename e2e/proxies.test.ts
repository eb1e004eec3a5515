import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from '../engine/testing/browser.ts';
import { freePort } from '../runtime/testing/free-port.ts';
import { configurationOf, type ProxyName, type RunningProxy, startProxy, TRAEFIK } from './support/proxy.ts';
import { serveCrossOriginSite, type CrossOriginSite } from './support/cross-origin-site.ts';
import { serveSdkPage, type SdkPage } from './support/sdk-page.ts';
import { type RunningService, startService } from './support/service.ts';

const PROXIES: readonly ProxyName[] = ['nginx', 'caddy', 'haproxy', ...(TRAEFIK === null ? [] : ['traefik' as const])];
if (TRAEFIK === null) console.warn('Traefik is not tried: scripts/test.sh installs it.');

const isIn = (names: readonly ProxyName[], name: ProxyName): boolean => names.includes(name);

/** Far longer than the page of the API document takes to be drawn on a busy machine. */
const DOCS_MS = 15_000;

/**
 * Each configuration of `docs/guides/proxies.md`, as it is written there, with a real browser before it and the real
 * service behind it, on a public port other than 443.
 */
describe.each([
  ['at the root of a host', 'root', '', []],
  // In every run: what works below a path works at the root.
  ['below a path of a web site', 'path', '/parley', ['nginx']],
] as const satisfies [string, string, string, ProxyName[]][])('behind a proxy, %s', (_where, at, path, inEveryRun) => {
  let service: RunningService;
  let browser: TestBrowser;
  let context: BrowserContext;
  let sdkPage: SdkPage;
  let shop: CrossOriginSite;
  let url: string;
  let token: string;
  let proxy: RunningProxy | undefined;
  /** What went wrong in any page: refused by a policy, or not found. */
  const problems: string[] = [];

  beforeAll(async () => {
    url = `https://localhost:${await freePort()}${path}`;
    service = await startService({
      env: { PARLEY_PUBLIC_URL: url, PARLEY_TRUST_PROXY: 'true', PARLEY_MAX_SESSIONS_PER_ADDRESS: '20' },
    });
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
    const persona = await service.api<{ id: string }>('POST', '/v1/personas', {
      name: 'Elena',
      avatarId: data[0]?.id,
      initialMessage: 'Welcome to the shop.',
    });
    ({ token } = await service.api<{ token: string }>('POST', '/v1/share-links', {
      personaId: persona.id,
      allowAllOrigins: true,
    }));
    shop = await serveCrossOriginSite(
      'localhost',
      `<script src="${url}/widget.js" data-share="${token}" data-layout="inline"></script>`,
    );
    sdkPage = await serveSdkPage();
    browser = await launchBrowser({ args: ['--ignore-certificate-errors'] });
    context = browser.context;
    context.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
    });
    context.on('console', (message) => {
      if (/Content Security Policy|Mixed Content/i.test(message.text())) problems.push(message.text());
    });
  });
  afterEach(async () => {
    await proxy?.stop();
    proxy = undefined;
    problems.length = 0;
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
    await sdkPage?.close();
    await service?.stop();
  });

  const open = async (address: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(address);
    return page;
  };
  const talks = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Start talking' }).click();
    await page.getByRole('button', { name: 'End conversation' }).waitFor();
    await expect
      .poll(() =>
        page.evaluate(
          `document.querySelector('parley-persona').shadowRoot.querySelector('video.live').getVideoPlaybackQuality().totalVideoFrames`,
        ),
      )
      .toBeGreaterThan(10);
    await page.getByRole('button', { name: 'End conversation' }).click();
    await page.close();
  };

  // One proxy at each place in every run.
  for (const name of PROXIES)
    it(`${name} shows everything, and talks`, { tags: isIn(inEveryRun, name) ? [] : ['nightly'] }, async () => {
      const configuration = await configurationOf(name, at);
      proxy = await startProxy(name, configuration, { url, service: Number(new URL(service.url).port) });

      // Without the slash at the end, as people type it.
      const console = await open(`${url}#key=${service.apiKey}`);
      await console.getByRole('navigation').first().waitFor();
      expect(await console.evaluate('location.pathname')).toBe(`${path}/`);
      await console.goto(`${url}/#/share`);
      await console.getByRole('option', { name: 'Elena' }).first().waitFor({ state: 'attached' });
      await console.close();

      const docs = await context.newPage();
      const title = docs.getByRole('heading', { name: 'Parley', exact: true }).first();
      // The page does not ask again for what Chromium gave up, as it does while a test beside this one makes a network
      // (ERR_NETWORK_CHANGED).
      await expect
        .poll(async () => {
          await docs.goto(`${url}/docs`);
          await title.waitFor({ timeout: DOCS_MS });
          return title.isVisible();
        })
        .toBe(true);
      await docs.close();

      await talks(await open(`${url}/s/${token}`));

      await talks(await open(shop.origin));

      const { sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
        personaConfig: { avatarId: (await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars')).data[0]!.id },
      });
      const sdk = await open(sdkPage.url);
      await sdk.evaluate(`connect('${sessionToken}', '${url}')`);
      await expect.poll(() => sdk.evaluate('shownFrames.length')).toBeGreaterThan(10);
      await sdk.evaluate('client.stopStreaming()');
      await sdk.close();

      expect(problems).toEqual([]);
      // A browser takes an empty answer with this status for a failure.
      const metrics = await context.request.get(`${url}/metrics`, { ignoreHTTPSErrors: true });
      expect(metrics.status()).toBe(404);
    });
});

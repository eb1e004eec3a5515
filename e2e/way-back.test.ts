import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser, WHOLE_CHROMIUM } from '../engine/testing/browser.ts';
import { ada, firstAvatar } from './support/ada.ts';
import { type CrossOriginSite, serveCrossOriginSite } from './support/cross-origin-site.ts';
import { type SdkPage, serveSdkPage } from './support/sdk-page.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

/**
 * Tells that the button is there. What a test evaluates in a page counts as a click, and would turn the sound on: so
 * the page tells it by itself.
 */
const TELLS_OF_SOUND = `setInterval(() => {
  const buttons = document.querySelector('parley-persona')?.shadowRoot?.querySelectorAll('button') ?? [];
  if ([...buttons].some(({ textContent }) => textContent === 'Turn on sound')) console.log('SOUND WAITS');
}, 100);`;

/**
 * As people have it: a browser keeps a page as it was and shows it again, unless a peer connection is live on it; and
 * it plays sound only on a page that was clicked.
 */
describe('on the way back to a page', () => {
  let service: ServiceAccess;
  let browser: TestBrowser;
  let shop: CrossOriginSite;
  let elsewhere: CrossOriginSite;
  let publicPage: SdkPage;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([
      sharedService(),
      launchBrowser({
        // The one without a window keeps no page.
        executable: WHOLE_CHROMIUM,
        keepsPages: 'yes',
        args: ['--autoplay-policy=document-user-activation-required'],
      }),
    ]);
    const persona = await service.api<{ id: string }>('POST', '/v1/personas', {
      name: 'Elena',
      avatarId: await firstAvatar(service),
      initialMessage: 'Welcome to the shop.',
    });
    const fields = { personaId: persona.id, allowAllOrigins: true };
    ({ token } = await service.api<{ token: string }>('POST', '/v1/share-links', fields));
    const script = `<script src="${service.url}/widget.js" data-share="${token}" data-layout="inline"></script>`;
    shop = await serveCrossOriginSite('localhost', `<main><h1>A shop</h1></main>${script}`);
    elsewhere = await serveCrossOriginSite('127.0.0.1', '<h1>Elsewhere</h1>');
    publicPage = await serveSdkPage();
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
    await elsewhere?.close();
    await publicPage?.close();
  });

  /** Newest first. */
  const latest = async () =>
    (await service.api<{ data: { id: string; endReason: string | null }[] }>('GET', '/v1/sessions')).data;
  const open = async (address: string): Promise<Page> => {
    const page = await browser.context.newPage();
    await page.addInitScript(`addEventListener('pageshow', ({ persisted }) => (window.wasKept = persisted));`);
    await page.addInitScript(TELLS_OF_SOUND);
    await page.goto(address);
    return page;
  };
  const talks = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Type instead' }).click();
    await page.getByRole('button', { name: 'End conversation' }).waitFor();
    await greeted(page);
  };
  const greeted = async (page: Page): Promise<void> => {
    const transcript = page.getByRole('log', { name: 'Transcript' });
    // A page that was kept has it open.
    if (!(await transcript.isVisible())) await page.getByRole('button', { name: 'Transcript' }).click();
    await transcript.getByText('Welcome to the shop.').waitFor();
  };
  const awayAndBack = async (page: Page): Promise<void> => {
    await page.goto(elsewhere.origin);
    // A page that was kept is not loaded again.
    await page.goBack({ waitUntil: 'commit' });
  };
  const wasKept = (page: Page) => expect.poll(() => page.evaluate('window.wasKept'));

  it('a conversation that was left is over, and another one can begin', async () => {
    const page = await open(shop.origin);
    await talks(page);
    await awayAndBack(page);
    await talks(page);
    const reasons = async () => (await latest()).map(({ endReason }) => endReason);
    // The end of a session is written while the next one may already talk.
    await expect.poll(reasons).toEqual([null, 'client_disconnected']);
    await page.close();
  });

  it('a page that was kept after its conversation had ended begins another one', async () => {
    const page = await open(shop.origin);
    await talks(page);
    await page.getByRole('button', { name: 'End conversation' }).click();
    await page.getByText('The conversation has ended.').waitFor();
    await awayAndBack(page);
    await wasKept(page).toBe(true);
    await talks(page);
    await page.close();
  });

  it('the page of a link goes on with its conversation, and its sound waits for a click', async () => {
    const page = await open(`${service.url}/s/${token}`);
    await talks(page);
    const waits = page.waitForEvent('console', (message) => message.text() === 'SOUND WAITS');
    await awayAndBack(page);
    await waits;
    const isMuted = () =>
      page.evaluate(`document.querySelector('parley-persona').shadowRoot.querySelector('video.live').muted`);
    expect(await isMuted()).toBe(true);
    await page.getByRole('button', { name: 'Turn on sound' }).click();
    await expect.poll(isMuted).toBe(false);
    await expect.poll(() => page.getByRole('button', { name: 'Turn on sound' }).count()).toBe(0);
    await greeted(page);
    await page.close();
  });

  /** Neither says goodbye but by its socket: their sessions were held for a minute, and counted as lost. */
  it('a page with the public client, and one that may be resumed, have left when nobody comes back', async () => {
    const [own, resumed] = [await browser.context.newPage(), await open(`${service.url}/s/${token}`)];
    await own.goto(publicPage.url);
    const { sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
      personaConfig: await ada(service),
    });
    await own.evaluate(`connect('${sessionToken}', '${service.url}')`);
    await expect.poll(() => own.evaluate('shownFrames.length')).toBeGreaterThan(10);
    await talks(resumed);
    const sessions = (await latest()).slice(0, 2);
    expect(sessions.map(({ endReason }) => endReason)).toEqual([null, null]);
    await Promise.all([own, resumed].map((page) => page.goto(elsewhere.origin)));
    const reasons = async () =>
      (await latest()).filter(({ id }) => sessions.some((left) => left.id === id)).map(({ endReason }) => endReason);
    await expect.poll(reasons).toEqual(['client_disconnected', 'client_disconnected']);
    await own.close();
    await resumed.close();
  });
});

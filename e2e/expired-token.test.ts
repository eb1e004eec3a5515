import { afterAll, beforeAll, describe, it, type ExpectStatic } from 'vitest';
import { launchBrowser, type TestBrowser } from '../engine/testing/browser.ts';
import { ada } from './support/ada.ts';
import { launchFirefox, type TestFirefox } from './support/firefox.ts';
import { serveSdkPage, type SdkPage } from './support/sdk-page.ts';
import { type RunningService, startService } from './support/service.ts';
import { hasFakeTime, type MovableClock, movableClock } from './support/fake-time.ts';

const BROWSERS = [
  { name: 'Chromium', tags: [] },
  { name: 'Firefox', tags: ['nightly'] },
] as const;

/** Longer than any token of these tests is valid. */
const TWO_HOURS = 2 * 3_600;

/** A tab of either browser. */
interface Tab {
  goto(url: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * The browser asks about the microphone, and the visitor answers when the test says so. Besides, what a visitor sees
 * and does in the widget, in the same words for both browsers.
 */
const PAGE_SCRIPT = `
(() => {
  const answer = new Promise((resolve) => (window.allowMicrophone = resolve));
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = (wanted) => answer.then(() => open(wanted));
  navigator.permissions.query = async () => ({ state: 'prompt' });
  window.root = () => document.querySelector('parley-persona').shadowRoot;
  const button = (name) => [...root().querySelectorAll('button')].find((each) => [each.textContent, each.ariaLabel].includes(name));
  window.isThere = (name) => button(name) !== undefined;
  window.press = (name) => button(name).click();
  window.shows = (text) => root().textContent.includes(text);
  window.type = (text) => {
    const box = root().querySelector('input');
    box.value = text;
    box.dispatchEvent(new Event('input', { bubbles: true }));
    setTimeout(() => box.form.requestSubmit());
  };
})();
`;

/** @returns whether the service names the sentence that helps. */
const CONNECT = (token: string, url: string): string =>
  `connect('${token}', '${url}').then(() => 'connected', ({ code, details }) => code + ': ' + details.cause)`;

describe.skipIf(!hasFakeTime)('when the time of a token is over', () => {
  let clock: MovableClock;
  let service: RunningService;
  let chromium: TestBrowser;
  let firefox: TestFirefox | undefined;
  let publicPage: SdkPage;
  let personaId: string;

  beforeAll(async () => {
    clock = await movableClock();
    [service, chromium, publicPage] = await Promise.all([
      startService({ env: clock.env }),
      launchBrowser(),
      serveSdkPage(),
    ]);
    ({ id: personaId } = await service.api<{ id: string }>('POST', '/v1/personas', await ada(service)));
  });
  afterAll(async () => {
    await chromium?.close();
    await firefox?.close();
    await publicPage?.close();
    await service?.stop();
    await clock?.remove();
  });

  const openTab = async (name: (typeof BROWSERS)[number]['name'], script = ''): Promise<Tab> => {
    if (name === 'Firefox') {
      const { page } = await (firefox ??= await launchFirefox()).open();
      await page.evaluateOnNewDocument(script);
      return page;
    }
    const page = await chromium.context.newPage();
    await page.addInitScript(script);
    return page;
  };
  const newToken = async (): Promise<string> =>
    (
      await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
        personaConfig: { personaId },
        expiresIn: 60,
      })
    ).sessionToken;
  const issuedAt = async (): Promise<number> =>
    (JSON.parse(Buffer.from((await newToken()).split('.')[1]!, 'base64url').toString()) as { iat: number }).iat;
  /** Until the service knows the new time. */
  const wait = async (seconds: number, { poll }: Pick<ExpectStatic, 'poll'>): Promise<void> => {
    const before = await issuedAt();
    await clock.advance(seconds);
    await poll(issuedAt).toBeGreaterThanOrEqual(before + seconds);
  };

  for (const { name, tags } of BROWSERS)
    it(
      `a visitor of a share page in ${name} who answered late is called all the same, and goes on`,
      { tags: [...tags] },
      async ({ expect }) => {
        const { token } = await service.api<{ token: string }>('POST', '/v1/share-links', { personaId });
        const tab = await openTab(name, PAGE_SCRIPT);
        const until = (expression: string) => expect.poll(() => tab.evaluate(expression)).toBe(true);
        await tab.goto(`${service.url}/s/${token}`);
        await until(`isThere('Start talking')`);
        await tab.evaluate(`press('Start talking')`);
        await until(`shows('Please allow the microphone')`);
        await wait(TWO_HOURS, expect);
        await tab.evaluate('allowMicrophone()');
        await until(`isThere('Transcript')`);
        await tab.evaluate(`press('Transcript')`);
        await until(`shows('Hello there.')`);
        // Whatever its token says: a call goes on.
        await wait(TWO_HOURS, expect);
        await tab.evaluate(`type('What is your name?')`);
        await until(`root().querySelectorAll('[role=log] .persona').length > 1`);
        await tab.evaluate(`press('End conversation')`);
        await until(`isThere('Talk again')`);
        await tab.close();
      },
    );

  for (const { name, tags } of BROWSERS)
    it(
      `a page with the public client in ${name} is told so, and a call goes on over another socket`,
      { tags: [...tags] },
      async ({ expect }) => {
        const tab = await openTab(name);
        await tab.goto(publicPage.url);
        const expired = await newToken();
        await wait(TWO_HOURS, expect);
        expect(await tab.evaluate(CONNECT(expired, service.url))).toBe(
          'CLIENT_ERROR_CODE_AUTHENTICATION_ERROR: This session token has expired; ask for a new one.',
        );
        expect(await tab.evaluate(CONNECT(await newToken(), service.url))).toBe('connected');
        const ready = `heard.filter(({ event }) => event === 'SESSION_READY').length`;
        await expect.poll(() => tab.evaluate(ready)).toBe(1);
        await wait(TWO_HOURS, expect);
        await tab.evaluate(
          `{ const before = sockets.length; sockets.at(-1).close();
          window.reopened = () => sockets.length > before && sockets.at(-1).readyState === 1; }`,
        );
        await expect.poll(() => tab.evaluate('reopened()')).toBe(true);
        await tab.evaluate(`{ client.sendUserMessage('What is your name?'); }`);
        const words = `heard.findLast(({ event }) => event === 'MESSAGE_HISTORY_UPDATED')?.args[0].map(({ content }) => content).join(' ')`;
        await expect.poll(() => tab.evaluate(words)).toContain('Ada');
        expect(await tab.evaluate(`heard.some(({ event }) => event === 'CONNECTION_CLOSED')`)).toBe(false);
        await tab.evaluate(`{ void client.stopStreaming(); }`);
        await tab.close();
      },
    );
});

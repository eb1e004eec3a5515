import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import { type CrossOriginSite, serveCrossOriginSite } from './support/cross-origin-site.ts';
import { writeMicrophoneWav } from './support/microphone-wav.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

/** Longer than an answer takes. */
const PAUSE_SECONDS = 6;

/** Bytes, compressed: what a web site can give away without noticing. */
const MAX_SCRIPT_SIZE = 60_000;

interface ShareLink {
  readonly id: string;
  readonly token: string;
  readonly usageCount: number;
}

/** Visitors without a key: on the page of a share link, and on a web site of somebody else. */
describe('a visitor', () => {
  let dir: string;
  let service: ServiceAccess;
  let personaId: string;
  const sites: CrossOriginSite[] = [];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'parley-widget-'));
    const microphone = join(dir, 'microphone.wav');
    await writeMicrophoneWav(microphone, [{ afterSeconds: PAUSE_SECONDS, text: 'What is your name?' }]);
    service = await sharedService();
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
    const persona = await service.api<{ id: string }>('POST', '/v1/personas', {
      name: 'Elena',
      avatarId: data[0]?.id,
      systemPrompt: 'You are Elena.',
      initialMessage: 'Welcome to the shop.',
      widgetConfig: { callToAction: 'Ask me about your order', initialState: 'minimized' },
      voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0 },
    });
    personaId = persona.id;
  });
  afterAll(async () => {
    for (const site of sites) await site.close();
    await rm(dir, { recursive: true, force: true });
  });
  const browser = sharedBrowser(() => launchBrowser({ microphone: join(dir, 'microphone.wav') }));

  const linkWith = (fields: object = {}): Promise<ShareLink> =>
    service.api<ShareLink>('POST', '/v1/share-links', { personaId, ...fields });
  const site = async (host: 'localhost' | '127.0.0.1', body: string): Promise<CrossOriginSite> => {
    const made = await serveCrossOriginSite(host, body);
    sites.push(made);
    return made;
  };
  /** What the content policies of the pages refused. */
  const refusals: string[] = [];
  const openPage = async (url: string): Promise<Page> => {
    const page = await browser.context.newPage();
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) refusals.push(message.text());
    });
    await page.goto(url);
    return page;
  };
  const isLive = (page: Page): Promise<void> => page.getByRole('button', { name: 'End conversation' }).waitFor();
  const showsVideo = async (page: Page): Promise<void> => {
    await expect
      .poll(() =>
        page.evaluate(
          `document.querySelector('parley-persona').shadowRoot.querySelector('video.live').getVideoPlaybackQuality().totalVideoFrames`,
        ),
      )
      .toBeGreaterThan(25);
  };

  it('loads one small script', async () => {
    const script = await fetch(`${service.url}/widget.js`);
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const content = await script.bytes();
    expect(gzipSync(content).length).toBeLessThanOrEqual(MAX_SCRIPT_SIZE);
    // What it contains of others is named, with the licenses.
    const [, address = ''] = /^\/\*! .* see (\S+) /.exec(Buffer.from(content).toString()) ?? [];
    expect(await (await fetch(service.url + address)).text()).toContain('## preact');
  });

  it('talks on the page of a share link, by voice and by typing', async () => {
    const { id, token } = await linkWith();
    const page = await openPage(`${service.url}/s/${token}`);
    await page.getByText('Ask me about your order').waitFor();
    expect(await page.title()).toBe('Elena');
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('button', { name: 'Start talking' }).click();
    await isLive(page);
    await page.getByRole('button', { name: 'Transcript' }).click();
    const transcript = page.getByRole('log', { name: 'Transcript' });
    await transcript.getByText('Welcome to the shop.').waitFor();
    // Heard through the microphone, and answered.
    await transcript.getByText('You', { exact: true }).first().waitFor();
    await expect.poll(() => transcript.locator('.persona').count()).toBeGreaterThanOrEqual(2);
    await showsVideo(page);
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('Can you repeat that?');
    await message.press('Enter');
    await transcript.getByText('Can you repeat that?').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole('button', { name: 'End conversation' }).click();
    await page.getByText('The conversation has ended.').waitFor();
    await page.getByRole('button', { name: 'Talk again' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect((await service.api<ShareLink>('GET', `/v1/share-links/${id}`)).usageCount).toBe(1);
    expect(refusals).toEqual([]);
    await page.close();
  });

  it('goes on by typing when the microphone is refused, and is told how to allow it', async () => {
    const { token } = await linkWith();
    const page = await browser.context.newPage();
    await page.addInitScript(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'));`,
    );
    await page.goto(`${service.url}/s/${token}`);
    await page.getByRole('button', { name: 'Start talking' }).click();
    await page.getByRole('alert').filter({ hasText: 'The microphone is not allowed.' }).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(await page.getByRole('button', { name: 'Mute microphone' }).count()).toBe(0);
    await page.close();
  });

  /** The button that mutes came when the browser had asked, and pushed the others away below the pointer. */
  it('finds the buttons of the conversation where they were when the microphone is allowed', async () => {
    const { token } = await linkWith();
    const page = await browser.context.newPage();
    await page.addInitScript(`{
      const capture = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      const allowed = new Promise((allow) => (window.allow = allow));
      navigator.mediaDevices.getUserMedia = (wanted) => allowed.then(() => capture(wanted));
    }`);
    await page.goto(`${service.url}/s/${token}`);
    await page.getByRole('button', { name: 'Start talking' }).click();
    const end = page.getByRole('button', { name: 'End conversation' });
    const before = await end.boundingBox();
    expect(before).not.toBeNull();
    await page.evaluate('window.allow()');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Mute microphone' }).isEnabled()).toBe(true);
    expect(await end.boundingBox()).toEqual(before);
    await page.close();
  });

  it('goes on after a reload of the page of a link, in the same conversation', async () => {
    const { id, token } = await linkWith({ usageLimit: 1 });
    const page = await openPage(`${service.url}/s/${token}`);
    await page.getByRole('button', { name: 'Start talking' }).click();
    await isLive(page);
    await page.getByRole('button', { name: 'Transcript' }).click();
    await page.getByRole('log', { name: 'Transcript' }).getByText('Welcome to the shop.').waitFor();
    await page.reload();
    await isLive(page);
    await expect.poll(() => page.getByRole('button', { name: 'Mute microphone' }).isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Transcript' }).click();
    await page.getByRole('log', { name: 'Transcript' }).getByText('Welcome to the shop.').waitFor();
    await showsVideo(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect((await service.api<ShareLink>('GET', `/v1/share-links/${id}`)).usageCount).toBe(1);
    // What the visitor has ended does not come back.
    await page.getByRole('button', { name: 'End conversation' }).click();
    await page.getByText('The conversation has ended.').waitFor();
    await page.reload();
    await page.getByText('As many conversations were held with this link as it allows.').waitFor();
    expect(await page.getByRole('button', { name: 'End conversation' }).count()).toBe(0);
    await page.close();
  });

  it('goes on after a change of pages on a web site that wants it, without a microphone when there was none', async () => {
    const widget = (more: string): string =>
      `<main><h1>A shop</h1></main><script>
        navigator.mediaDevices.getUserMedia = () => { throw new Error('Nobody asked for the microphone.'); };
        window.told = [];
        for (const name of ['session-started', 'message-received', 'session-ended'])
          document.addEventListener('parley:' + name, ({ detail }) => told.push([name, detail]));
      </script><script src="${service.url}/widget.js" data-share="${token}" ${more}></script>`;
    const { token } = await linkWith({ allowAllOrigins: true });
    const shop = await site('localhost', widget('data-resume'));
    const page = await openPage(shop.origin);
    await page.getByRole('button', { name: /Ask me about your order/ }).click();
    await page.getByRole('button', { name: 'Type instead' }).click();
    await isLive(page);
    const told = (): Promise<[string, { sessionId?: string }][]> => page.evaluate('window.told');
    await expect.poll(async () => (await told()).map(([name]) => name)).toContain('message-received');
    const [started] = await told();

    await page.goto(`${shop.origin}/another-page`);
    await isLive(page);
    await page.getByRole('button', { name: 'Transcript' }).click();
    await page.getByRole('log', { name: 'Transcript' }).getByText('Welcome to the shop.').waitFor();
    // The same session, and nothing is told twice.
    await expect.poll(told).toEqual([started]);
    expect(await page.getByRole('button', { name: 'Mute microphone' }).count()).toBe(0);
    await page.close();
  });

  it('ends with its page on a web site that does not say so', async () => {
    const { token } = await linkWith({ allowAllOrigins: true });
    const shop = await site(
      'localhost',
      `<main><h1>A shop</h1></main><script src="${service.url}/widget.js" data-share="${token}"></script>`,
    );
    const page = await openPage(shop.origin);
    await page.getByRole('button', { name: /Ask me about your order/ }).click();
    await page.getByRole('button', { name: 'Type instead' }).click();
    await isLive(page);
    await page.reload();
    await page.getByRole('button', { name: /Ask me about your order/ }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.close();
  });

  it('is politely refused when the link has no more conversations: two of three that call at once talk', async () => {
    const { id, token } = await linkWith({ usageLimit: 2 });
    const pages = await Promise.all([1, 2, 3].map(() => openPage(`${service.url}/s/${token}`)));
    await Promise.all(pages.map((page) => page.getByRole('button', { name: 'Type instead' }).waitFor()));
    await Promise.all(pages.map((page) => page.getByRole('button', { name: 'Type instead' }).click()));
    const outcome = (page: Page): Promise<string> =>
      Promise.any([
        isLive(page).then(() => 'talks'),
        page
          .getByText('As many conversations were held with this link as it allows.')
          .waitFor()
          .then(() => 'refused'),
      ]);
    await expect
      .poll(async () => (await Promise.all(pages.map(outcome))).toSorted())
      .toEqual(['refused', 'talks', 'talks']);
    expect((await service.api<ShareLink>('GET', `/v1/share-links/${id}`)).usageCount).toBe(2);
    await Promise.all(pages.map((page) => page.close()));
  });

  it('is told why when the link is withdrawn in the middle of the conversation', async () => {
    const { id, token } = await linkWith();
    const page = await openPage(`${service.url}/s/${token}`);
    await page.getByRole('button', { name: 'Type instead' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await service.api('DELETE', `/v1/share-links/${id}`);
    await page.getByText('This link does not exist, or it was withdrawn.').waitFor();
    expect(await page.getByRole('button', { name: 'Talk again' }).count()).toBe(0);
    await page.reload();
    await page.getByText('This link does not exist, or it was withdrawn.').waitFor();
    await page.close();
  });

  it('talks in the corner of a web site that the link allows, with the keyboard alone', async () => {
    const shop = await site('localhost', '<main><h1>A shop</h1><p>Things to buy.</p></main>');
    const { token } = await linkWith({ allowedOrigins: [shop.origin] });
    const page = await openPage(shop.origin);
    await page.evaluate(
      `(() => { const script = document.createElement('script'); script.src = ${JSON.stringify(`${service.url}/widget.js`)}; script.dataset.share = ${JSON.stringify(token)}; document.body.append(script); })()`,
    );
    const launcher = page.getByRole('button', { name: 'Ask me about your order' });
    await launcher.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await launcher.focus();
    await page.keyboard.press('Enter');
    const focused = (): Promise<unknown> =>
      page.evaluate(`(() => {
        const { activeElement } = document.querySelector('parley-persona').shadowRoot;
        return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent;
      })()`);
    await expect.poll(focused).toBe('Elena');
    for (const name of ['Minimize', 'Start talking', 'Type instead']) {
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    }
    await page.keyboard.press('Enter');
    await isLive(page);
    await showsVideo(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    // The button that was pressed is gone; what comes next has the focus.
    await expect.poll(focused).toBe('Message');
    // Minimized, the conversation continues.
    await page.keyboard.press('Escape');
    await expect.poll(focused).toMatch('Ask me about your order');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Elena');
    await page.getByRole('button', { name: 'End conversation' }).press('Enter');
    await page.getByText('The conversation has ended.').waitFor();
    await expect.poll(focused).toBe('Elena');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toMatch('Ask me about your order');
    await page.close();
  });

  it('sees one widget where its script is twice in a page, and two where they lead to two conversations', async () => {
    const [{ token }, other] = [await linkWith({ allowAllOrigins: true }), await linkWith({ allowAllOrigins: true })];
    const script = (share: string) => `<script src="${service.url}/widget.js" data-share="${share}"></script>`;
    const address = `${service.url}/s/${token}`;
    const shop = await site('localhost', `<main><h1>A shop</h1></main>${[token, token, address].map(script).join('')}`);
    const page = await openPage(shop.origin);
    const launchers = page.getByRole('button', { name: 'Ask me about your order' });
    await launchers.waitFor();
    // As a tag manager does it, after everything else.
    const add = (share: string) =>
      page.evaluate(
        `new Promise((loaded) => {
          const script = document.createElement('script');
          script.src = ${JSON.stringify(`${service.url}/widget.js`)};
          script.dataset.share = ${JSON.stringify(share)};
          script.onload = loaded;
          document.head.append(script);
        })`,
      );
    await add(token);
    expect(await page.locator('parley-persona').count()).toBe(1);
    await add(other.token);
    expect(await page.locator('parley-persona').count()).toBe(2);
    await page.close();
  });

  it('is refused with a sentence on a web site that the link does not allow', async () => {
    const { token } = await linkWith({ allowedOrigins: ['https://shop.example.com'] });
    const other = await site(
      '127.0.0.1',
      `<main><h1>Another shop</h1></main><script src="${service.url}/widget.js" data-share="${token}"></script>`,
    );
    const page = await openPage(other.origin);
    await page.getByRole('status').filter({ hasText: 'This persona may not be used on this web site.' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // Its script cannot get in by itself either.
    const status = await page.evaluate(
      `fetch(${JSON.stringify(`${service.url}/v1/auth/share-link`)}, { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify({ token }))} }).then((answer) => answer.status)`,
    );
    expect(status).toBe(403);
    await page.close();
  });

  it('talks in place of the element, to a persona that allows the web site, in German', async () => {
    const shop = await site(
      'localhost',
      `<main><h1>Ein Laden</h1><parley-persona persona="${personaId}" layout="inline" lang="de"></parley-persona></main><script src="${service.url}/widget.js"></script>`,
    );
    await service.api('PUT', `/v1/personas/${personaId}`, { widgetConfig: { allowedOrigins: [shop.origin] } });
    const page = await openPage(shop.origin);
    await page.getByRole('button', { name: 'Lieber schreiben' }).click();
    await page.getByRole('textbox', { name: 'Nachricht' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.close();
  });
});

/**
 * Takes the images of the widget and of a share link's page for the guides, from the real service in a real Chromium:
 * node scripts/take-widget-screenshots.ts. Needs what the tests need, and the built console and widget.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../engine/testing/browser.ts';
import { serveCrossOriginSite } from '../e2e/support/cross-origin-site.ts';
import { startService } from '../e2e/support/service.ts';

const CALL = 'Ask me about your stay';
const GREETING = 'Good evening, and welcome to the Brightwater. How can I help you today?';
const MID_SENTENCE = 'welcome to the';
const SITE = `<style>
body { margin: 0; font: 17px/1.6 Georgia, serif; background: #eef1ea; color: #222; }
main { max-width: 36rem; margin: 3rem 0 0 4rem; }
@media (max-width: 40rem) { main { margin: 1.5rem; } }
@media (prefers-color-scheme: dark) { body { background: #171c18; color: #e8ece6; } }
</style><main><h1>The Brightwater</h1><p>A small hotel by the lake. Twelve rooms look to the water, and four to the
garden. Breakfast is in the winter garden from seven to ten, and the boat is yours when the weather is.</p>
<h2>Your stay</h2><p>Check in from three in the afternoon. Bicycles wait behind the house, and the path around the
lake takes an hour and a half.</p></main>`;

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const work = await mkdtemp(join(tmpdir(), 'parley-screenshots-'));
const service = await startService();
try {
  const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
  const persona = await service.api<{ id: string }>('POST', '/v1/personas', {
    name: 'Elena',
    avatarId: data[0]?.id,
    initialMessage: GREETING,
    widgetConfig: { callToAction: CALL, initialState: 'expanded', showCaptions: true, removeWatermark: true },
  });
  const { token } = await service.api<{ token: string }>('POST', '/v1/share-links', {
    personaId: persona.id,
    usageLimit: null,
    allowAllOrigins: true,
  });
  const page = `${service.url}/s/${token}`;
  const script = `<script src="${service.url}/widget.js" data-share="${token}"></script>`;
  const site = await serveCrossOriginSite('localhost', SITE + script);
  await takeImage('share-page.png', page, { width: 1120, height: 700 });
  await takeImage('share-page-phone.png', page, { width: 390, height: 844 });
  await takeImage('widget.png', site.origin, { width: 1120, height: 700 });
  await takeImage('widget-phone.png', site.origin, { width: 390, height: 844 });
  await takeImage('widget-dark.png', site.origin, { width: 1120, height: 700, dark: true });
  await takeShareView();
  await site.close();
} finally {
  await service.stop();
  await rm(work, { recursive: true, force: true });
}

/** In the middle of the greeting. */
async function takeImage(
  name: string,
  url: string,
  { width, height, dark = false }: { width: number; height: number; dark?: boolean },
): Promise<void> {
  const browser = await launchBrowser({ width, height });
  try {
    await browser.page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await browser.page.goto(url);
    await browser.page.getByRole('button', { name: 'Start talking' }).click();
    await browser.page.locator('.caption').filter({ hasText: MID_SENTENCE }).waitFor();
    await save(browser.page, name);
  } finally {
    await browser.close();
  }
}

async function takeShareView(): Promise<void> {
  const browser = await launchBrowser({ width: 1280, height: 1500 });
  try {
    await browser.page.goto(`${service.url}/#key=${service.apiKey}`);
    await browser.page.goto(`${service.url}/#/share`);
    await browser.page.getByRole('button', { name: 'QR code' }).click();
    await browser.page.getByRole('region', { name: 'Preview of the widget' }).getByText(CALL).waitFor();
    await save(browser.page, 'console-share.png');
  } finally {
    await browser.close();
  }
}

/** With a palette: faces need no more than 255 colors at this size. */
async function save(page: Page, name: string): Promise<void> {
  const whole = join(work, name);
  const file = join(folder, name);
  await page.screenshot({ path: whole });
  const palette = 'split[a][b];[a]palettegen=max_colors=255[p];[b][p]paletteuse=dither=bayer:bayer_scale=4';
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', '-i', whole, '-vf', palette, file]);
  console.log(`${name}  ${Math.round((await stat(file)).size / 1000)} kB`);
}

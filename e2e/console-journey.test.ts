import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { type CrossOriginSite, serveCrossOriginSite } from './support/cross-origin-site.ts';
import { writeMicrophoneWav } from './support/microphone-wav.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';
import { type Hotel, openHotel } from './support/tool-using-llm.ts';

/** Longer than an answer takes. */
const PAUSE_SECONDS = 6;
const ROOMS = 'The Sea room and the Garden room are free.';
const BREAKFAST = 'Breakfast is served from seven to ten.';

/**
 * Somebody who never calls the API makes a persona and all that it needs, gives it away, talks with it, and looks at
 * the conversation afterwards. The LLM and the webhook are a server of the test; the user's speech comes from a file.
 */
describe('from an empty service to a conversation, only by clicking', () => {
  let dir: string;
  let service: ServiceAccess;
  let page: Page;
  let hotel: Hotel;
  let shop: CrossOriginSite;
  let embedding = '';

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'parley-journey-'));
    const microphone = join(dir, 'microphone.wav');
    await writeMicrophoneWav(
      microphone,
      ['Which rooms are free?', 'When is breakfast served?'].map((text) => ({ afterSeconds: PAUSE_SECONDS, text })),
    );
    hotel = await openHotel(ROOMS);
    shop = await serveCrossOriginSite('localhost', () => `<main><h1>A hotel</h1></main>${embedding}`);
    service = await sharedService();
  });
  afterAll(async () => {
    hotel?.close();
    await shop?.close();
    await rm(dir, { recursive: true, force: true });
  });
  const browser = sharedBrowser(async () => {
    const launched = await launchBrowser({ microphone: join(dir, 'microphone.wav') });
    ({ page } = launched);
    await page.goto(`${service.url}/#key=${service.apiKey}`);
    await page.getByRole('article').first().waitFor();
    return launched;
  });

  const field = (label: string): Locator => page.getByLabel(label, { exact: true });
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const view = (name: string): Promise<void> =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();
  const part = (name: string): Promise<void> =>
    page.getByRole('navigation', { name: 'Parts of the persona' }).getByRole('link', { name }).click();

  it('makes a tool, an LLM, knowledge and an API key', async () => {
    await view('Tools');
    await page.getByRole('link', { name: 'New tool' }).click();
    await field('Name').fill('free_rooms');
    await field('When to use it').fill('Tells which rooms are free.');
    await field('URL').fill(`http://${hotel.address}/rooms`);
    await button('Create').click();
    await button('Run the tool').click();
    await page.getByText(ROOMS).waitFor();

    await view('LLMs');
    await page.getByRole('link', { name: 'New LLM' }).click();
    await field('Name').fill('House model');
    await field('Model').fill('house-8b');
    await field('URL').fill(`http://${hotel.address}/v1`);
    await field('Key').fill('sk-house');
    await field('Input').fill('0.25');
    await field('Output').fill('2');
    await button('Save and check the connection').click();
    await page.getByText('It answers.').waitFor();

    await view('Knowledge');
    await page.getByRole('link', { name: 'New group' }).click();
    await field('Name').fill('House rules');
    await button('Create').click();
    await page
      .getByLabel('Add documents')
      .setInputFiles([{ name: 'house.md', mimeType: 'text/markdown', buffer: Buffer.from(BREAKFAST) }]);
    await page.getByRole('listitem').filter({ hasText: 'house.md' }).getByText('Ready').waitFor();

    await view('API keys');
    await field('Name').fill('Web site');
    await field('What it is for').selectOption('Programs that build personas, tools and knowledge');
    await button('Create key').click();
    const key = (await page.locator('.secret').innerText()).trim();
    const { status } = await fetch(`${service.url}/v1/personas`, { headers: { authorization: `Bearer ${key}` } });
    expect(status).toBe(200);
  });

  it('makes a persona with them, and its widget', async () => {
    await view('Talk');
    await page.getByRole('link', { name: 'New persona' }).click();
    await field('Name').fill('Concierge');
    await field('LLM').selectOption({ label: 'House model' });
    await page.getByRole('radio', { name: 'The persona says the words below' }).check();
    await field('First words').fill('Good evening.');
    await part('Tools and knowledge');
    await button('Add free_rooms').click();
    await button('Add House rules').click();
    await part('Behavior');
    await field('Speaks up after').press('Home');
    await part('Widget');
    await field('Call to action').fill('Ask the concierge');
    await field('Web sites that may show it').fill(shop.origin);
    await button('Create').click();
    await page.getByRole('heading', { level: 1, name: 'Concierge', exact: true }).waitFor();
    embedding = (await page.locator('pre.code').innerText()).trim();
  });

  it('talks with it: the persona asks the tool and the knowledge', async () => {
    await page.getByRole('button', { name: 'Talk with Concierge' }).click();
    const said = (text: string): Locator => page.locator('.bubble.persona').filter({ hasText: text }).first();
    await said('Good evening.').waitFor();
    await said(ROOMS).waitFor({ timeout: 90_000 });
    await said(BREAKFAST).waitFor({ timeout: 90_000 });
    await button('End the conversation').click();
    // Its last turn is written when it ends, and a record that is open is not read again.
    const lastEnd = async (): Promise<string | null> =>
      (await service.api<{ data: { endTime: string | null }[] }>('GET', '/v1/sessions')).data[0]!.endTime;
    await expect.poll(lastEnd).not.toBeNull();
    expect(hotel.asked.length).toBeGreaterThanOrEqual(2);
  });

  it('finds the conversation with its chart, its words and its tools', async () => {
    await view('Sessions');
    await page.getByRole('list').getByRole('link', { name: 'Concierge' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Concierge' }).waitFor();
    const chart = page.locator('.chart').filter({ hasText: 'How soon each turn was answered' });
    await chart.locator('canvas').waitFor();
    expect(await chart.getByRole('row').count()).toBeGreaterThanOrEqual(3);
    await page.getByText(BREAKFAST).first().waitFor();
    await page.getByText('free_rooms').first().waitFor();
    await page.getByText('search_house_rules').first().waitFor();
  });

  it('sees what it cost', async () => {
    const table = page.getByRole('region', { name: 'What was used, and what it cost' });
    await table.getByRole('row').filter({ hasText: 'Output' }).getByText('$2.00 a million').waitFor();
    await view('Usage');
    await page.getByRole('region', { name: 'Usage of each persona' }).getByText('Concierge').waitFor();
    await view('Settings');
    await field('Your own costs, for a minute of conversation').fill('0.01');
    await page.locator('form').filter({ hasText: 'Prices' }).getByRole('button', { name: 'Save' }).click();
    await page.locator('form').filter({ hasText: 'Prices' }).getByText('Saved').waitFor();
  });

  it('is talked to on the web site', async () => {
    const visitor = await browser.context.newPage();
    await visitor.goto(`${shop.origin}/`);
    await visitor.getByText('Ask the concierge').waitFor();
    await visitor.getByRole('button', { name: 'Start talking' }).click();
    await visitor.getByRole('button', { name: 'End conversation' }).waitFor();
    const frames = (): Promise<unknown> =>
      visitor.evaluate(
        `document.querySelector('parley-persona').shadowRoot.querySelector('video.live').getVideoPlaybackQuality().totalVideoFrames`,
      );
    await expect.poll(frames).toBeGreaterThan(0);
    await visitor.close();
  });
});

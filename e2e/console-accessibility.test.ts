import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

/** Each view, and what is there when it has loaded. */
const VIEWS = [
  ['the personas', '#/', 'Who would you like to talk to?'],
  ['a new persona', '#/personas/new', 'New persona'],
  ['the tools of a persona', '#/personas/new/tools', 'New persona'],
  ['the behavior of a persona', '#/personas/new/behavior', 'New persona'],
  ['the voice of a persona', '#/personas/new/voice', 'New persona'],
  ['the privacy of a persona', '#/personas/new/privacy', 'New persona'],
  ['the widget of a persona', '#/personas/new/widget', 'New persona'],
  ['the sessions', '#/sessions', 'Sessions'],
  ['the tools', '#/tools', 'Tools'],
  ['a new tool', '#/tools/new', 'New tool'],
  ['knowledge', '#/knowledge', 'Knowledge'],
  ['a new group', '#/knowledge/new', 'New group'],
  ['the MCP servers', '#/mcp-servers', 'MCP servers'],
  ['a new MCP server', '#/mcp-servers/new', 'New MCP server'],
  ['the LLMs', '#/llms', 'LLMs'],
  ['the voices', '#/voices', 'Voices'],
  ['a new LLM', '#/llms/new', 'New LLM'],
  ['the API keys', '#/api-keys', 'API keys'],
  ['the usage', '#/usage', 'Usage'],
  ['sharing', '#/share', 'Share'],
  ['the meetings', '#/meetings', 'Meetings'],
  ['the videos', '#/videos', 'Videos'],
  ['the settings', '#/settings', 'Settings'],
] as const;

/** The page is shown in each of them, without being loaded anew: each width and each set of colors once. */
const LOOKS = [
  ['in the dark', { colorScheme: 'dark', width: 1280 }],
  ['on a phone', { colorScheme: 'light', width: 390 }],
] as const;
const HEIGHT = 800;

/** @param where what the page shows, for the message of a failure. */
async function expectForEverybody(page: Page, where: string): Promise<void> {
  for (const [look, { colorScheme, width }] of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: HEIGHT });
    expect(await accessibilityProblems(page), `${where} ${look}`).toEqual([]);
  }
}

describe('the console', () => {
  let service: ServiceAccess;

  beforeAll(async () => {
    service = await sharedService();
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
    await service.api('POST', '/v1/personas', { name: 'Guide', avatarId: data[0]?.id });
  });
  const browser = sharedBrowser(async () => {
    const launched = await launchBrowser({ height: HEIGHT });
    await launched.page.goto(`${service.url}/#key=${service.apiKey}`);
    await launched.page.getByRole('article').first().waitFor();
    return launched;
  });

  it.each(VIEWS)('shows %s to everybody', async (view, fragment, heading) => {
    const { page } = browser;
    await page.goto(`${service.url}/${fragment}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    await expectForEverybody(page, view);
  });

  // In every run, in one look: console-tour.test.ts.
  it('shows a conversation, and its record afterwards, to everybody', { tags: ['nightly'] }, async () => {
    const { page } = browser;
    await page.goto(`${service.url}/#/`);
    await page.getByRole('button', { name: 'Type with Guide' }).click();
    await page.locator('.bubble.persona').first().waitFor();
    for (const tab of ['Conversation', 'Timing', 'Events']) {
      await page.getByRole('tab', { name: tab }).click();
      await expectForEverybody(page, tab);
    }
    await page.getByRole('button', { name: 'End the conversation' }).click();
    await page.getByRole('link', { name: 'See the record' }).waitFor();
    await expectForEverybody(page, 'the end of a conversation');
    await page.getByRole('link', { name: 'See the record' }).click();
    // The view before has a heading of level one, too: while the record loads, there is none.
    await page.getByRole('heading', { level: 2, name: 'Transcript' }).waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    await expectForEverybody(page, 'the record');
  });
});

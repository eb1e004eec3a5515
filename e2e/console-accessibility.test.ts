import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import { type RunningService, startService } from './support/service.ts';

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

describe.each([
  ['in the light', { colorScheme: 'light', width: 1280 }],
  ['in the dark', { colorScheme: 'dark', width: 1280 }],
  ['on a phone', { colorScheme: 'light', width: 390 }],
] as const)('the console %s', (_name, { colorScheme, width }) => {
  let service: RunningService;

  beforeAll(async () => {
    service = await startService();
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
    await service.api('POST', '/v1/personas', { name: 'Guide', avatarId: data[0]?.id });
  });
  afterAll(async () => {
    await service?.stop();
  });
  const browser = sharedBrowser(async () => {
    const launched = await launchBrowser({ width });
    await launched.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await launched.page.goto(`${service.url}/#key=${service.apiKey}`);
    await launched.page.getByRole('article').first().waitFor();
    return launched;
  });

  it.each(VIEWS)('shows %s to everybody', async (_view, fragment, heading) => {
    const { page } = browser;
    await page.goto(`${service.url}/${fragment}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('shows a conversation, and its record afterwards, to everybody', async () => {
    const { page } = browser;
    await page.goto(`${service.url}/#/`);
    await page.getByRole('button', { name: 'Type with Guide' }).click();
    await page.locator('.bubble.persona').first().waitFor();
    for (const tab of ['Conversation', 'Timing', 'Events']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await accessibilityProblems(page), tab).toEqual([]);
    }
    await page.getByRole('button', { name: 'End the conversation' }).click();
    await page.getByRole('link', { name: 'See the record' }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'See the record' }).click();
    // The view before has a heading of level one, too: while the record loads, there is none.
    await page.getByRole('heading', { level: 2, name: 'Transcript' }).waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import { delayResponse, painted } from './support/delay-response.ts';
import { personaEditor } from './support/persona-editor.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

/** Somebody changes a persona in use as software is changed: only by clicks. */
describe('drafts, tests and versions in the console', () => {
  let service: ServiceAccess;
  let page: Page;
  let personaId: string;

  beforeAll(async () => {
    service = await sharedService();
    const made = await service.api<{ id: string }>('POST', '/v1/personas', {
      name: 'Porter',
      initialMessage: 'Welcome to the inn.',
    });
    personaId = made.id;
  });
  sharedBrowser(async () => {
    const launched = await launchBrowser();
    ({ page } = launched);
    await launched.context.grantPermissions(['clipboard-read', 'clipboard-write', 'microphone']);
    await page.goto(`${service.url}/#key=${service.apiKey}`);
    await page.getByRole('article').first().waitFor();
    return launched;
  });

  const { part, field, button } = personaEditor(() => page);
  const live = async () =>
    (await service.api<{ initialMessage: string }>('GET', `/v1/personas/${personaId}`)).initialMessage;
  /** What the last session says of its persona. */
  const lastVersion = async () =>
    (await service.api<{ data: { personaVersion: unknown }[] }>('GET', '/v1/sessions')).data[0]?.personaVersion;

  /** What was said in the last session so far. */
  const lastTranscript = async () => {
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/sessions');
    return JSON.stringify(await service.api('GET', `/v1/sessions/${data[0]?.id}/transcript`).catch(() => null));
  };
  const makeTest = async (name: string, line: string, words: string) => {
    await button('New test').click();
    await field('Name of the test').fill(name);
    await field('Lines').fill(line);
    await field('Words').fill(words);
    await button('Save the test').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  /** A visitor of the link hears the first words, and hangs up. */
  const visit = async (address: string, words: string) => {
    const visitor = await page.context().newPage();
    await visitor.goto(address);
    await visitor.getByRole('button', { name: 'Start talking' }).click();
    await visitor.getByRole('button', { name: 'End conversation' }).waitFor();
    await expect.poll(lastTranscript).toContain(words);
    await visitor.getByRole('button', { name: 'End conversation' }).click();
    await visitor.close();
  };

  it('keeps a draft that nobody talks with, and tries it beside the form', async () => {
    await page.getByRole('link', { name: 'Change Porter' }).click();
    await field('First words').fill('Welcome to the castle.');
    await button('Try the draft').click();
    const trial = page.getByRole('complementary', { name: 'Trial of the draft' });
    await trial.getByText('Welcome to the castle.').first().waitFor();
    expect(await lastVersion()).toBe('draft');
    expect(await accessibilityProblems(page)).toEqual([]);
    await button('End the trial').click();
    expect(await live()).toBe('Welcome to the inn.');
  });

  it('publishes it only when its tests pass', async () => {
    const slow = await delayResponse(page, 'GET', /\/tests$/);
    await part('Tests');
    await painted(page);
    // It moved when the list came: the click on it went astray.
    expect(await field('A draft can be published only when all tests pass').count()).toBe(0);
    await slow.release();
    await field('A draft can be published only when all tests pass').check();
    await makeTest('Says where one is', 'Hello', 'harbor hotel');
    await makeTest('Welcomes', 'Hello', 'welcome');
    await makeTest('Does sums', 'What is 12 times 3?', '36');
    await button('Test the draft').click();
    await page.getByText('The draft: 2 passed, 1 failed.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await button('Publish…').click();
    await button('Publish').click();
    await page.getByText('have to pass with this draft').waitFor();
    await button('Cancel').click();
    await part('Basics');
    await field('First words').fill('Welcome to the Harbor Hotel.');
    await button('Save draft').click();
    await page.getByText('Draft saved.').waitFor();
    await part('Tests');
    await button('Test the draft').click();
    await page.getByText('The draft: 3 passed, 0 failed.').waitFor();
    await button('Publish…').click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.locator('ins').allTextContents()).toContainEqual(expect.stringContaining('Harbor'));
    await field('Note').fill('The right house');
    await button('Publish').click();
    await page.getByText('Published as version 2.').waitFor();
    expect(await live()).toBe('Welcome to the Harbor Hotel.');
  });

  /** There was no way to end a run: one in sound went on for minutes. */
  it('ends a run of its tests that somebody cancels', async () => {
    const tests = `/v1/personas/${personaId}/tests`;
    const lines = ['Hello.', 'What is 12 times 3?', 'Thank you.'];
    const { id } = await service.api<{ id: string }>('POST', tests, {
      name: 'Aloud',
      user: { kind: 'lines', lines },
      audio: {},
    });
    await part('Basics');
    const slow = await delayResponse(page, 'GET', /\/test-runs\/[^/]+$/);
    await part('Tests');
    await button('Test what is live').click();
    await button('Cancel the run').waitFor();
    // The run before came late, and was shown in place of the one that had just begun: nobody could cancel that.
    await slow.release();
    await painted(page);
    await button('Cancel the run').click();
    await page.getByText(/^Version 2: cancelled when \d of 4 were done\./).waitFor();
    await button('Cancel the run').waitFor({ state: 'detached' });
    await service.api('DELETE', `${tests}/${id}`);
  });

  let address: string;

  it('is talked with by a share link, and the record names the version', async () => {
    const slow = await delayResponse(page, 'GET', /\/versions$/);
    const shared = page.waitForResponse((response) => response.url().endsWith(`/v1/personas/${personaId}`));
    await page.getByRole('link', { name: 'Share' }).click();
    await shared;
    await painted(page);
    // The choice of a version came later than the rest of the form, and pushed the button away below the pointer.
    expect(await page.getByRole('button', { name: 'Create link' }).count()).toBe(0);
    await slow.release();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = page.getByRole('list', { name: 'Links of this persona' }).getByRole('listitem');
    await link.getByRole('button', { name: 'Copy link' }).click();
    await link.getByText('Copied').waitFor();
    address = await page.evaluate<string>('navigator.clipboard.readText()');
    await visit(address, 'Welcome to the Harbor Hotel.');
    await page.bringToFront();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page
      .getByRole('link', { name: /Porter.*version 2 · Share link/ })
      .first()
      .waitFor();
  });

  it('rolls back to what was live before', async () => {
    await page.getByRole('link', { name: 'Talk' }).click();
    await page.getByRole('link', { name: 'Change Porter' }).click();
    await part('Versions');
    await page.getByText('The right house').waitFor();
    await page.getByRole('button', { name: 'Compare version 1' }).click();
    await expect.poll(() => page.locator('del').allTextContents()).toContainEqual(expect.stringContaining('Harbor'));
    await button('Roll back').click();
    await page.getByText('Version 3 is live, as version 1 was.').waitFor();
    expect(await live()).toBe('Welcome to the inn.');
    await page.getByText('Back to version 1').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await visit(address, 'Welcome to the inn.');
    expect(await lastVersion()).toBe(3);
  });
});

import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

const PASSWORD = 'four words of a poem';

let service: ServiceAccess;
beforeAll(async () => {
  service = await sharedService();
});
const browser = sharedBrowser(() => launchBrowser());

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function expectForEverybody(page: Page, where: string, widths = [360]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    expect(await accessibilityProblems(page), `${where} at ${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

it('lets an admin invite somebody, who chooses a password, sees what the role allows, and is shut out', async () => {
  const { page } = browser;
  const persona = await service.api<{ id: string }>('POST', '/v1/personas', { name: 'Concierge' });
  const group = await service.api<{ id: string }>('POST', '/v1/knowledge/groups', { name: 'Hotel' });
  const email = `ada.${Date.now()}@example.com`;
  await page.goto(`${service.url}/#key=${service.apiKey}`);
  await page.goto(`${service.url}/#/users`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await page.getByRole('button', { name: 'Make the link' }).click();
  const link = await page.locator('.output.secret').innerText();
  await page.getByText('link until').waitFor();
  await expectForEverybody(page, 'the users', [1280, 768, 360]);

  // The browser of somebody else.
  await page.evaluate('localStorage.clear()');
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByText('You were invited to').waitFor();
  await page.getByLabel('Password').fill('too short');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('must have at least 12 characters').waitFor();
  await expectForEverybody(page, 'the invitation');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'Who would you like to talk to?').waitFor();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Tools' }).click();
  await page.getByText('Your role is Viewer: an editor can change this.').waitFor();
  expect(await page.getByRole('link', { name: 'New tool' }).count()).toBe(0);
  expect(await navigation.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  await page.goto(`${service.url}/#/personas/${persona.id}`);
  await page.getByText('Your role is Viewer: an editor can change this.').waitFor();
  await page.getByLabel('Name', { exact: true }).waitFor();
  // What can be typed somewhere, or chosen.
  const writable = ':is(input, textarea):not([readonly], :disabled), select:not(:disabled)';
  expect(await page.locator('.section').locator(writable).count()).toBe(0);
  await expectForEverybody(page, 'a persona that a viewer sees', [1280, 360]);
  await page.goto(`${service.url}/#/knowledge/${group.id}`);
  await page.getByLabel('Question').fill('When is breakfast?');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('Nothing was found.').waitFor();
  await page.goto(`${service.url}/#/users`);
  await page.getByText('Your role is Viewer: an admin can see this.').waitFor();

  await page.getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.getByRole('button', { name: 'Change password' }).waitFor();
  await expectForEverybody(page, 'the account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Welcome to Parley').waitFor();
  await expectForEverybody(page, 'the welcome');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('wrong words of a poem');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('No user with this e-mail address has this password.').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'Who would you like to talk to?').waitFor();

  const { data } = await service.api<{ data: { id: string; email: string }[] }>('GET', '/v1/users');
  const { id } = data.find((user) => user.email === email)!;
  await service.api('PUT', `/v1/users/${id}`, { disabled: true });
  await navigation.getByRole('link', { name: 'Tools' }).click();
  await expect.poll(() => page.getByText('Your sign-in has ended.').count()).toBe(1);
});

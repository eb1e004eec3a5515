import { beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import { fieldProblem, hasFocus } from './support/field-problem.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

/** Somebody shares a persona only by clicking. */
describe('sharing in the console', () => {
  let service: ServiceAccess;
  let personaId: string;

  beforeAll(async () => {
    service = await sharedService();
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
    const persona = await service.api<{ id: string }>('POST', '/v1/personas', {
      name: 'Elena',
      avatarId: data[0]?.id,
      initialMessage: 'Welcome to the shop.',
    });
    personaId = persona.id;
  });
  const browser = sharedBrowser(async () => {
    const launched = await launchBrowser();
    await launched.context.grantPermissions(['clipboard-read', 'clipboard-write', 'microphone']);
    await launched.page.goto(`${service.url}/#key=${service.apiKey}`);
    await launched.page.getByRole('link', { name: 'Share' }).click();
    return launched;
  });

  it('makes a link, whose page holds a conversation until the link is withdrawn', async () => {
    const { page } = browser;
    const sites = page.getByLabel('Web sites that may use it');
    await sites.fill('not a site/at all');
    await page.getByRole('button', { name: 'Create link' }).click();
    await expect.poll(() => fieldProblem(sites)).toMatch('must be a domain');
    await expect.poll(() => hasFocus(sites)).toBe(true);
    await sites.fill('');
    await page.getByLabel('It allows').selectOption({ label: 'One conversation' });
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = page.getByRole('list', { name: 'Links of this persona' }).getByRole('listitem');
    await link.getByText('Works').waitFor();
    await link.getByText('0 of 1 conversation').waitFor();
    await link.getByRole('button', { name: 'QR code' }).click();
    await link.getByRole('img', { name: /^QR code of/ }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await link.getByRole('button', { name: 'Copy link' }).click();
    await link.getByText('Copied').waitFor();
    const address = await page.evaluate<string>('navigator.clipboard.readText()');

    const visitor = await browser.context.newPage();
    await visitor.goto(address);
    await visitor.getByRole('button', { name: 'Start talking' }).click();
    await visitor.getByRole('button', { name: 'End conversation' }).waitFor();
    await page.bringToFront();
    // The visitor can end its conversation before that has begun, and the list is not read again by itself.
    await expect
      .poll(async () => {
        await page.reload();
        await link.waitFor();
        return link.textContent();
      })
      .toContain('Used up');
    await link.getByRole('button', { name: 'Withdraw' }).click();
    await link.getByText('Withdrawn').waitFor();
    await visitor.bringToFront();
    await visitor.getByText('This link does not exist, or it was withdrawn.').waitFor();
    await visitor.close();

    await link.getByRole('button', { name: 'Delete…' }).click();
    await link.getByRole('button', { name: 'Delete it and end its conversations' }).click();
    await expect.poll(() => link.count()).toBe(0);
  });

  it('shows the widget while it is edited, and gives the code for the page', async () => {
    const { page } = browser;
    const preview = page.getByRole('region', { name: 'Preview of the widget' });
    await page.getByLabel('Call to action').fill('Ask the shop');
    await preview.getByText('Ask the shop').waitFor();
    await page.getByLabel('At first').selectOption({ label: 'A button' });
    await preview.getByRole('button', { name: 'Ask the shop' }).click();
    await preview.getByText('This is a preview.').waitFor();
    await page.getByLabel('Web sites that may show it').fill('not a site/at all');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => fieldProblem(page.getByLabel('Web sites that may show it'))).toMatch('must be a domain');
    await page.getByLabel('Web sites that may show it').fill('shop.example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(
      (await service.api<{ widgetConfig: object }>('GET', `/v1/personas/${personaId}`)).widgetConfig,
    ).toMatchObject({
      callToAction: 'Ask the shop',
      initialState: 'minimized',
      allowedOrigins: ['https://shop.example.com'],
    });
    await page
      .getByText(`<script src="${service.url}/widget.js" data-persona="${personaId}"></script>`, { exact: true })
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

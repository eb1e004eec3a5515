import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AddressInfo } from 'node:net';
import { type MeetingService, startMeetingService } from '../control/testing/meeting-service.ts';
import { STOCK } from '../control/testing/stock.ts';
import { describeOnSqlite } from '../control/testing/stores.ts';
import { launchBrowser } from '../engine/testing/browser.ts';
import { eventually } from '../engine/testing/eventually.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { accessibilityProblems } from './support/accessibility.ts';

const CONSOLE = fileURLToPath(new URL('../web/dist/', import.meta.url));

/** Somebody sends a persona into meetings by clicking. The API and its database are real; the meetings are played. */
describeOnSqlite('meetings in the console', (stores) => {
  let service: MeetingService;
  beforeAll(async () => {
    service = await startMeetingService(await stores.open(), { now: Date.now(), consoleFolder: CONSOLE });
    for (const name of ['Elena', 'Leo']) await service.send('POST', '/v1/personas', { name, avatarId: STOCK.avatar });
  });
  afterAll(async () => {
    await service?.close();
  });
  const browser = sharedBrowser(async () => {
    const launched = await launchBrowser();
    const { page } = launched;
    service.meetings.picture = await page.screenshot({ type: 'jpeg' });
    const { port } = service.app.server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/#key=${service.key}`);
    await page.getByRole('link', { name: 'Meetings' }).click();
    return launched;
  });

  const card = (name: string) =>
    browser.page.getByRole('list', { name: 'Invites' }).locator('.card', { hasText: name });
  const visitTo = (meetingUrl: string) =>
    eventually(() => {
      const visit = service.meetings.visits.find(({ request }) => request.meetingUrl === meetingUrl);
      if (visit === undefined) throw new Error(`Nobody is on the way to ${meetingUrl}.`);
      return visit;
    });

  it('follows an invite from its link into the meeting, with what the persona sees, and calls it back', async () => {
    const { page } = browser;
    const form = page.getByRole('form', { name: 'Invite' });
    await form.getByLabel('Link of the meeting').fill('https://example.com/');
    await form.getByRole('button', { name: 'Send it in' }).click();
    await form.locator('.notice').waitFor();
    await form.getByLabel('Link of the meeting').fill('zoom.us/j/123');
    await form.getByLabel('Who goes').selectOption({ label: 'Elena' });
    await form.getByRole('button', { name: 'Send it in' }).click();
    const elena = card('Elena (AI)');
    await elena.getByText('Joining').waitFor();
    await elena.getByText('https://zoom.us/j/123').waitFor();

    const { handlers, request } = await visitTo('https://zoom.us/j/123');
    handlers.state('waiting_room');
    await elena.getByText('Waiting to be let in').waitFor();
    handlers.state('in_call');
    const sessionId = await service.admit(request.inviteId);
    handlers.state('media_active');
    await elena.getByText('In the meeting').waitFor();
    const picture = elena.getByRole('img', { name: 'What Elena (AI) sees in the meeting' });
    await picture.waitFor();
    // The content policy of the console lets it be seen.
    await expect
      .poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(1280);
    expect(await elena.getByRole('link', { name: /Its conversation/ }).getAttribute('href')).toBe(
      `#/sessions/${sessionId}`,
    );
    expect(await accessibilityProblems(page)).toEqual([]);

    await elena.getByRole('button', { name: 'Call back' }).click();
    await page
      .getByRole('dialog', { name: /^Call Elena/ })
      .getByRole('button', { name: 'Call back' })
      .click();
    await elena.getByText('Cancelled').waitFor();
    expect(await picture.count()).toBe(0);
    await expect.poll(async () => (await service.read(request.inviteId))['status']).toBe('cancelled');
  });

  it('plans a visit, cancels it, and says in words why another one failed', async () => {
    const { page } = browser;
    const form = page.getByRole('form', { name: 'Invite' });
    await form.getByLabel('Link of the meeting').fill('zoom.us/j/456');
    await form.getByLabel('Name in the meeting').fill('The notary');
    await form.getByText('At a time').click();
    await form.getByRole('button', { name: 'Plan it' }).click();
    const planned = card('The notary (AI)');
    await planned.getByText('Planned').waitFor();
    await planned.getByRole('button', { name: 'Cancel The notary (AI)' }).click();
    await planned.getByText('Cancelled').waitFor();

    await form.getByText('Now', { exact: true }).click();
    await form.getByLabel('Link of the meeting').fill('zoom.us/j/789');
    await form.getByLabel('Who goes').selectOption({ label: 'Leo' });
    await form.getByRole('button', { name: 'Send it in' }).click();
    const leo = card('Leo (AI)');
    await leo.getByText('Joining').waitFor();
    const { handlers } = await visitTo('https://zoom.us/j/789');
    handlers.ended({ state: 'error', reason: 'join_denied', message: 'The meeting did not let the persona in.' });
    await leo.getByText('Failed').waitFor();
    await leo.getByText('The meeting did not let the persona in.').waitFor();
  });

  it('fits on a phone, in the light and in the dark', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 360, height: 740 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    }
  });
});

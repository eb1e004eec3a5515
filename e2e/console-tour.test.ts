import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { launchBrowser, type TestBrowser } from '../engine/testing/browser.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

/** The browser's question about the microphone, which a browser without a window does not show: answered by the test. */
const ASK = `{
  const capture = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const allowed = await new Promise((answer) => (globalThis.answerMicrophone = answer));
    if (!allowed) throw new DOMException('', 'NotAllowedError');
    return capture(wanted);
  };
}`;
const answerMicrophone = (page: Page, allowed: boolean): Promise<unknown> =>
  page.evaluate(`globalThis.answerMicrophone(${allowed})`);

/** Somebody opens a new service for the first time and is led to a conversation and to its record. */
describe.each([
  ['desktop', 1280, []],
  // The whole way is in every run.
  ['phone', 390, ['nightly']],
] as const)('the tour on a %s', (_name, width, tags) => {
  let service: ServiceAccess;
  let browser: TestBrowser;
  let page: Page;
  let card: Locator;

  // Only a service that was never talked to invites to the tour: the tests that talk are the last ones.
  beforeAll(async () => {
    service = await sharedService();
  });
  beforeEach(async () => {
    browser = await launchBrowser({ width, height: width === 390 ? 844 : 800 });
    ({ page } = browser);
    card = page.getByRole('dialog');
    await page.addInitScript(ASK);
    await page.goto(`${service.url}/#key=${service.apiKey}`);
    await page.getByRole('article').first().waitFor();
  });
  afterEach(() => browser?.close());

  const step = (number: number): Promise<void> => card.getByText(`step ${number} of 6`).waitFor();
  /** Moves the focus to what the card points at, by the keyboard alone. */
  async function show(): Promise<void> {
    await card.getByRole('button', { name: 'Show it' }).focus();
    await page.keyboard.press('Enter');
  }
  /** The card moves to its place, and passes its target on the way. */
  async function cardIsBesideItsTarget(): Promise<void> {
    await expect.poll(() => placeOfCard()).toEqual({ coversTarget: false, targetIsReached: true, overflow: false });
  }
  async function placeOfCard() {
    const [ring, box] = [await page.locator('.tour-ring').boundingBox(), await card.boundingBox()];
    if (ring === null || box === null) return 'The tour points at nothing.';
    const middle = [ring.x + ring.width / 2, ring.y + ring.height / 2];
    return {
      coversTarget:
        Math.min(ring.x + ring.width, box.x + box.width) > Math.max(ring.x, box.x) &&
        Math.min(ring.y + ring.height, box.y + box.height) > Math.max(ring.y, box.y),
      // Nothing else, for example the open menu, lies over it.
      targetIsReached: await page.evaluate(
        `document.elementFromPoint(${middle.join()})?.closest('[data-tour], a') !== null`,
      ),
      overflow: (await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) > 0,
    };
  }

  async function openHelp(): Promise<void> {
    if (width === 390) await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Help' }).click();
  }

  it('leaves, is remembered, and starts again from the help menu', { tags: [...tags] }, async () => {
    const invitation = page.getByRole('region', { name: 'New here?' });
    await invitation.getByRole('button', { name: 'Take the tour' }).click();
    await step(1);
    // It takes the focus when it has been painted.
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('role')")).toBe('dialog');
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('article').first().waitFor();
    expect(await invitation.count()).toBe(0);
    await openHelp();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take the tour' }).click();
    await step(1);
    await cardIsBesideItsTarget();
    await page.reload();
    await step(1);
  });

  it('leads by the keyboard to a conversation, and to its record', async () => {
    await page.getByRole('button', { name: 'Take the tour' }).focus();
    await page.keyboard.press('Enter');
    await step(1);
    await cardIsBesideItsTarget();
    expect(await accessibilityProblems(page)).toEqual([]);
    await show();
    await page.keyboard.press('Enter');

    await step(2);
    expect(await accessibilityProblems(page)).toEqual([]);
    await answerMicrophone(page, true);

    await step(3);
    await card.getByText('Say something').waitFor();
    await cardIsBesideItsTarget();
    expect(await accessibilityProblems(page)).toEqual([]);
    await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).isEnabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Message' }).fill('What can you do?');
    await page.keyboard.press('Enter');

    await step(4);
    await cardIsBesideItsTarget();
    await show();
    await page.keyboard.press('Enter');

    await step(5);
    await cardIsBesideItsTarget();
    expect(await accessibilityProblems(page)).toEqual([]);
    await show();
    await page.keyboard.press('Enter');

    await step(6);
    await page.getByRole('heading', { name: 'Transcript' }).waitFor();
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await card.getByRole('button', { name: 'Done' }).click();
    await card.waitFor({ state: 'detached' });
    await page.goto(`${service.url}/#/`);
    await page.reload();
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('button', { name: 'Take the tour' }).count()).toBe(0);
  });

  it(
    'goes on with typing when the microphone is refused, and back from another page',
    { tags: [...tags] },
    async () => {
      await openHelp();
      await page.getByRole('button', { name: 'Take the tour' }).click();
      await page.goto(`${service.url}/#/settings`);
      await card.getByRole('link', { name: 'Go there' }).click();
      await page.getByRole('button', { name: 'Talk with Elena' }).click();
      await step(2);
      await answerMicrophone(page, false);
      await step(3);
      await card.getByText('Write something').waitFor();
      await card.getByRole('button', { name: 'Leave the tour' }).click();
      await card.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'End the conversation' }).click();
    },
  );
});

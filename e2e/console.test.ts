import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from '../engine/testing/browser.ts';
import { writeMicrophoneWav } from './support/microphone-wav.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

/** Longer than an answer takes. */
const PAUSE_SECONDS = 6;

/** Somebody opens the address that the service printed, picks a persona and talks: three spoken turns. */
describe('the console', () => {
  let service: ServiceAccess;
  let browser: TestBrowser | undefined;
  let dir: string;
  let microphone: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'parley-console-'));
    microphone = join(dir, 'microphone.wav');
    // It starts over at the end, so that somebody speaks whenever the conversation begins.
    await writeMicrophoneWav(
      microphone,
      ['My name is Robert.', 'What is your name?', 'Thank you very much.'].map((text) => ({
        afterSeconds: PAUSE_SECONDS,
        text,
      })),
    );
    service = await sharedService();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(dir, { recursive: true, force: true });
  });

  /** A fresh one for each attempt; the one before stays until then, to be looked at when it failed. */
  async function openConsole(): Promise<TestBrowser> {
    await browser?.close();
    browser = await launchBrowser({ microphone });
    await browser.page.goto(`${service.url}/#key=${service.apiKey}`);
    return browser;
  }

  it('shows whom one can talk to, with images', async () => {
    const { page } = await openConsole();
    await page.getByRole('button', { name: 'Talk with Elena' }).waitFor();
    await expect
      .poll(() =>
        page.evaluate('[...document.images].filter((image) => image.complete && image.naturalWidth > 0).length'),
      )
      .toBeGreaterThanOrEqual(3);
  });

  it('holds a spoken conversation, with captions and the time of each turn, and finds it again among the sessions', async () => {
    const { page, lines } = await openConsole();
    await page.getByRole('button', { name: 'Talk with Elena' }).click();
    await page.locator('.bubble.persona').first().waitFor();
    const said = (): Promise<number> => page.locator('.bubble.user').count();
    const answered = (): Promise<number> => page.locator('.bubble.persona').count();
    for (const turn of [1, 2, 3]) {
      await expect.poll(said).toBeGreaterThanOrEqual(turn);
      await expect.poll(answered).toBeGreaterThan(turn);
    }
    await expect
      .poll(() => page.evaluate('document.querySelector("video").getVideoPlaybackQuality().totalVideoFrames'))
      .toBeGreaterThan(250);
    await page.getByRole('tab', { name: 'Timing' }).click();
    await expect.poll(() => page.locator('figure.waterfall').count()).toBeGreaterThanOrEqual(3);

    await page.getByRole('button', { name: 'End the conversation' }).click();
    await page.goto(`${service.url}/#/sessions`);
    await page.getByText('Elena').filter({ visible: true }).first().waitFor();
    await page.goto(`${service.url}/#/settings`);
    for (const [provider, result] of [
      ['pocketsphinx', 'Speech recognition, final'],
      ['offline', 'Voice, first sound'],
    ] as const)
      await page.getByRole('row').filter({ hasText: provider }).filter({ hasText: result }).waitFor();
    expect(lines.filter((line) => line.startsWith('[error]'))).toEqual([]);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { writeMicrophoneWav } from './support/microphone-wav.ts';
import { startService, type RunningService } from './support/service.ts';

/** Somebody opens the address that the service printed, picks a persona and talks: three spoken turns. */
describe('the console', () => {
  let service: RunningService;
  let browser: TestBrowser;
  let dir: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'parley-console-'));
    const microphone = join(dir, 'microphone.wav');
    await writeMicrophoneWav(microphone, [
      { afterSeconds: 9, text: 'My name is Robert.' },
      { afterSeconds: 9, text: 'What is your name?' },
      { afterSeconds: 9, text: 'Thank you very much.' },
      { afterSeconds: 30, text: 'Goodbye.' },
    ]);
    service = await startService();
    browser = await launchBrowser({ microphone });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('shows whom one can talk to, with pictures', async () => {
    await browser.page.goto(`${service.url}/#key=${service.apiKey}`);
    await browser.page.getByRole('button', { name: 'Talk with Elena' }).waitFor();
    await expect.poll(() => browser.page.evaluate('[...document.images].filter((image) => image.complete && image.naturalWidth > 0).length'), { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
  }, 90_000);

  it('holds a spoken conversation, with captions and the time of each turn', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Talk with Elena' }).click();
    await page.locator('.bubble.persona').first().waitFor({ timeout: 20_000 });
    const said = (): Promise<number> => page.locator('.bubble.user').count();
    const answered = (): Promise<number> => page.locator('.bubble.persona').count();
    await expect.poll(said, { timeout: 150_000 }).toBeGreaterThanOrEqual(3);
    await expect.poll(answered, { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
    expect(await page.evaluate('document.querySelector("video").getVideoPlaybackQuality().totalVideoFrames')).toBeGreaterThan(500);
    await page.getByRole('tab', { name: 'Timing' }).click();
    await expect.poll(() => page.locator('figure.waterfall').count(), { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
  }, 240_000);

  it('ends the conversation and finds it again among the sessions', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'End the conversation' }).click();
    await page.goto(`${service.url}/#/sessions`);
    await page.getByText('Elena').filter({ visible: true }).first().waitFor({ timeout: 10_000 });
    expect(browser.lines.filter((line) => line.startsWith('[error]'))).toEqual([]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { type AccountServer, json, startAccountServer } from '../models/tts/testing/account-server.ts';
import { wavFile } from '../models/stt/wav.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import { fieldProblem } from './support/field-problem.ts';
import { delayResponse } from './support/delay-response.ts';
import { type RunningService, startService } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

/** @returns a tone of so many seconds. */
const tone = (seconds: number): Buffer =>
  wavFile([Int16Array.from({ length: seconds * 16_000 }, (_, k) => 8_000 * Math.sin(k / 6))], 16_000);
const TONE = tone(3);
/** It still sounds when somebody looks, on a busy machine, too. */
const LONG_TONE = tone(60);

const KEEPS_WHAT_SOUNDED = `addEventListener('playing', () => (window.sounded += 1), true);`;

/** Voices are heard, found, copied and deleted by clicking. The account is a server that speaks ElevenLabs' format. */
describe('voices in the console', () => {
  let service: RunningService;
  let account: AccountServer;
  let copyAnswer: { readonly status: number; readonly body: object };
  let holdCopy: Promise<void>;

  beforeAll(async () => {
    account = await startAccountServer(({ method, path }, response) => {
      if (path === '/v2/voices')
        json(response, {
          has_more: false,
          voices: [
            {
              voice_id: 'heidi',
              name: 'Heidi',
              description: 'Warm and slow',
              labels: { gender: 'female', language: 'de' },
              preview_url: `${account.url}/samples/heidi`,
            },
          ],
        });
      else if (path === '/samples/heidi') response.writeHead(200, { 'content-type': 'audio/wav' }).end(LONG_TONE);
      else if (path === '/v1/voices/add') void holdCopy.then(() => json(response, copyAnswer.body, copyAnswer.status));
      else if (method === 'DELETE') json(response, { status: 'ok' });
      else response.writeHead(503).end();
    });
    service = await startService({
      env: { PARLEY_TTS_PROVIDER: 'elevenlabs', PARLEY_TTS_API_KEY: 'key-of-test', PARLEY_TTS_BASE_URL: account.url },
    });
  });
  afterAll(async () => {
    await service?.stop();
    await account?.close();
  });
  const browser = sharedBrowser(async () => {
    const launched = await launchBrowser();
    await launched.page.addInitScript(KEEPS_WHAT_SOUNDED);
    await launched.page.goto(`${service.url}/#key=${service.apiKey}`);
    await launched.page.getByRole('article').first().waitFor();
    return launched;
  });
  beforeEach(async () => {
    copyAnswer = { status: 200, body: { voice_id: 'copy-1', requires_verification: false } };
    holdCopy = Promise.resolve();
    await browser.page.evaluate('void (window.sounded = 0)');
    await browser.page.goto(`${service.url}/#/talk`);
    await browser.page.getByRole('link', { name: 'Voices' }).click();
    await row('Clara').waitFor();
  });

  const row = (name: string) => browser.page.getByRole('listitem').filter({ hasText: name });
  const names = () => browser.page.locator('.voices strong').allInnerTexts();
  /** How many recordings have begun to sound in this test: a short one may be over before anybody looks. */
  const sounded = () => browser.page.evaluate<number>('window.sounded');
  /** Of what sounds: s, and whether it sounds. An element that waits for its data does not. */
  const sound = () =>
    browser.page.evaluate<{ at: number; plays: boolean } | null>(
      `(audio => audio && { at: audio.currentTime, plays: !audio.paused && audio.currentTime > 0 })(document.querySelector('audio'))`,
    );

  it('plays a sample of a voice of this machine to its end', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Play the sample of Clara' }).click();
    await expect.poll(sounded).toBe(1);
    await expect.poll(async () => (await sound())?.at ?? 0).toBeGreaterThan(0.5);
    await page.getByRole('button', { name: 'Play the sample of Clara' }).waitFor();
    expect(await sound()).toMatchObject({ plays: false });
  });

  it('plays one at a time, the provider’s own sample, too, and stops when one leaves', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Play the sample of Otto' }).click();
    await expect.poll(sounded).toBe(1);
    await page.getByRole('button', { name: 'Play the sample of Heidi' }).click();
    await page.getByRole('button', { name: 'Stop the sample of Heidi' }).waitFor();
    await page.getByRole('button', { name: 'Play the sample of Otto' }).waitFor();
    await expect.poll(sounded).toBe(2);
    await expect.poll(async () => (await sound())?.at ?? 0).toBeGreaterThan(0.2);
    expect(await page.locator('audio').count()).toBe(1);
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await expect.poll(sound).toMatchObject({ plays: false });
  });

  it('is played and stopped by the keyboard', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Play the sample of Heidi' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(sound).toMatchObject({ plays: true });
    await page.keyboard.press('Space');
    await expect.poll(sound).toMatchObject({ plays: false });
  });

  it('plays a sample although its address has expired while the page was open', async () => {
    const { page } = browser;
    let refused = 0;
    await page.route('**/files/voice-samples/**', (route) => {
      refused += 1;
      return refused === 1
        ? route.fulfill({ status: 403, json: { error: 'Invalid or expired link', message: 'It has expired.' } })
        : route.continue();
    });
    await page.getByRole('button', { name: 'Play the sample of Russell' }).click();
    await expect.poll(sounded).toBe(1);
    expect(refused).toBeGreaterThan(1);
    await page.unrouteAll();
  });

  it('says a text of the user', async () => {
    const { page } = browser;
    await page.getByLabel('Hear your own text').fill('Welcome to the Brightwater Museum.');
    expect(await accessibilityProblems(page)).toEqual([]);
    const preview = await delayResponse(page, 'POST', /^\/v1\/voices\/[^/]+\/preview$/);
    await row('Clara').getByRole('button', { name: 'Say it' }).click();
    await row('Clara').getByRole('button', { name: /^Stop/u }).waitFor();
    await preview.release();
    await expect.poll(sounded).toBe(1);
    await expect.poll(async () => (await sound())?.at ?? 0).toBeGreaterThan(0.3);
    // Its service does not speak in this test.
    await row('Heidi').getByRole('button', { name: 'Say it' }).click();
    await row('Heidi').getByRole('alert').filter({ hasText: 'This voice cannot be heard now' }).waitFor();
  });

  it('finds voices by name, language, gender and service', async () => {
    const { page } = browser;
    await page.getByLabel('Search').fill('ru');
    await expect.poll(names).toEqual(['Russell']);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Language', { exact: true }).selectOption({ label: 'German' });
    await expect.poll(names).toEqual(['Heidi', 'Vera', 'Otto']);
    await page.getByLabel('Gender').selectOption('female');
    await expect.poll(names).toEqual(['Heidi', 'Vera']);
    await page.getByLabel('From').selectOption({ label: 'This machine' });
    await expect.poll(names).toEqual(['Vera']);
    await page.getByRole('status').filter({ hasText: '1 voice' }).waitFor();
    await page.getByLabel('Search').fill('nobody');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await expect.poll(async () => (await names()).length).toBe(7);
  });

  it('clones a voice with the consent of its speaker, and shows how far it is', async () => {
    const { page } = browser;
    const { promise, resolve } = Promise.withResolvers<void>();
    holdCopy = promise;
    await page.getByRole('button', { name: 'Clone a voice' }).click();
    const dialog = page.getByRole('dialog', { name: 'Clone a voice' });
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog
      .getByLabel('Recording', { exact: true })
      .setInputFiles({ name: 'me.wav', mimeType: 'audio/wav', buffer: TONE });
    await dialog.getByLabel('Name').fill('My voice');
    await dialog.getByLabel('Language of the recording').selectOption('de');
    await dialog.getByRole('button', { name: 'Clone the voice' }).click();
    // The consent comes before anything is sent.
    await expect.poll(() => fieldProblem(dialog.getByLabel(/has agreed to be copied/u))).toBe('Check this to go on.');
    await dialog.getByLabel(/has agreed to be copied/u).check();
    await dialog.getByRole('button', { name: 'Clone the voice' }).click();
    await dialog.getByText('ElevenLabs copies the voice…').waitFor();
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    resolve();
    await dialog.waitFor({ state: 'hidden' });
    await row('My voice').getByText('Yours').waitFor();
    const sent = account.seen.find(({ path }) => path === '/v1/voices/add')!.form!;
    expect((await (sent.get('files') as File).arrayBuffer()).byteLength).toBe(TONE.length);
    expect(sent.get('labels')).toBe('{"language":"de"}');
  });

  it('records the microphone to clone a voice: it is heard, made again, and sent', async () => {
    const { page } = browser;
    copyAnswer = { status: 200, body: { voice_id: 'copy-2', requires_verification: false } };
    await page.getByRole('button', { name: 'Clone a voice' }).click();
    const dialog = page.getByRole('dialog', { name: 'Clone a voice' });
    const button = (name: string) => dialog.getByRole('button', { name, exact: true });
    /** In seconds. Each is shown for a second only. */
    const recorded = async () => Number((await dialog.getByRole('timer').innerText()).replace('0:', ''));
    await dialog.getByLabel('Name').fill('Spoken voice');
    await dialog.getByLabel(/has agreed to be copied/u).check();
    await dialog.getByText('The microphone').click();
    await button('Clone the voice').click();
    await dialog
      .getByRole('group', { name: 'Recording', exact: true })
      .getByText('Choose a recording first.')
      .waitFor();
    await button('Record').click();
    await expect.poll(recorded).toBeGreaterThanOrEqual(2);
    expect(await accessibilityProblems(page)).toEqual([]);
    await button('Stop').press('Enter');
    await dialog.getByRole('button', { name: /^Listen/u }).click();
    await expect.poll(sounded).toBe(1);
    await button('Record again').click();
    await expect.poll(recorded).toBeGreaterThanOrEqual(1);
    await button('Stop').click();
    const status = dialog.getByRole('status').filter({ hasText: 'recorded.' });
    await status.waitFor();
    const told = await status.innerText();
    await button('Clone the voice').click();
    await dialog.waitFor({ state: 'hidden' });
    await row('Spoken voice').getByText('Yours').waitFor();
    const sent = account.seen.findLast(({ path }) => path === '/v1/voices/add')!.form!;
    const wav = Buffer.from(await (sent.get('files') as File).arrayBuffer());
    // What the page has told of, in one channel, of which something can be heard. A busy machine loses some.
    expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 12)).toBe('RIFFWAVE');
    const seconds = Math.floor((wav.length - 44) / 2 / 48_000);
    expect(told).toBe(`0:0${seconds} recorded.`);
    expect(wav.subarray(44).some((byte) => byte > 0x10 && byte < 0xf0)).toBe(true);
    await page.getByRole('button', { name: 'Delete Spoken voice' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await row('Spoken voice').waitFor({ state: 'detached' });
  });

  it('renames the copy, and deletes it here and at its service', async () => {
    const { page } = browser;
    await page.getByRole('button', { name: 'Rename My voice' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename My voice' });
    await dialog.getByLabel('Name').fill('');
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
    await expect.poll(() => fieldProblem(dialog.getByLabel('Name'))).toBe('Fill in “Name”.');
    await dialog.getByLabel('Name').fill('Front desk');
    await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
    await row('Front desk').waitFor();
    await page.getByRole('button', { name: 'Delete Front desk' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await row('Front desk').waitFor({ state: 'detached' });
    const deleted = account.seen.findLast(({ method }) => method === 'DELETE');
    expect(deleted).toMatchObject({ path: '/v1/voices/copy-1' });
  });

  it('says in words why a service does not clone, and keeps what was entered', async () => {
    const { page } = browser;
    copyAnswer = { status: 400, body: { detail: { status: 'voice_limit_reached', message: 'secret' } } };
    await page.getByRole('button', { name: 'Clone a voice' }).click();
    const dialog = page.getByRole('dialog', { name: 'Clone a voice' });
    await dialog.getByLabel('Name').fill('Second voice');
    await dialog.getByLabel(/has agreed to be copied/u).check();
    await dialog.getByRole('button', { name: 'Clone the voice' }).click();
    await expect
      .poll(() => fieldProblem(dialog.getByLabel('Recording', { exact: true })))
      .toBe('Choose a recording first.');
    await dialog
      .getByLabel('Recording', { exact: true })
      .setInputFiles({ name: 'me.wav', mimeType: 'audio/wav', buffer: TONE });
    await dialog.getByRole('button', { name: 'Clone the voice' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'ElevenLabs holds as many voices as the plan' }).waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Second voice');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });
});

describe('voices in the console of a service without accounts', () => {
  it('say why they cannot be cloned, and offer no button for it', async () => {
    const [service, browser] = [await sharedService(), await launchBrowser()];
    try {
      await browser.page.goto(`${service.url}/#key=${service.apiKey}`);
      await browser.page.getByRole('article').first().waitFor();
      await browser.page.getByRole('link', { name: 'Voices' }).click();
      await browser.page.getByText('Voice cloning is not available').waitFor();
      expect(await browser.page.getByRole('button', { name: 'Clone a voice' }).count()).toBe(0);
    } finally {
      await browser.close();
    }
  });
});

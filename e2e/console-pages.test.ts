import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { build } from 'vite';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { delayResponse, painted } from './support/delay-response.ts';
import { CONSOLE_KEY, STRANGE_KEY, startConsoleService, type ConsoleService } from './support/console-service.ts';

/**
 * The console in a real Chromium, against a service without an engine; the conversation is real WebRTC within the page.
 */

const WEB = join(import.meta.dirname, '../web');
const PORTRAIT = join(import.meta.dirname, 'fixtures/portraits/grace-hopper.jpg');
const PEER = join(import.meta.dirname, 'support/console-peer.js');
const TIMELINE = {
  turns: [
    {
      turnIndex: 1,
      correlationId: 'c1',
      userSpeechStartedAt: 1000,
      userSpeechEndedAt: 3000,
      endOfTurnAt: 3400,
      transcribedAt: 3450,
      llmRequestedAt: 3450,
      llmFirstOutputAt: 3700,
      synthesisStartedAt: 3700,
      synthesisFirstAudioAt: 3790,
      speakingStartedAt: 3820,
      speakingEndedAt: 6000,
      finishReason: 'completed',
      userText: 'When do you open?',
      personaText: 'At nine.',
      toolCallIds: [],
      providers: { stt: ['deepgram'], llm: ['openai house', 'anthropic claude'], tts: ['offline'] },
    },
  ],
  events: [{ at: 3430, kind: 'stt', label: 'heard: when do you open' }],
};
const SESSION = {
  id: 's1',
  personaId: 'p1',
  clientLabel: 'console',
  startTime: '2026-01-02T10:00:00.000Z',
  endTime: '2026-01-02T10:01:23.000Z',
  sessionLengthMs: 83_000,
  exitStatus: 'ERROR',
  end_reason: 'connection_lost',
  end_message: 'Connection lost.',
  personaConfig: { name: 'Museum guide' },
  toolCalls: [],
};

let service: ConsoleService | null = null;
/** Built aside: services of other test files serve what stands in `web/dist`. */
let dist: string;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'parley-console-pages-'));
  await build({ root: WEB, logLevel: 'error', build: { outDir: dist } });
});
afterEach(async () => {
  await browser.page.goto('about:blank');
  await service?.close();
  service = null;
});
afterAll(async () => {
  await rm(dist, { recursive: true, force: true });
});
const browser = sharedBrowser(async () => {
  const launched = await launchBrowser();
  await launched.page.addInitScript({ path: PEER });
  return launched;
});

async function open(fragment: string, options: Parameters<typeof startConsoleService>[1] = {}): Promise<Page> {
  service = await startConsoleService(dist, options);
  // The key comes with the address, as the start script prints it.
  await browser.page.goto(`${service.url}/#key=${CONSOLE_KEY}`);
  await browser.page.getByRole('article').first().waitFor();
  if (fragment !== '#/') await browser.page.goto(`${service.url}/${fragment}`);
  return browser.page;
}

async function talk(
  options: Parameters<typeof startConsoleService>[1] = {},
): Promise<{ page: Page; send: (messageType: string, data: object) => Promise<void> }> {
  const page = await open('#/', options);
  await page.getByRole('button', { name: 'Talk with Museum guide' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  const send = (messageType: string, data: object): Promise<void> =>
    page.evaluate(
      (message) =>
        (globalThis as unknown as { consolePeer: { sendData(message: object): void } }).consolePeer.sendData(message),
      { messageType, data },
    );
  return { page, send };
}

const speech = (role: string, content: string, last: boolean, { index = 0, interrupted = false } = {}) => ({
  message_id: `${role}-1`,
  content_index: index,
  content,
  role,
  end_of_speech: last,
  interrupted,
  user_action_correlation_id: 'c1',
});

describe('the first visit', () => {
  it('takes the key from the address and out of sight', async () => {
    const page = await open('#/');
    expect(page.url()).not.toContain(CONSOLE_KEY);
    await page.reload();
    await page.getByRole('article').first().waitFor();
  });

  /**
   * An editor whose lists could not be read stayed so in all of its parts: Chromium ends fetches with
   * ERR_NETWORK_CHANGED.
   */
  it('loads a view although the machine changes its network meanwhile', async () => {
    const page = await open('#/');
    let cut = 0;
    await page.route('**/v1/voices?*', (route) => (++cut < 3 ? route.abort('internetdisconnected') : route.continue()));
    await page.goto(`${service!.url}/#/personas/new`);
    await page.getByRole('heading', { level: 1, name: 'New persona' }).waitFor();
    await page.unrouteAll();
    expect(cut).toBe(3);
  });

  /** The invitation to the tour came later than the personas, and pushed them away below the pointer. */
  it('shows the personas where they stay', async () => {
    const page = await open('#/');
    const slow = await delayResponse(page, 'GET', /^\/v1\/sessions$/);
    const others = ['personas', 'avatars', 'voices'].map((list) =>
      page.waitForResponse((response) => response.url().includes(`/v1/${list}?`)),
    );
    await page.reload();
    await Promise.all(others);
    await painted(page);
    expect(await page.getByRole('article').count()).toBe(0);
    await slow.release();
    await page.getByRole('article').first().waitFor();
    expect(await page.getByRole('region', { name: 'New here?' }).count()).toBe(1);
  });

  it('asks for a key when there is none, and says when it is wrong', async () => {
    const page = await open('#/settings');
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByRole('textbox', { name: 'API key' }).fill('not-the-key');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('alert').filter({ hasText: 'The API key is not known.' }).waitFor();
  });
});

describe('a new service', () => {
  it('says how many faces are drawn, and is quiet about it afterwards', async () => {
    let facesDrawn = 1;
    const page = await open('#/', { facesDrawn: () => facesDrawn });
    const line = page.getByRole('status').filter({ hasText: 'Drawing faces' });
    await line.getByText('Drawing faces: 1 of 4').waitFor();
    facesDrawn = 3;
    await line.getByText('Drawing faces: 3 of 4').waitFor();
    expect(await line.locator('progress').getAttribute('value')).toBe('3');
    facesDrawn = 4;
    await line.waitFor({ state: 'detached' });
  });
});

describe('a conversation', () => {
  it('shows face, captions, floor and transcript', async () => {
    const { page, send } = await talk();
    await page.locator('video').waitFor({ state: 'visible' });
    await send('userSpeechStarted', { user_action_correlation_id: 'c1' });
    await page.locator('[data-floor="user"]').waitFor();
    await send('userSpeechEnded', { user_action_correlation_id: 'c1' });
    await page.locator('[data-floor="thinking"]').waitFor();
    await send('speechText', speech('user', 'When do you open?', true));
    await send('speechText', speech('persona', 'We open', false));
    await send('speechText', speech('persona', ' at nine.', false, { index: 1 }));
    await page.locator('[data-floor="persona"]').waitFor();
    await page.locator('.caption').getByText('We open at nine.').waitFor();
    await send('speechText', speech('persona', '', true, { index: 2, interrupted: true }));
    await page.locator('[data-floor="nobody"]').waitFor();
    expect(await page.locator('.bubble').allInnerTexts()).toEqual([
      expect.stringContaining('When do you open?'),
      expect.stringMatching(/We open at nine\.\s*interrupted/),
    ]);
  });

  it('sends what is typed, mutes, and hangs up', async () => {
    const { page } = await talk();
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello there');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
      (
        globalThis as unknown as { consolePeer: { received: { message_type: string; content?: string }[] } }
      ).consolePeer.received.some((message) => message.message_type === 'speech' && message.content === 'Hello there'),
    );
    await page.getByRole('button', { name: 'Mute the microphone' }).click();
    expect(await page.getByRole('button', { name: 'Mute the microphone' }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'End the conversation' }).click();
    await page.getByText('The conversation has ended.').waitFor();
    expect(service?.requests.find(({ path }) => path === '/v1/auth/session-token')?.body).toMatchObject({
      personaConfig: { personaId: 'p2' },
    });
  });

  it("shows where the time went by the service's own clock", async () => {
    const { page } = await talk({ timeline: TIMELINE });
    await page.getByRole('tab', { name: 'Timing' }).click();
    await page.getByText('820 ms').waitFor();
    expect(await page.locator('.track [data-stage]').count()).toBe(5);
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByText('Heard: when do you open').waitFor();
    await page.getByText('Your turn was over, 400 ms after your last sound').waitFor();
  });

  it('shows what it can see when the service does not tell', async () => {
    const { page, send } = await talk();
    await send('userSpeechStarted', { user_action_correlation_id: 'c1' });
    await send('userSpeechEnded', { user_action_correlation_id: 'c1' });
    await send('speechText', speech('user', 'Hello', true));
    await send('speechText', speech('persona', 'Hi', true));
    await page.getByRole('tab', { name: 'Timing' }).click();
    await page.locator('.waterfall').getByText('Hello').waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByText('You began to speak').waitFor();
  });

  it('goes on while one looks elsewhere', async () => {
    const { page, send } = await talk();
    await page.locator('video').waitFor({ state: 'visible' });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await send('speechText', speech('persona', 'Still here.', false));
    await page.getByRole('link', { name: 'Talk' }).click();
    await page.locator('.caption').getByText('Still here.').waitFor();
    expect(await page.locator('video').evaluate((video) => (video as unknown as { paused: boolean }).paused)).toBe(
      false,
    );
  });

  it('says why the service ended it', async () => {
    const { page } = await talk();
    await page.evaluate(() =>
      (
        globalThis as unknown as { consolePeer: { sendSignal(action: string, payload: string): void } }
      ).consolePeer.sendSignal('endsession', 'Maximum session length reached.'),
    );
    await page.getByText('Maximum session length reached.').waitFor();
    // The sentence stands over the whole image of the persona.
    const boxOf = (selector: string): Promise<unknown> => page.locator(selector).boundingBox();
    expect(await boxOf('.face .overlay')).toEqual(await boxOf('.face'));
    expect(await boxOf('.face > img')).toEqual(await boxOf('.face'));
    await page.getByRole('button', { name: 'Choose somebody else' }).click();
    await page.getByRole('heading', { name: 'Who would you like to talk to?' }).waitFor();
  });
});

it('gives a new persona a face from a photo', async () => {
  const page = await open('#/personas/new');
  await page.getByLabel('Name').fill('Grace');
  await page.getByLabel('From a photo').setInputFiles(PORTRAIT);
  await page.getByRole('radio', { name: 'Grace hopper' }).waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Grace', exact: true }).waitFor();
  expect(
    service?.requests.find(({ method, path }) => method === 'POST' && path === '/v1/personas')?.body,
  ).toMatchObject({ name: 'Grace', avatarId: 'own', llmId: 'l1' });
});

it('orders a video and shows how far it is', async () => {
  const page = await open('#/videos');
  await page.getByText('There are no videos yet.').waitFor();
  await page.getByLabel('Script').fill('Welcome.');
  await page.getByLabel('Face').selectOption({ label: 'Jonas' });
  await page.getByRole('button', { name: 'Make the video' }).click();
  await page.getByText('Being made').waitFor();
  expect(await page.getByRole('progressbar').getAttribute('value')).toBe('0.4');
  expect(
    service?.requests.find(({ method, path }) => method === 'POST' && path === '/v1/avatar-videos')?.body,
  ).toMatchObject({ script: 'Welcome.', avatarId: 'a2', voiceId: 'v1' });
});

it('looks back at a session', async () => {
  const page = await open('#/sessions', { sessions: [SESSION], timeline: TIMELINE });
  await page.getByRole('link', { name: 'Museum guide' }).click();
  await page.getByRole('heading', { name: 'Where the time went' }).waitFor();
  await page.getByText('When do you open tomorrow?').waitFor();
  await page.getByText('LLM: openai house → anthropic claude').waitFor();
  expect(await page.locator('.badge.bad').innerText()).toBe('Connection lost');
});

/** A link to `/#key=` replaced the key without a word: what was saved next went to somebody else's organization. */
it('asks before it takes the key of another organization from the address', async () => {
  const page = await open('#/settings');
  await page.goto('about:blank');
  await page.goto(`${service!.url}/#key=${STRANGE_KEY}`);
  const dialog = page.getByRole('dialog', { name: 'Use another API key?' });
  await dialog.getByText('Somebody else').waitFor();
  await dialog.getByText('Brightwater').waitFor();
  const stored = () => page.evaluate<string>('localStorage.getItem("parley.apiKey")');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  expect(await stored()).toBe(CONSOLE_KEY);
  expect(page.url()).not.toContain(STRANGE_KEY);

  await page.goto('about:blank');
  await page.goto(`${service!.url}/#key=${STRANGE_KEY}`);
  await dialog.getByRole('button', { name: 'Use the other key' }).click();
  await expect.poll(stored).toBe(STRANGE_KEY);
});

it('sets how speech is recognized for all personas', async () => {
  const page = await open('#/settings');
  expect(await page.getByLabel('Language of users').inputValue()).toBe('fr');
  await page.getByLabel('Language of users').selectOption('');
  await page.getByLabel('Recognizer').selectOption('openai');
  await page.getByLabel('Names and terms').fill('Brightwater, Zsófia,\nMira');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  expect(service?.requests.find(({ method }) => method === 'PUT')).toMatchObject({
    path: '/v1/organization/transcription',
    body: { languageCode: null, recognizer: 'openai', keyTerms: ['Brightwater', 'Zsófia', 'Mira'] },
  });
});

it('shows the operator how soon models answer', async () => {
  const latencies = [
    row('stt', 'final', 'deepgram', { p50Ms: 180, p95Ms: 420 }),
    row('llm', 'token', 'anthropic', {
      p50Ms: 540,
      p95Ms: 1310,
      failed: 2,
      lastFailure: { code: 'rate-limit', at: '2026-01-02T10:00:00.000Z' },
    }),
  ];
  const page = await open('#/settings', { latencies });
  const llm = page.getByRole('row').filter({ hasText: 'anthropic' });
  await expect.poll(() => llm.getByRole('cell').allInnerTexts()).toEqual(['540 ms', '1.31 s', '12']);
  await llm.getByText('2 failed (rate-limit)').waitFor();
  await llm.getByText('LLM, first token').waitFor();
});

function row(service: string, result: string, provider: string, fields: object): object {
  return { service, result, provider, answered: 12, failed: 0, lastFailure: null, ...fields };
}

describe.each([
  ['desktop', 1280, 800],
  ['phone', 390, 844],
] as const)('on a %s', (_name, width, height) => {
  it('fits, names every control, and reports no error', async () => {
    await browser.page.setViewportSize({ width, height });
    const before = browser.lines.length;
    for (const fragment of [
      '#/',
      '#/personas/p2',
      '#/personas/p2/behavior',
      '#/sessions',
      '#/sessions/s1',
      '#/videos',
      '#/settings',
    ]) {
      const page = await open(fragment, { sessions: [SESSION], timeline: TIMELINE });
      await page.locator('main h1').waitFor();
      await page.waitForFunction('document.querySelector("[aria-busy]") === null');
      expect(
        await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
        fragment,
      ).toBeLessThanOrEqual(0);
      const unnamed =
        await page.evaluate(`[...document.querySelectorAll('button, a, input, select, textarea')].filter((control) =>
        !(control.innerText || control.textContent || '').trim() && !control.getAttribute('aria-label') && !control.labels?.length).map((control) => control.outerHTML)`);
      expect(unnamed, fragment).toEqual([]);
      // Nothing on the page asks a service that is gone.
      await page.goto('about:blank');
      await service?.close();
    }
    // Resources that are not there (the fixture has no analytics) are answers, not faults of the page.
    expect(browser.lines.slice(before).filter((line) => line.startsWith('[error]') && !line.includes('404'))).toEqual(
      [],
    );
  });
});

/**
 * Takes the images of the console for the README and the guides, from the real service in a real Chromium: node
 * scripts/take-screenshots.ts [name.png …], without names all of them. Needs what the tests need, and a built console.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../engine/testing/browser.ts';
import { startService, type RunningService } from '../e2e/support/service.ts';

/** Larger images are reduced to a palette. */
const MAX_BYTES = 400_000;
const NAME = 'Elena, hotel concierge';
/**
 * Typed, so that the images do not depend on how well this machine's recognizer hears. The last answer is the longest.
 */
const QUESTIONS = ['What is your name?', 'When is breakfast?', 'When is the swimming pool open?'];
const KNOWLEDGE = `# The house

The swimming pool is open from six in the morning until nine in the evening, and towels are waiting for you beside the water.

Breakfast is served from seven to ten in the winter garden.
`;

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const work = await mkdtemp(join(tmpdir(), 'parley-screenshots-'));
const service = await startService();
try {
  await makeConcierge(service);
  const images: Readonly<Record<string, (name: string) => Promise<void>>> = {
    'console.png': (name) => takeConversation(name, { width: 1280, height: 800, tab: 'Timing' }),
    'console-phone.png': (name) => takeConversation(name, { width: 390, height: 844, tab: null }),
    'console-voices.png': takeVoices,
    'console-persona.png': (name) => takePersona(name, { part: 'basics' }),
    'console-persona-tools.png': (name) => takePersona(name, { part: 'tools' }),
    'console-persona-behavior.png': (name) => takePersona(name, { part: 'behavior', dark: true }),
    'console-persona-widget.png': (name) => takePersona(name, { part: 'widget' }),
    'console-persona-phone.png': (name) => takePersona(name, { part: 'voice', width: 390, height: 844 }),
  };
  const wanted = process.argv.slice(2);
  for (const [name, take] of Object.entries(images)) if (wanted.length === 0 || wanted.includes(name)) await take(name);
} finally {
  await service.stop();
  await rm(work, { recursive: true, force: true });
}

/** A persona with something to say. */
async function makeConcierge({ api, url, apiKey }: RunningService): Promise<void> {
  const group = await api<{ id: string }>('POST', '/v1/knowledge/groups', { name: 'The house' });
  const form = new FormData();
  form.set('file', new Blob([KNOWLEDGE], { type: 'text/markdown' }), 'house.md');
  const upload = await fetch(`${url}/v1/knowledge/groups/${group.id}/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form,
  });
  const document = (await upload.json()) as { id: string };
  while ((await api<{ status: string }>('GET', `/v1/knowledge/documents/${document.id}`)).status !== 'READY')
    await new Promise((resolve) => setTimeout(resolve, 200));
  const tool = await api<{ id: string }>('POST', '/v1/tools', {
    name: 'house',
    description: 'Information about the hotel: opening hours, meals, services.',
    type: 'SERVER_RAG',
    config: { documentFolderIds: [group.id] },
  });
  const first = async (path: string): Promise<string | undefined> =>
    (await api<{ data: { id: string }[] }>('GET', path)).data[0]?.id;
  await api('POST', '/v1/personas', {
    name: NAME,
    description: 'Knows the house, the hours and the way to the pool.',
    avatarId: await first('/v1/avatars?perPage=1'),
    voiceId: await first('/v1/voices?perPage=1'),
    systemPrompt: 'You are the concierge of a small hotel. Answer in one or two sentences.',
    initialMessage: 'Good evening, and welcome to the Brightwater. How can I help you?',
    toolIds: [tool.id],
    voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0 },
    widgetConfig: { callToAction: 'Ask me about your stay', allowedOrigins: ['https://brightwater.example'] },
  });
  await api('POST', '/v1/knowledge/groups', { name: 'Walks around the lake' });
  for (const [name, description] of [
    ['free_rooms', 'Tells which rooms are free. Use it when the user wants to book.'],
    ['show_map', 'Shows a place on the map beside the persona.'],
  ])
    await api('POST', '/v1/tools', { name, description, type: 'CLIENT' });
}

/** In the middle of a conversation. */
async function takeConversation(
  name: string,
  options: { width: number; height: number; tab: string | null },
): Promise<void> {
  const browser = await launchBrowser(options);
  const { page } = browser;
  try {
    await page.goto(`${service.url}/#key=${service.apiKey}`);
    await page.getByRole('button', { name: `Type with ${NAME}` }).click();
    await page.getByText(`${NAME} speaks`).waitFor({ timeout: 60_000 });
    for (const [index, question] of QUESTIONS.entries()) {
      await page.getByText(`${NAME} speaks`).waitFor({ state: 'detached', timeout: 30_000 });
      if (index === QUESTIONS.length - 1 && options.tab !== null)
        await page.getByRole('tab', { name: options.tab }).click();
      await page.getByLabel('Message', { exact: true }).fill(question);
      await page.keyboard.press('Enter');
      await page.getByText(`${NAME} speaks`).waitFor({ timeout: 30_000 });
    }
    // In mid-sentence: the caption has come some words far.
    await page.locator('.caption').filter({ hasText: /.{40}/su }).first().waitFor({ timeout: 30_000 });
    await keep(page, name);
  } finally {
    await browser.close();
  }
}

/** The list of voices, while one of them sounds. */
async function takeVoices(name: string): Promise<void> {
  const browser = await launchBrowser({ width: 1280, height: 860 });
  const { page } = browser;
  try {
    await page.goto(`${service.url}/#key=${service.apiKey}`);
    await page.getByRole('link', { name: 'Voices' }).click();
    await page.getByLabel('Hear your own text').fill('Good evening, and welcome to the Brightwater.');
    await page.getByRole('listitem').filter({ hasText: 'Clara' }).getByRole('button', { name: 'Say it' }).click();
    await page.locator('.play-button[data-state=playing]').waitFor();
    await isTrue(page, `document.querySelector('audio').currentTime > 1.2`);
    await keep(page, name);
  } finally {
    await browser.close();
  }
}

/** A part of the editor of the concierge. */
async function takePersona(
  name: string,
  { part, width = 1280, height = 900, dark = false }: { part: string; width?: number; height?: number; dark?: boolean },
): Promise<void> {
  const browser = await launchBrowser({ width, height });
  const { page } = browser;
  try {
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    await page.goto(`${service.url}/#key=${service.apiKey}`);
    await page.getByRole('link', { name: `Change ${NAME}` }).click();
    await page.getByRole('heading', { name: NAME }).waitFor();
    await page.goto(`${page.url()}/${part}`);
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await isTrue(
      page,
      '[...document.images].every((one) => one.complete || one.getBoundingClientRect().top > innerHeight)',
    );
    if (part === 'widget') await page.getByText('This is a preview.').waitFor();
    await keep(page, name);
  } finally {
    await browser.close();
  }
}

/** Waits in a way that the content policy of the console allows. */
async function isTrue(page: Page, expression: string): Promise<void> {
  for (let attempt = 0; (await page.evaluate(expression)) !== true; attempt++) {
    if (attempt === 200) throw new Error(`It does not become true: ${expression}`);
    await page.waitForTimeout(100);
  }
}

async function keep(page: Page, name: string): Promise<void> {
  const file = join(folder, name);
  await page.screenshot({ path: file });
  await reduce(file);
  console.log(`${name}  ${Math.round((await stat(file)).size / 1000)} kB`);
}

async function reduce(file: string): Promise<void> {
  if ((await stat(file)).size <= MAX_BYTES) return;
  const reduced = join(work, 'reduced.png');
  execFileSync('ffmpeg', [
    '-loglevel',
    'error',
    '-y',
    '-i',
    file,
    '-vf',
    'split[a][b];[a]palettegen=max_colors=255[p];[b][p]paletteuse=dither=bayer:bayer_scale=4',
    reduced,
  ]);
  await rename(reduced, file);
}

/**
 * Takes the images of the guide on drafts and versions, in the width of a desktop and of a phone: node
 * scripts/docs/take-persona-screenshots.ts [folder] [widths, such as 360,768,1280]. Somebody changes a persona only by clicks, in
 * the real service and a real Chromium. Needs what the tests need, ffmpeg, and a built console.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../engine/testing/browser.ts';
import { personaEditor } from '../../e2e/support/persona-editor.ts';
import { startService, type RunningService } from '../../e2e/support/service.ts';

const NAME = 'Elena, hotel concierge';
const HEIGHT = 860;
const folder = process.argv[2] ?? fileURLToPath(new URL('../../docs/images/', import.meta.url));
const widths = (process.argv[3] ?? '1280,390').split(',').map(Number);
const work = await mkdtemp(join(tmpdir(), 'parley-screenshots-'));
const service = await startService();
try {
  await makeConcierge(service);
  await takeAll(service);
} finally {
  await service.stop();
  await rm(work, { recursive: true, force: true });
}

async function makeConcierge({ api }: RunningService): Promise<void> {
  const { data } = await api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
  const { id } = await api<{ id: string }>('POST', '/v1/personas', {
    name: NAME,
    avatarId: data[0]?.id,
    systemPrompt: 'You are the concierge of a small hotel. Answer in one or two sentences.',
    initialMessage: 'Good evening, and welcome to the inn. How can I help you?',
  });
  for (const [name, lines, words] of [
    ['Says which hotel it is', [], ['Brightwater']],
    ['Greets before anything else', [], ['Good evening']],
    ['Does sums for a bill', ['What is 12 times 9?'], ['108']],
  ] as const)
    await api('POST', `/v1/personas/${id}/tests`, {
      name,
      user: { kind: 'lines', lines },
      checks: [{ kind: 'said', anyOf: words }],
    });
}

async function takeAll({ url, apiKey }: RunningService): Promise<void> {
  const browser = await launchBrowser({ width: 1280, height: HEIGHT });
  const { page } = browser;
  const { part, field, button } = personaEditor(() => page);
  try {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(`${url}/#key=${apiKey}`);
    await page.getByRole('link', { name: `Change ${NAME}` }).click();
    await part('Tests');
    await button('Test what is live').click();
    await page.getByText('2 passed, 1 failed.').waitFor();
    await keep(page, 'persona-test');
    await part('Basics');
    await field('First words').fill('Good evening, and welcome to the Brightwater. How can I help you?');
    await button('Try the draft').click();
    const trial = page.getByRole('complementary', { name: 'Trial of the draft' });
    await trial.getByText('Brightwater').first().waitFor();
    await keep(page, 'persona-draft');
    await button('End the trial').click();
    await button('Publish…').click();
    await page.getByRole('dialog').locator('ins').first().waitFor();
    await field('Note').fill('The house has its own name');
    await keep(page, 'persona-publish');
    await button('Publish').click();
    await page.getByText('Published as version 2.').waitFor();
    await part('Versions');
    await page.getByText('The house has its own name').waitFor();
    await keep(page, 'persona-versions');
    await page.getByRole('button', { name: 'Compare version 1' }).click();
    await page.getByRole('dialog').locator('del').first().waitFor();
    await keep(page, 'persona-compare');
    await button('Roll back').click();
    await page.getByText('Version 3 is live, as version 1 was.').waitFor();
    await page.getByText('Back to version 1').waitFor();
    await keep(page, 'persona-rolled-back');
  } finally {
    await browser.close();
  }
}

/** The same moment in each width. */
async function keep(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT });
    // A list that became narrower does not scroll to what is chosen by itself.
    await page.evaluate(
      `document.querySelector('.section-nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })`,
    );
    const taken = join(work, 'taken.png');
    await page.screenshot({ path: taken });
    const file = join(folder, `${name}${width === 1280 ? '' : width === 390 ? '-phone' : `-${width}`}.webp`);
    execFileSync('ffmpeg', ['-loglevel', 'error', '-y', '-i', taken, '-c:v', 'libwebp', '-quality', '82', file]);
    console.log(`${file}  ${Math.round((await stat(file)).size / 1000)} kB`);
  }
  await page.setViewportSize({ width: 1280, height: HEIGHT });
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from '../engine/testing/browser.ts';
import { PUBLISHED_PACKAGES } from '../models/packages/published.ts';
import { sha256 } from '../models/testing/archives.ts';
import { serveFiles, type FileServer } from '../models/testing/file-server.ts';
import { tinyOnnx } from '../models/testing/tiny-onnx.ts';
import { tinyPackages } from '../models/testing/tiny-packages.ts';
import { startService, type RunningService } from './support/service.ts';

/** Of the signature of the real one: the logistic function of the mean feature. */
const END_OF_TURN = tinyOnnx(
  { name: 'input_features', dims: [1, 80, 800] },
  [
    { type: 'ReduceMean', input: 'input_features', output: 'mean', attributes: { axes: [2, 1], keepdims: 0 } },
    { type: 'Sigmoid', input: 'mean', output: 'logits' },
  ],
  { name: 'logits', dims: [1] },
);

/** Those for the language of this test. */
const MODELS = 4;

/**
 * A slow network: what asks for a model is answered when all are asked for. They were asked for one after the other, and a
 * service that had fetched the first ones by then started again and did not hear the rest.
 */
async function answerAfterAll(page: Page, count: number): Promise<void> {
  const all = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/v1/local-models/*/fetch', async (route) => {
    const response = await route.fetch();
    if ((asked += 1) === count) all.resolve();
    await all.promise;
    await route.fulfill({ response });
  });
}

/** An operator clicks once, and the running service has neural models. */
describe('better models from the console', () => {
  let dir: string;
  let server: FileServer;
  let service: RunningService;
  let browser: TestBrowser;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'parley-download-models-'));
    const tiny = await tinyPackages([]);
    server = await serveFiles({ ...tiny.files, 'end-of-turn.onnx': END_OF_TURN });
    const endOfTurn = {
      ...PUBLISHED_PACKAGES.find(({ id }) => id === 'smart-turn'),
      sources: [
        {
          type: 'publisher',
          url: `${server.url}/end-of-turn.onnx`,
          sha256: sha256(END_OF_TURN),
          bytes: END_OF_TURN.length,
          archive: null,
        },
      ],
    };
    // A language for which nothing else is published: nothing is fetched from the internet.
    const dutch = tiny.packages(server.url).map((each) => ({ ...each, languages: ['nl'] }));
    const others = PUBLISHED_PACKAGES.filter(({ languages }) => languages.includes('nl'));
    const notDutch = others.map((each) => ({ ...each, languages: ['cy'] }));
    writeFileSync(join(dir, 'list.json'), JSON.stringify([...dutch, endOfTurn, ...notDutch]));
    service = await startService({ env: { PARLEY_MODELS_LIST: join(dir, 'list.json') } });
    browser = await launchBrowser({});
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await server?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const voices = async (): Promise<string[]> =>
    (await service.api<{ data: { displayName: string }[] }>('GET', '/v1/voices')).data.map((each) => each.displayName);

  it('are fetched with one click, and are used without a restart by hand', async () => {
    const { page } = browser;
    expect(await voices()).not.toContain('Tester');
    await page.goto(`${service.url}/#key=${service.apiKey}`);
    await page.goto(`${service.url}/#/settings`);
    const card = page.getByRole('region', { name: 'Better models' });
    await card.getByRole('combobox', { name: /^Language/ }).selectOption({ label: 'Dutch' });
    await card.getByText('CC0-1.0').first().waitFor();
    await answerAfterAll(page, MODELS);
    await card.getByRole('button', { name: /^Download better models/ }).click();
    await expect.poll(() => card.getByText('In use').count()).toBe(MODELS);
    expect(await voices()).toContain('Tester');
    expect(server.asked).toHaveLength(MODELS);
    // The page may see them before the banner of the new start is read here.
    await expect.poll(() => service.output()).toContain('Neural models on this machine');
  });
});

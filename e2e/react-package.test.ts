import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from '../engine/testing/browser.ts';
import { codeBlocks } from './support/code-blocks.ts';
import { clientPackage, installTarballs, packInstalled } from './support/packages.ts';
import { serveProject, type ProjectSite } from './support/project-site.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

const EXAMPLE = join(import.meta.dirname, '../clients/react/example');

/** The package as npm would deliver it, in projects of its users, built by Vite. */
describe('@parley/react', () => {
  let project: string;
  let service: ServiceAccess;
  let site: ProjectSite | undefined;
  let browser: TestBrowser | undefined;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'parley-react-'));
    const packed = [clientPackage('client'), clientPackage('react')];
    for (const name of ['react', 'react-dom', 'scheduler']) packed.push(await packInstalled(name, project));
    await installTarballs(project, packed);
    service = await sharedService();
  });
  afterEach(async () => {
    await browser?.close();
    await site?.close();
  });
  afterAll(async () => {
    await rm(project, { recursive: true, force: true });
  });

  /** Builds what stands in the project, and opens it. */
  async function open(tool: object): Promise<Page> {
    await build({ root: project, logLevel: 'error', build: { outDir: 'dist', emptyOutDir: true } });
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
    site = await serveProject(join(project, 'dist'), {
      sessionToken: async () =>
        (
          await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
            personaConfig: { name: 'Ada', avatarId: data[0]?.id, initialMessage: 'Hello there.', tools: [tool] },
          })
        ).sessionToken,
    });
    browser = await launchBrowser();
    await browser.page.addInitScript((url) => Object.assign(globalThis, { PARLEY_URL: url }), service.url);
    await browser.page.goto(site.url);
    return browser.page;
  }

  const tool = (name: string, description: string, parameter: string) => ({
    type: 'client',
    name,
    description,
    parameters: { type: 'object', properties: { [parameter]: { type: 'string' } }, required: [parameter] },
    awaitResult: true,
  });

  const weather = tool('show_weather', 'Shows the weather of a city on the page.', 'city');

  async function write(markdown: string): Promise<void> {
    const [example] = codeBlocks(markdown, 'tsx');
    await rm(join(project, 'src'), { recursive: true, force: true });
    await mkdir(join(project, 'src'));
    await writeFile(join(project, 'src/main.tsx'), example!.replace('https://talk.example.com', service.url));
    await cp(join(EXAMPLE, 'index.html'), join(project, 'index.html'));
    await cp(join(EXAMPLE, 'tsconfig.json'), join(project, 'tsconfig.json'));
  }

  it('contains its build, its README and its license', async () => {
    const folder = join(project, 'node_modules/@parley/react');
    const files = await readdir(folder, { recursive: true });
    expect(files.filter((file) => !file.startsWith('dist/types/')).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist',
      'dist/react.mjs',
      'dist/types',
      'package.json',
    ]);
    expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toContain('Apache License');
    // Next.js ran it on its server, where React has no `createContext`: the build of a page with `<Persona>` failed.
    expect(await readFile(join(folder, 'dist/react.mjs'), 'utf8')).toMatch(/^["']use client["'];/);
  });

  // The code of its guide, which is more of the same, is in every run.
  it('runs the example of its README', { tags: ['nightly'] }, async () => {
    await write(await readFile(join(project, 'node_modules/@parley/react/README.md'), 'utf8'));
    const page = await open(weather);
    await page.getByRole('button', { name: 'Talk' }).click();
    await page.locator('p.persona').getByText('Hello there.').waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Talk' }).waitFor();
  });

  it('runs the code of its guide', async () => {
    await write(await readFile(join(import.meta.dirname, '../docs/guides/react-client.md'), 'utf8'));
    const page = await open(weather);
    await page.getByRole('button', { name: 'Talk' }).click();
    await page.locator('p.persona').getByText('Hello there.').waitFor();
    await page.getByRole('button', { name: 'Weather' }).click();
    await page.locator('output').getByText('The weather in Paris').waitFor();
    await page.locator('p.persona').nth(1).waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Talk' }).waitFor();
    expect(browser?.lines.filter((line) => line.startsWith('[error]') && !line.includes('404'))).toEqual([]);
    expect(browser?.lines).toContain('[log] The conversation was ended.');
  });

  it('is all that the example application needs', async () => {
    await rm(join(project, 'src'), { recursive: true, force: true });
    await cp(join(EXAMPLE, 'src'), join(project, 'src'), { recursive: true });
    const page = await open(tool('set_theme', 'Sets the theme of the page, dark or light.', 'theme'));
    await page.getByRole('button', { name: 'Talk' }).click();
    await page.getByText('Hello there.').waitFor();
    // Words and pictures come over channels of their own.
    await expect.poll(() => page.evaluate('document.querySelector("video").videoWidth')).toBe(720);
    await page.getByLabel('Message').fill('Please set the theme to dark.');
    await page.keyboard.press('Enter');
    await page.locator('main[data-theme]').waitFor();
    await page.locator('li[data-role="persona"]').nth(1).waitFor();
    const lines = await page.locator('li[data-role="user"]').allInnerTexts();
    expect(lines).toEqual(['Please set the theme to dark.']);
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('button', { name: 'Unmute' }).waitFor();

    // The conversation outlives its page.
    await page.reload();
    await page.getByText('Please set the theme to dark.').waitFor();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('button', { name: 'Talk' }).waitFor();
    expect(browser?.lines.filter((line) => line.startsWith('[error]') && !line.includes('404'))).toEqual([]);
  });
});

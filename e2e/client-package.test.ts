import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from '../engine/testing/browser.ts';
import { codeBlocks } from './support/code-blocks.ts';
import { installTarballs } from './support/packages.ts';
import { serveProject, type ProjectSite } from './support/project-site.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

const run = promisify(execFile);

/** Compressed; both builds. */
const MAX_BYTES = 25_000;

/** The package as a running service gives it to npm, in an empty project. */
describe('@parley/client', () => {
  let project: string;
  let service: ServiceAccess;
  let site: ProjectSite | undefined;
  let browser: TestBrowser | undefined;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'parley-project-'));
    service = await sharedService();
    await installTarballs(project, [`${service.url}/clients/parley-client.tgz`]);
  });
  afterEach(async () => {
    await browser?.close();
    await site?.close();
  });
  afterAll(async () => {
    await rm(project, { recursive: true, force: true });
  });

  const installed = (file: string): string => join(project, 'node_modules/@parley/client', file);

  it('is small', async () => {
    for (const file of ['dist/client.mjs', 'dist/client.js'])
      expect(gzipSync(await readFile(installed(file)), { level: 9 }).length, file).toBeLessThan(MAX_BYTES);
  });

  it('is as small, beside the public SDK, as the page that compares them says', async () => {
    const sdk = join(dirname(createRequire(import.meta.url).resolve('@anam-ai/js-sdk')), '../umd/anam.js');
    const sizes = await Promise.all(
      [sdk, installed('dist/client.js')].map(async (file) => gzipSync(await readFile(file), { level: 9 }).length),
    );
    const page = await readFile(join(import.meta.dirname, '../docs/guides/compared-with-the-public-sdk.md'), 'utf8');
    expect(page).toContain(`script | ${sizes.map((bytes) => `${Math.round(bytes / 1000)} kB`).join(' | ')} |`);
  });

  it('contains its build, its README and its license', async () => {
    const files = await readdir(installed('.'), { recursive: true });
    expect(files.filter((file) => !file.startsWith('dist/types/')).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist',
      'dist/client.js',
      'dist/client.mjs',
      'dist/types',
      'package.json',
    ]);
    expect(await readFile(installed('LICENSE'), 'utf8')).toContain('Apache License');
  });

  it('tells TypeScript its events and options', async () => {
    await writeFile(
      join(project, 'main.ts'),
      `import { createClient, type ClientError, type Message } from '@parley/client';
       const client = createClient('a.b.c', { resume: true });
       client.addListener('MESSAGE_HISTORY_UPDATED', (messages: readonly Message[]) => messages.length);
       client.addListener('MIC_PERMISSION_DENIED', (_, error: ClientError) => error.code === 'microphone_denied');
       // @ts-expect-error There is no such event.
       client.addListener('NO_SUCH_EVENT', () => undefined);`,
    );
    const tsc = join(import.meta.dirname, '../node_modules/.bin/tsc');
    for (const resolution of ['bundler', 'nodenext']) {
      const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
      const options = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023,dom', '--module', module];
      await run(tsc, [...options, '--moduleResolution', resolution, 'main.ts'], { cwd: project });
    }
  });

  const tool = (name: string, description: string, parameter: string) => ({
    type: 'client',
    name,
    description,
    parameters: { type: 'object', properties: { [parameter]: { type: 'string' } }, required: [parameter] },
    awaitResult: true,
  });

  /** A page that runs a module, with a persona that has these tools. */
  async function open(module: string, body: string, tools: readonly object[]): Promise<Page> {
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
    site = await serveProject(project, {
      module: module.replaceAll('https://talk.example.com', service.url),
      body,
      sessionToken: async () =>
        (
          await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
            personaConfig: { name: 'Ada', avatarId: data[0]?.id, skipGreeting: true, tools },
          })
        ).sessionToken,
    });
    browser = await launchBrowser();
    await browser.page.goto(site.url);
    return browser.page;
  }

  const complaints = () => browser?.lines.filter((line) => line.startsWith('[error]') && !line.includes('404'));

  it('runs the example of its README', async () => {
    const [example] = codeBlocks(await readFile(installed('README.md'), 'utf8'), 'js');
    const weather = tool('show_weather', 'Shows the weather of a city on the page.', 'city');
    const page = await open(example!, '<video id="persona"></video>', [weather]);
    await expect.poll(() => page.title()).toContain('Sunny in Paris');
    await expect.poll(() => page.evaluate('document.querySelector("video").videoWidth')).toBe(720);
    expect(complaints()).toEqual([]);
  });

  it('runs all code of its guide', async () => {
    const guide = await readFile(join(import.meta.dirname, '../docs/guides/javascript-client.md'), 'utf8');
    const body = `<video id="persona"></video><p id="state"></p><pre id="transcript"></pre><p id="caption"></p>
      <meter id="level"></meter>`;
    const page = await open([...codeBlocks(guide, 'js'), "document.title = 'The end';"].join('\n'), body, [
      tool('set_theme', 'Sets the theme of the page, dark or light.', 'theme'),
    ]);
    await expect.poll(() => page.title()).toBe('The end');
    expect(await page.locator('#state').textContent()).toBe('stopped: The conversation was ended.');
    expect(await page.locator('#transcript').textContent()).toContain('user: What is your name?');
    expect(await page.locator('body').getAttribute('data-theme')).toContain('dark');
    expect(browser?.lines).toContainEqual(expect.stringMatching(/update_rejected .*languageCode/));
    expect(complaints()).toEqual([]);
  });

  it('is loaded by a page without npm from the service', async () => {
    const page = await open(
      "document.title = [typeof Parley.createClient, Parley.ClientEvent.SESSION_READY].join(' ');",
      `<script src="${service.url}/client.js"></script>`,
      [],
    );
    await expect.poll(() => page.title()).toBe('function SESSION_READY');
    expect(complaints()).toEqual([]);
  });
});

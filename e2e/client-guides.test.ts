import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from '../engine/testing/browser.ts';
import { codeBlocks } from './support/code-blocks.ts';
import { serveCrossOriginSite, type CrossOriginSite } from './support/cross-origin-site.ts';
import { serveProject, type ProjectSite } from './support/project-site.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

const run = promisify(execFile);

/** The public one talks in many tests of every run. */
const CLIENTS = {
  '@parley/client': { client: join(import.meta.dirname, '../clients/js/src/index.ts'), tags: [] },
  '@anam-ai/js-sdk': { client: createRequire(import.meta.url).resolve('@anam-ai/js-sdk'), tags: ['nightly'] },
};

/** The color of the button that starts a conversation. */
const accentOfWidget = `getComputedStyle(
  document.querySelector('parley-persona').shadowRoot.querySelector('.button.primary'),
).backgroundColor`;

/**
 * The code of the guides for web sites, as it is written there. `javascript-client.md` and others have tests of their
 * own.
 */
describe('the code of the guide', () => {
  let service: ServiceAccess;
  let personaId: string;
  let folder: string;
  let browser: TestBrowser | undefined;
  let site: CrossOriginSite | ProjectSite | undefined;

  beforeAll(async () => {
    service = await sharedService();
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
    const persona = await service.api<{ id: string }>('POST', '/v1/personas', {
      name: 'Elena',
      avatarId: data[0]?.id,
      initialMessage: 'Welcome to the shop.',
    });
    personaId = persona.id;
    folder = await mkdtemp(join(tmpdir(), 'parley-guides-'));
  });
  afterEach(async () => {
    await browser?.close();
    await site?.close();
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** With the address of this service, and the persona of this test. */
  async function blocks(guide: string, language: string): Promise<string[]> {
    const text = await readFile(join(import.meta.dirname, '../docs/guides', guide), 'utf8');
    return codeBlocks(text, language).map((code) =>
      code
        .replaceAll('https://talk.example.com', service.url)
        .replaceAll(/85dc37f8-b9d5-4e0c-b988-a1c1fe64068c|(?<=personaId"?: ["'])…/g, personaId),
    );
  }

  describe('widget.md', () => {
    async function open(html: string): Promise<TestBrowser> {
      const [styles] = await blocks('widget.md', 'css');
      const [events] = await blocks('widget.md', 'js');
      const body = `<main><h1>A shop</h1>${html}</main><style>${styles}</style><script>${events}</script>`;
      const made = await serveCrossOriginSite('localhost', body);
      site = made;
      await service.api('PUT', `/v1/personas/${personaId}`, { widgetConfig: { allowedOrigins: [made.origin] } });
      browser = await launchBrowser();
      await browser.page.goto(made.origin);
      return browser;
    }

    it.each([
      ['in a corner', 0],
      ['in the text', 1],
    ])('puts the widget %s of a page, in its colors, and tells the page what happens', async (_where, index) => {
      const pages = await blocks('widget.md', 'html');
      expect(pages).toHaveLength(2);
      const { page, lines } = await open(pages[index]!);
      await page.getByRole('button', { name: 'Start talking' }).waitFor();
      // The widget draws its buttons anew when it has heard of the persona: there is a moment without any.
      await expect.poll(() => page.evaluate(accentOfWidget).catch(String)).toBe('rgb(10, 107, 79)');
      await page.getByRole('button', { name: 'Type instead' }).click();
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await page.getByRole('button', { name: 'End conversation' }).click();
      await expect.poll(() => lines.at(-1)).toBe('[log] stopped');
      expect(lines).toContainEqual(expect.stringMatching(/^\[log\] [\da-f-]{36}$/));
    });
  });

  it('share-links.md makes a link that works', async () => {
    const [curl] = await blocks('share-links.md', 'sh');
    const { stdout } = await run('bash', ['-c', curl!], { env: { ...process.env, KEY: service.apiKey } });
    const link = JSON.parse(stdout) as { token: string; usageLimit: number };
    expect(link.usageLimit).toBe(5);
    const shown = await fetch(`${service.url}/v1/shared/${link.token}`);
    expect(await shown.json()).toMatchObject({ persona: { name: 'Elena' } });
  });

  describe('embedding-the-client.md', () => {
    /** The first block runs on the server of the web site. */
    async function sessionToken(): Promise<string> {
      const [server] = await blocks('embedding-the-client.md', 'ts');
      const program = join(folder, 'server.ts');
      await writeFile(program, `${server}\nconsole.log(sessionToken);\n`);
      const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
        env: { ...process.env, PARLEY_KEY: service.apiKey },
      });
      return stdout.trim();
    }

    for (const [name, { client, tags }] of Object.entries(CLIENTS))
      it(`talks in a page with ${name}`, { tags }, async () => {
        const [, code = ''] = await blocks('embedding-the-client.md', 'ts');
        const [later = ''] = await blocks('embedding-the-client.md', 'js');
        const lines = code.trim().split('\n');
        const imports = lines.filter((line) => line.startsWith('import '));
        const page = lines.filter((line) => !line.startsWith('import '));
        const stop = page.pop();
        expect(stop).toBe('await client.stopStreaming();');
        await writeFile(
          join(folder, 'main.js'),
          `${imports.join('\n')}
        const { sessionToken } = await (await fetch('/session-token')).json();
        const showTranscript = (messages) => (document.title = messages.at(-1).content);
        const showEnd = (details) => console.log('the end', details ?? '');
        ${page.join('\n')}
        ${later}
        await new Promise((shown) => setInterval(() => document.title !== '' && shown(), 50));
        ${stop}
        document.body.append('The end');`,
        );
        await writeFile(
          join(folder, 'index.html'),
          '<!doctype html><title></title><video id="persona" autoplay playsinline></video><script type="module" src="/main.js"></script>',
        );
        await build({
          root: folder,
          logLevel: 'error',
          resolve: { alias: { '@parley/client': client } },
          build: { outDir: 'dist', emptyOutDir: true, target: 'es2023' },
        });
        site = await serveProject(join(folder, 'dist'), { sessionToken });
        browser = await launchBrowser();
        await browser.page.goto(site.url);
        await browser.page.getByText('The end').waitFor();
        expect(browser.lines).toContainEqual(expect.stringMatching(/^\[log\] the end/));
      });
  });
});

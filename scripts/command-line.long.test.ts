import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOfflineLlm } from '../models/llm/offline-llm.ts';
import { fakePorts } from '../control/testing/fake-ports.ts';
import { startTestService, type TestService } from '../control/testing/service.ts';
import { STOCK } from '../control/testing/stock.ts';
import { describeOnSqlite } from '../control/testing/stores.ts';

const PROGRAM = fileURLToPath(new URL('command-line.ts', import.meta.url));

describeOnSqlite('personas on the command line', (stores) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-command-'));
  let service: TestService;
  let url: string;
  beforeAll(async () => {
    const llm = createOfflineLlm();
    service = await startTestService(await stores.open(), {
      ports: { llms: { ...fakePorts([]).llms, stock: () => llm } },
    });
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
    const { body } = await service.send('POST', '/v1/personas', {
      name: 'Porter',
      avatarId: STOCK.avatar,
      systemPrompt: 'You are the porter.',
      initialMessage: 'Welcome to the inn.',
    });
    for (const [name, words] of [
      ['Greets', 'inn'],
      ['Names the house', 'harbor hotel'],
    ])
      await service.send('POST', `/v1/personas/${body.id}/tests`, {
        name,
        user: { kind: 'lines', lines: [] },
        checks: [{ kind: 'said', anyOf: [words] }],
      });
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const parley = (...args: string[]): Promise<{ status: number | null; out: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, ...args], {
        env: { ...process.env, PARLEY_URL: url, PARLEY_API_KEY: service.key },
      });
      let out = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += String(chunk)));
      child.on('close', (status) => resolve({ status, out }));
    });

  it('tests a persona, says why a test failed, and writes the same report twice', async () => {
    const [one, other] = [join(folder, 'one.json'), join(folder, 'other.json')];
    const junit = join(folder, 'junit.xml');
    const { status, out } = await parley('test', 'Porter', '--json', one, '--junit', junit);
    expect(out).toContain('ok     Greets');
    expect(out).toContain('FAILED Names the house\n         The persona says “harbor hotel”: It did not.');
    expect(out).toContain('1 of 2 passed.');
    expect(status).toBe(1);
    expect(readFileSync(junit, 'utf8')).toContain('<testsuites tests="2" failures="1">');
    await parley('test', 'Porter', '--json', other);
    expect(readFileSync(other)).toEqual(readFileSync(one));
  });

  it('keeps a persona and its tests as files, and publishes what was changed there', async () => {
    const files = join(folder, 'porter');
    expect((await parley('pull', 'Porter', files)).status).toBe(0);
    expect(readFileSync(join(files, 'prompt.md'), 'utf8')).toBe('You are the porter.\n');
    expect((await parley('diff', 'Porter', files)).out).toBe('Nothing differs.\n');
    const fields = JSON.parse(readFileSync(join(files, 'persona.json'), 'utf8')) as object;
    writeFileSync(
      join(files, 'persona.json'),
      JSON.stringify({ ...fields, initialMessage: 'Welcome to the Harbor Hotel, an inn.' }),
    );
    rmSync(join(files, 'tests', 'greets.json'));
    const { status, out } = await parley('diff', 'Porter', files);
    expect(status).toBe(1);
    expect(out).toContain('  - "Welcome to the inn."');
    expect(out).toContain('- test: Greets');
    expect((await parley('push', 'Porter', files)).out).toContain('The draft is saved.');
    expect((await parley('test', 'Porter', '--version', 'draft')).out).toContain('1 of 1 passed.');
    expect((await parley('push', 'Porter', files, '--publish', 'The house')).out).toContain('Published as version 2.');
    expect((await parley('test', 'Porter')).status).toBe(0);
  });

  it('says what is wrong', async () => {
    expect(await parley('test', 'Nobody')).toEqual({ status: 2, out: 'There is no persona "Nobody".\n' });
    expect((await parley('test', 'Porter', '--version', 'x')).out).toContain('--version is "draft" or a number');
    writeFileSync(join(folder, 'persona.json'), '{');
    expect((await parley('push', 'Porter', folder)).out).toContain('persona.json is not JSON.');
    expect((await parley('--help')).status).toBe(0);
    expect((await parley('fly', 'Porter')).status).toBe(2);
  });
});

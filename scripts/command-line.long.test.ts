import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOfflineLlm } from '../models/llm/offline-llm.ts';
import { Form } from '../control/testing/form.ts';
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
        env: { ...process.env, PARLEY_URL: url, PARLEY_API_KEY: service.key, SHOP_KEY: 'of-another-shop' },
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

  const shop = {
    description: 'Tells the price.',
    type: 'SERVER_WEBHOOK',
    config: { url: 'https://shop.example.com/price', method: 'POST', headers: { Authorization: 'Bearer of-the-shop' } },
  };

  it('keeps tools and knowledge as files, without secrets, and makes them anew where they are not', async () => {
    const make = async (path: string, body: unknown): Promise<string> =>
      (await service.send('POST', path, body)).body.id;
    const group = await make('/v1/knowledge/groups', { name: 'House rules' });
    const rules = new Form().file('file', 'rules.md', 'text/markdown', Buffer.from('Breakfast is from seven to ten.'));
    await make(`/v1/knowledge/groups/${group}/documents`, rules);
    const look = { description: 'Looks up.', type: 'SERVER_RAG', config: { documentFolderIds: [group] } };
    const toolIds = [
      await make('/v1/tools', { name: 'price', ...shop }),
      await make('/v1/tools', { name: 'look_up', ...look }),
    ];
    const id = await make('/v1/personas', { name: 'Shopkeeper', avatarId: STOCK.avatar, toolIds });
    // A test in sound: its sound was lost on the way once.
    await make(`/v1/personas/${id}/tests`, {
      name: 'Hears',
      user: { kind: 'lines', lines: ['Hello'] },
      audio: { noise: 'fan' },
    });
    const files = join(folder, 'shop');
    expect((await parley('pull', 'Shopkeeper', files)).out).toContain('2 tools, 1 documents, 1 tests.');
    const file = (name: string): string => readFileSync(join(files, name), 'utf8');
    expect(file('tools/price.json')).not.toContain('of-the-shop');
    expect(file('tests/hears.json')).toContain('"noise": "fan"');
    expect(JSON.parse(file('tools/look_up.json'))).toMatchObject({ knowledge: ['House rules'], config: {} });
    expect(JSON.parse(file('persona.json')).toolNames).toEqual(['price', 'look_up']);
    expect((await parley('diff', 'Shopkeeper', files)).out).toBe('Nothing differs.\n');

    writeFileSync(join(files, 'knowledge/house-rules/rules.md'), 'Breakfast is from eight to ten.');
    writeFileSync(join(files, 'knowledge/house-rules/bar.md'), 'The bar opens at six.');
    writeFileSync(join(files, 'tools/price.json'), file('tools/price.json').replace('the price', 'prices'));
    const pushed = await parley('push', 'Shopkeeper', files);
    expect(pushed.out.split('\n').slice(0, 3)).toEqual([
      '~ tool: price',
      '+ document: House rules/bar.md',
      '~ document: House rules/rules.md',
    ]);
    const price = (await service.send('GET', `/v1/tools/${toolIds[0]}`)).body;
    expect(price).toMatchObject({ description: 'Tells prices.', config: shop.config });
    expect((await parley('diff', 'Shopkeeper', files)).out).toBe('Nothing differs.\n');

    // Another service has neither.
    await service.send('DELETE', `/v1/tools/${toolIds[0]}`);
    await service.send('DELETE', `/v1/tools/${toolIds[1]}`);
    await service.send('DELETE', `/v1/knowledge/groups/${group}`);
    expect((await parley('push', 'Shopkeeper', files)).out).toContain('is new here: write its header Authorization');
    writeFileSync(
      join(files, 'tools/price.json'),
      file('tools/price.json').replace('(as it is)', 'Bearer ${SHOP_KEY}'),
    );
    const again = await parley('push', 'Shopkeeper', files, '--publish', 'Moved');
    expect(again.out).toContain('Published as version');
    const tools = (await service.send('GET', `/v1/personas/${id}`)).body.tools as { name: string; config: object }[];
    expect(tools.map(({ name }) => name)).toEqual(['price', 'look_up']);
    expect(tools[0]?.config).toMatchObject({ headers: { Authorization: 'Bearer of-another-shop' } });
  });

  it('prints what came of the last sessions', async () => {
    expect((await parley('logs', 'Porter')).out).toBe('Nobody has talked with it yet.\n');
    const { body } = await service.send('GET', '/v1/personas?search=Porter');
    const personaConfig = { personaId: body.data[0].id };
    const { sessionId } = (await service.send('POST', '/v1/engine/session', { personaConfig })).body;
    const { status, out } = await parley('logs', 'Porter');
    expect(out).toContain(sessionId);
    expect(out).toMatch(/version \d+ .* live/);
    expect(status).toBe(0);
    expect((await parley('logs', 'Porter', '--last', '0')).out).toContain('--last is a number from 1 to 100.');
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

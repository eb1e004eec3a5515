import { afterAll, beforeAll, expect, it } from 'vitest';
import { StartError } from '../../runtime/start-error.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { STOCK } from '../testing/stock.ts';
import { describeOnBothDatabases } from '../testing/stores.ts';
import type { Store } from '../store/open.ts';
import { masterKeys } from './master-key.ts';
import { takeOverSecrets } from './stored-secrets.ts';

const OLD = 'the master key of yesterday';
const NEW = 'the master key of today';
const webhook = {
  name: 'hook',
  description: 'd',
  type: 'SERVER_WEBHOOK',
  config: { url: 'https://hooks.example.com/x', method: 'POST', headers: { 'X-Api-Key': 'k-123' } },
};
const llm = {
  displayName: 'House',
  llmFormat: 'openai',
  urls: [{ url: 'https://llm.example.com/v1' }],
  modelName: 'house',
  secret: 'sk-1',
};

const mcpServer = {
  name: 'Shop',
  url: 'https://mcp.example.com/mcp',
  auth: { type: 'bearer', token: 't-1' },
};

const secretsOf = (...keys: string[]) => masterKeys(keys).derive('secrets');
const takeOver = (store: Store, keys: string[], lost: readonly string[] = []): Promise<number> =>
  takeOverSecrets(store, secretsOf(...keys), lost);

interface Added {
  readonly tool: string;
  readonly llm: string;
  readonly mcp: string;
}

/** Adds a webhook, an LLM and an MCP server, like a service with this master key. */
async function addWith(masterKey: string, store: Store): Promise<Added> {
  const service = await startTestService(store, { masterKey });
  const [tool, createdLlm, mcp] = [
    await service.send('POST', '/v1/tools', webhook),
    await service.send('POST', '/v1/llms', llm),
    await service.send('POST', '/v1/mcp-servers', mcpServer),
  ];
  expect([tool.status, createdLlm.status, mcp.status]).toEqual([201, 201, 201]);
  await service.close();
  return { tool: tool.body.id, llm: createdLlm.body.id, mcp: mcp.body.id };
}

/** A service whose `master.key` was lost in a move started without a message, and its list of tools answered 500. */
describeOnBothDatabases('a start with another master key', (stores) => {
  it('is refused with what to do, and not once the key is given back or given up', async () => {
    const store = await stores.open();
    await addWith(OLD, store);
    const { id } = secretsOf(OLD)[0]!;
    const refused = takeOver(store, [NEW]);
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(
      'this is not the master key that closed 1 LLM key, 1 tool and 1 MCP server in the database',
    );
    await expect(refused).rejects.toThrow(`PARLEY_LOST_MASTER_KEYS=${id}`);
    expect(await takeOver(store, [NEW], [id])).toBe(0);
    expect(await takeOver(store, [OLD])).toBe(0);
  });

  it('closes everything anew when the previous key is given, which is then needed no more', async () => {
    const store = await stores.open();
    const { tool, mcp } = await addWith(OLD, store);
    expect(await takeOver(store, [NEW, OLD])).toBe(3);
    expect(await takeOver(store, [NEW])).toBe(0);
    const service = await startTestService(store, { masterKey: NEW });
    expect((await service.send('GET', `/v1/tools/${tool}`)).body.config).toEqual(webhook.config);
    const server = (await service.send('GET', `/v1/mcp-servers/${mcp}`)).body;
    expect([server.auth.type, server.unreadable]).toEqual(['bearer', undefined]);
    await service.close();
  });
});

describeOnBothDatabases('secrets of a lost master key', (stores) => {
  let service: TestService;
  let lost: Added;
  beforeAll(async () => {
    const store = await stores.open();
    lost = await addWith(OLD, store);
    service = await startTestService(store, { masterKey: NEW });
  });
  afterAll(() => service.close());
  const sessionWith = (persona: object) =>
    service.send('POST', '/v1/engine/session', { personaConfig: { avatarId: STOCK.avatar, ...persona } });

  it('are listed beside the others, marked as unreadable', async () => {
    await service.send('POST', '/v1/tools', { ...webhook, name: 'new' });
    const { status, body } = await service.send('GET', '/v1/tools');
    expect(status).toBe(200);
    expect(
      body.data.map(({ name, unreadable, config }: Record<string, unknown>) => ({ name, unreadable, config })),
    ).toEqual(
      expect.arrayContaining([
        { name: 'hook', unreadable: true, config: {} },
        { name: 'new', unreadable: undefined, config: webhook.config },
      ]),
    );
    expect((await service.send('GET', '/v1/llms?includeDefaults=false')).body.data).toMatchObject([
      { displayName: 'House', unreadable: true },
    ]);
    expect((await service.send('GET', '/v1/mcp-servers')).body.data).toMatchObject([
      { name: 'Shop', auth: { type: 'none' }, unreadable: true },
    ]);
    const persona = await service.send('POST', '/v1/personas', { toolIds: [lost.tool] });
    expect((await service.send('GET', `/v1/personas/${persona.body.id}`)).body.tools).toMatchObject([
      { unreadable: true },
    ]);
  });

  it('are not used, and whoever tries is told why', async () => {
    for (const [persona, sentence] of [
      [{ toolIds: [lost.tool] }, `the tool ${lost.tool} cannot be opened`],
      [{ llmId: lost.llm }, `the LLM ${lost.llm} cannot be opened`],
      [{ mcpServerIds: [lost.mcp] }, `credentials of the MCP server ${lost.mcp} cannot be opened`],
    ] as const) {
      const { status, body } = await sessionWith(persona);
      expect(status).toBe(409);
      expect(body).toMatchObject({ error: 'Stored secret is unreadable', message: expect.stringContaining(sentence) });
    }
    expect((await service.send('POST', `/v1/llms/${lost.llm}/check`)).body).toMatchObject({
      ok: false,
      message: expect.stringContaining('Save the secret again'),
    });
    expect((await service.send('PUT', `/v1/tools/${lost.tool}`, { description: 'kept' })).status).toBe(409);
  });

  it('work again once they are saved again', async () => {
    expect((await service.send('PUT', `/v1/tools/${lost.tool}`, { config: webhook.config })).body).toMatchObject({
      config: webhook.config,
    });
    expect((await service.send('PUT', `/v1/llms/${lost.llm}`, { secret: 'sk-2' })).body.unreadable).toBeUndefined();
    const { auth } = mcpServer;
    expect((await service.send('PUT', `/v1/mcp-servers/${lost.mcp}`, { auth })).body).toMatchObject({
      auth: { type: 'bearer' },
    });
    const persona = { toolIds: [lost.tool], llmId: lost.llm, mcpServerIds: [lost.mcp] };
    expect((await sessionWith(persona)).status).toBe(200);
  });
});

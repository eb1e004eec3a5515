import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LatencyTable, type RunningEngine } from '../../engine/index.ts';
import { readSettings, stockId } from '../../control/index.ts';
import { delta, scriptedServer, sse } from '../../models/llm/testing/scripted-server.ts';
import { OFFLINE_LLM, stockCatalogue } from './catalogue.ts';
import { controlPorts } from '../parts/ports.ts';
import { readStockLlms } from './stock-llms.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-llms-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'llms.json');
const read = (content: unknown, environment: Record<string, string> = {}) => {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readStockLlms(path, environment);
};

const fast = {
  id: 'fast',
  displayName: 'Fast',
  provider: 'anthropic',
  options: { model: 'claude-haiku-4-5' },
  apiKeyVariable: 'CLAUDE_KEY',
};
const old = {
  id: 'old',
  displayName: 'Old',
  provider: 'openai',
  options: { baseUrl: 'https://llm.example.com/v1', model: 'old-1' },
  deprecated: true,
};
const keys = { CLAUDE_KEY: 'sk-ant-1' };

describe('LLMs that an operator lists', () => {
  const listed = () => read([old, fast], keys);
  const catalogue = (environment: Record<string, string> = {}) =>
    stockCatalogue(readSettings(environment), {} as RunningEngine, undefined, listed());

  it('have ids that stay, and the deprecated ones say so', () => {
    const { llms } = catalogue();
    expect(llms.map(({ id, displayName, deprecated }) => [id, displayName, deprecated])).toEqual([
      [stockId('llm', 'listed old'), 'Old', true],
      [stockId('llm', 'listed fast'), 'Fast', false],
      [OFFLINE_LLM, 'Offline LLM', false],
    ]);
    expect(JSON.stringify(llms)).not.toContain('sk-ant-1');
  });

  it('are the default when there is no other, but never a deprecated one', () => {
    expect(catalogue().defaultLlmId).toBe(stockId('llm', 'listed fast'));
    const configured = catalogue({ PARLEY_LLM_BASE_URL: 'https://llm.example.com/v1', PARLEY_LLM_MODEL: 'm' });
    expect(configured.llms.find(({ id }) => id === configured.defaultLlmId)?.modelName).toBe('m');
  });

  it('answer', async () => {
    const server = await scriptedServer((response) => sse(response, [delta({ content: 'Hi.' }), delta({}, 'stop')]));
    const own = read([{ ...old, options: { baseUrl: server.url, model: 'old-1' } }]);
    const providers = { latencies: new LatencyTable(), listedLlms: own, mcp: null! };
    const { llms } = await controlPorts(readSettings({}), { warn() {} }, providers);
    const request = { messages: [], tools: [], sessionId: 's', correlationId: 'c', language: null };
    const signal = new AbortController().signal;
    let said = '';
    for await (const event of llms.stock(stockId('llm', 'listed old')).stream(request, signal))
      if (event.type === 'text') said += event.text;
    expect(said).toBe('Hi.');
    expect(server.seen[0]?.body['model']).toBe('old-1');
    await server.close();
  });
});

it.each([
  ['nonsense', 'cannot be read'],
  [[{ ...fast, id: 'Not An Id' }], 'must be lower-case letters'],
  [[{ ...fast, secret: 'x' }], 'is not valid'],
  [[fast, fast], 'has "fast" twice'],
  [[{ ...fast, apiKeyVariable: 'MISSING' }], 'needs the environment variable MISSING'],
  [[{ ...old, options: { model: 'm' } }], '("old") has options that openai cannot use'],
  [[{ ...old, options: { ...old.options, modle: 'm' } }], '("old") has options that openai cannot use'],
])('a wrong list is refused: %#', (content, problem) => {
  expect(() => read(content, keys)).toThrow(problem);
});

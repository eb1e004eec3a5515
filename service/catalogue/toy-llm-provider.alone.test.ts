import { expect, it } from 'vitest';
import { z } from 'zod';
import { LLM_PROVIDERS } from '../../models/llm/registry.ts';
import type { LlmProvider } from '../../models/llm/llm-provider.ts';

const options = z.object({
  baseUrl: z.string().default('toy://echo').describe('Where it is.'),
  model: z.enum(['parrot', 'canyon']).describe('What echoes.'),
});
const limits = z.object({ temperature: z.number().max(1).nullable() });

/** A file that exports this and a line in the registry are all that an LLM format takes. */
const toy: LlmProvider = {
  id: 'toy',
  about: 'an echo',
  options,
  limits,
  open: ({ modelName }, url) => ({
    name: modelName,
    async *stream({ messages }) {
      yield { type: 'text' as const, text: `${url} ${modelName}: ${messages.at(-1)?.content}` };
      yield { type: 'done' as const, finishReason: 'stop' };
    },
  }),
};

// Before what reads the registry is loaded.
(LLM_PROVIDERS as LlmProvider[]).push(toy);

const { readSettings, settingsHelp } = await import('../../control/index.ts');
const { startTestService } = await import('../../control/testing/service.ts');
const { describeOnSqlite } = await import('../../control/testing/stores.ts');
const { stockLlms } = await import('../settings/engine-settings.ts');
const { stockCatalogue } = await import('./catalogue.ts');
const { providersPage } = await import('../../scripts/docs/providers-page.ts');
const { openLanguageModels } = await import('../../models/llm/index.ts');

const settings = readSettings({ PARLEY_LLM_PROVIDER: 'toy', PARLEY_LLM_MODEL: 'canyon' });

it('is a value of the setting, and its options are checked', () => {
  expect(stockLlms(settings)).toEqual([{ provider: 'toy', options: { baseUrl: 'toy://echo', model: 'canyon' } }]);
  expect(settingsHelp()).toContain('`toy` (an echo)');
  expect(settingsHelp()).toContain('`toy`: What echoes.');
  expect(() => readSettings({ PARLEY_LLM_PROVIDER: 'toy' })).toThrow('PARLEY_LLM_MODEL: is needed for toy');
});

it('is the stock LLM, and stands in the table of providers', () => {
  expect(stockCatalogue(settings, {} as never).llms[0]).toMatchObject({ llmFormat: 'toy', modelName: 'canyon' });
  expect(providersPage()).toContain('| `toy` | an echo |  | `PARLEY_LLM_BASE_URL`, `PARLEY_LLM_MODEL` |');
});

it('answers', async () => {
  const model = openLanguageModels(stockLlms(settings));
  const request = { tools: [], sessionId: 's', correlationId: 'c', language: null };
  const said: unknown[] = [];
  for await (const event of model.stream(
    { ...request, messages: [{ role: 'user', content: 'Hello' }] },
    AbortSignal.timeout(60_000),
  ))
    said.push(event);
  expect(said[0]).toEqual({ type: 'text', text: 'toy://echo canyon: Hello' });
});

it('takes over when the first one fails before its first word', async () => {
  const both = readSettings({
    PARLEY_LLM_BASE_URL: 'http://127.0.0.1:9/v1',
    PARLEY_LLM_MODEL: 'nobody',
    PARLEY_LLM_FALLBACK_PROVIDER: 'toy',
    PARLEY_LLM_FALLBACK_MODEL: 'parrot',
  });
  const model = openLanguageModels(stockLlms(both));
  const events = model.stream(
    { messages: [{ role: 'user', content: 'Hi' }], tools: [], sessionId: 's', correlationId: 'c', language: null },
    AbortSignal.timeout(60_000),
  );
  const first = await events[Symbol.asyncIterator]().next();
  expect(first.value).toEqual({ type: 'text', text: 'toy://echo parrot: Hi' });
});

describeOnSqlite('an LLM of a customer', (stores) => {
  it('may have the new format, within its limits', async () => {
    const service = await startTestService(await stores.open());
    const llm = { displayName: 'Echo', llmFormat: 'toy', urls: [{ url: 'https://llm.example.com' }], modelName: 'm' };
    const send = (more: object) => service.send('POST', '/v1/llms', { ...llm, secret: 'key', ...more });
    expect(await send({ temperature: 0.5 })).toMatchObject({ status: 201, body: { llmFormat: 'toy' } });
    expect(await send({ temperature: 1.5 })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'temperature' }] },
    });
    expect(await send({ llmFormat: 'magic' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'llmFormat' }] },
    });
    await service.close();
  });
});

import { expect, it, vi } from 'vitest';
import { ProviderError, type LanguageModel } from '../ports.ts';
import { BEHAVIORS, hostileEndpoint } from '../testing/hostile-endpoint.ts';
import { checkConnection } from './check-connection.ts';
import { createLanguageModel } from './index.ts';
import { delta, scriptedServer, sse } from './testing/scripted-server.ts';

const signal = new AbortController().signal;
const model = (stream: LanguageModel['stream']): LanguageModel => ({ name: 'm', stream });

it('is content with a first word', async () => {
  expect(
    await checkConnection(
      model(async function* () {
        yield { type: 'text', text: 'OK' };
      }),
      signal,
    ),
  ).toMatchObject({ ok: true });
});

it('says what to change', async () => {
  const refused = model(async function* () {
    yield* [];
    throw new ProviderError('m', 'auth', 'The model refused the API key.');
  });
  expect(await checkConnection(refused, signal)).toEqual({
    ok: false,
    code: 'auth',
    message: 'The model refused the API key.',
    notes: [],
  });
  expect(
    await checkConnection(
      model(async function* () {
        yield { type: 'done', finishReason: 'stop' };
      }),
      signal,
    ),
  ).toMatchObject({ ok: false, code: 'bad-response' });
  const unreachable = model(async function* () {
    yield* [];
    throw new ProviderError('m', 'connect', 'The model could not be reached.', {
      reason: 'its host name was not found',
    });
  });
  expect(await checkConnection(unreachable, signal)).toMatchObject({
    message: 'The model could not be reached: its host name was not found.',
  });
  const broken = model(async function* () {
    yield* [];
    throw new Error('secret detail');
  });
  expect(await checkConnection(broken, signal)).toEqual({
    ok: false,
    code: 'unavailable',
    message: 'The language model could not be asked.',
    notes: [],
  });
});

it.each(['silence', 'keep-alives without end'] as const)(
  'says that the time is up when the endpoint answers with %s, not that nobody wants to know',
  async (behavior) => {
    const endpoint = await hostileEndpoint(BEHAVIORS[behavior]);
    const asked = createLanguageModel({
      name: 'm',
      format: 'openai',
      urls: [{ url: endpoint.url }],
      modelName: 'm',
      secret: null,
    });
    expect(await checkConnection(asked, AbortSignal.timeout(300))).toEqual({
      ok: false,
      code: 'timeout',
      message: 'The language model did not answer in time.',
      notes: [],
    });
    await endpoint.close();
  },
);

/**
 * The check asked for one word, without a prompt and without tools. It was green for endpoints that refused every request
 * of a session.
 */
it('asks as a session does, and says what the endpoint refused', async () => {
  const server = await scriptedServer((response, { body }) => {
    const { messages } = body as unknown as { messages: { role: string; tool_call_id?: string }[] };
    if (messages.some(({ role }) => role === 'system'))
      return void response.writeHead(500).end('{"error":{"message":"Jinja Exception: System role not supported"}}');
    if (messages.at(-1)?.role === 'tool') return sse(response, [delta({ content: 'Whale.' }), delta({}, 'stop')]);
    const call = { index: 0, id: 'a', function: { name: 'word_of_the_day', arguments: '{"language":"en"}' } };
    return sse(response, [delta({ tool_calls: [call] }), delta({}, 'tool_calls')]);
  });
  const definition = { name: 'm', format: 'openai', urls: [{ url: server.url }], modelName: 'm', secret: null };
  const result = await checkConnection(createLanguageModel(definition, { fresh: true }), signal);
  expect(result).toMatchObject({ ok: true, notes: [expect.stringContaining('no system message') as string] });
  expect(server.seen).toHaveLength(3);
  // The check finds out anew, each time.
  expect(await checkConnection(createLanguageModel(definition, { fresh: true }), signal)).toMatchObject({
    notes: [expect.stringContaining('no system message') as string],
  });
  await server.close();
});

/** A server of one's own loads its model at the first request: the check gave up after 15 s, and nothing was wrong. */
it('waits for a model that is loaded, and says what a conversation would do', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const slow = model(async function* () {
    now.mockReturnValue(24_000);
    yield { type: 'tool-call', call: { id: 'a', name: 'word_of_the_day', arguments: '{}' } };
  });
  const result = await checkConnection(slow, signal);
  now.mockRestore();
  expect(result).toMatchObject({
    ok: true,
    notes: [expect.stringMatching(/after 24 seconds; .* after 15\. If it loaded/)],
  });
});

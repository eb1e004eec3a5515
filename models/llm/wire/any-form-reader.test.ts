import { afterEach, describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../circuit-breaker.ts';
import { ProviderError } from '../../ports.ts';
import { EndpointLatencies, openLanguageModels } from '../index.ts';
import { blockOf, messageOf, stopOf, textOf, toolUseOf } from '../testing/anthropic-events.ts';
import { delta, scriptedServer, sse, type Script, type ScriptedServer } from '../testing/scripted-server.ts';
import type { WireForm } from './wire-form.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const TOOL = { name: 'get_weather', description: '', parameters: { type: 'object', properties: {} } };

/** What is said and called, and what is noticed of it; or the sentence of the failure. */
async function ask(provider: WireForm, script: Script): Promise<{ said: string; notes: string[] }> {
  const server = await scriptedServer(script);
  servers.push(server);
  const options = { baseUrl: `${server.url}/v1`, model: 'm', apiKey: 'key' };
  const hurried = { firstTokenMs: 60_000, idleMs: 60_000 };
  const circuits = new CircuitBreaker(() => 0);
  const model = openLanguageModels([{ provider, options }], { latencies: new EndpointLatencies(), circuits, hurried });
  const notes: string[] = [];
  const messages = [{ role: 'user', content: 'Hello?' }] as const;
  const asked = { messages, tools: [TOOL], sessionId: 's', correlationId: 'c', language: 'en' };
  const noticed = ({ sentence }: { readonly sentence: string }) => notes.push(sentence);
  let said = '';
  try {
    for await (const event of model.stream({ ...asked, noticed }, new AbortController().signal)) {
      if (event.type === 'text') said += event.text;
      if (event.type === 'tool-call') said += `${event.call.name} ${event.call.arguments}`;
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    said = error.message;
  }
  return { said, notes };
}

const json =
  (body: unknown, status = 200): Script =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const stream =
  (...events: unknown[]): Script =>
  (response) =>
    sse(response, events, 'close');

const claude = [
  messageOf(),
  ...textOf(0, ['Hel', 'lo. ']),
  ...toolUseOf(1, 'a', 'get_weather', ['{"city":', '"Rome"}']),
];
const data = (events: readonly (readonly [string, object])[]): object[] => events.map(([, event]) => event);

/** Each of these answers was lost: "The language model answered with nothing." */
describe('an answer in another format than was asked in', () => {
  const call = { toolUseId: 'a', name: 'get_weather' };
  const SAID = 'Hello. get_weather {"city":"Rome"}';
  it.each<[string, WireForm, Script]>([
    ['OpenAI, answered as Anthropic does', 'openai', stream(...data([...claude, ...stopOf('tool_use')]))],
    [
      'OpenAI, answered as Anthropic does at once',
      'openai',
      json({
        type: 'message',
        content: [
          { type: 'text', text: 'Hello. ' },
          { type: 'tool_use', id: 'a', name: 'get_weather', input: { city: 'Rome' } },
        ],
        stop_reason: 'tool_use',
      }),
    ],
    [
      'Anthropic, answered as OpenAI does',
      'anthropic',
      stream(
        delta({ content: 'Hello. ' }),
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } }] }),
        delta({}, 'tool_calls'),
      ),
    ],
    [
      'Anthropic, answered as Bedrock does',
      'anthropic',
      json({
        output: {
          message: {
            role: 'assistant',
            content: [{ text: 'Hello. ' }, { toolUse: { ...call, input: { city: 'Rome' } } }],
          },
        },
        stopReason: 'tool_use',
      }),
    ],
    [
      'OpenAI, answered as Bedrock does in pieces',
      'openai',
      stream(
        { messageStart: { role: 'assistant' } },
        { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hello. ' } } },
        { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: call } } },
        { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: '{"city":"Rome"}' } } } },
        { contentBlockStop: { contentBlockIndex: 1 } },
        { messageStop: { stopReason: 'tool_use' } },
        { metadata: { usage: {} } },
      ),
    ],
    [
      'Anthropic, answered as Bedrock does without the names of the events',
      'anthropic',
      stream(
        { role: 'assistant' },
        { contentBlockIndex: 0, delta: { text: 'Hello. ' } },
        { contentBlockIndex: 1, start: { toolUse: call } },
        { contentBlockIndex: 1, delta: { toolUse: { input: '{"city":"Rome"}' } } },
        { stopReason: 'tool_use' },
      ),
    ],
    [
      'Gemini, answered as OpenAI does',
      'gemini',
      stream(
        delta({ content: 'Hello. ' }),
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } }] }),
        delta({}, 'tool_calls'),
      ),
    ],
  ])('is read: %s', async (_, provider, script) => expect((await ask(provider, script)).said).toBe(SAID));

  it('is told of once', async () => {
    const { notes } = await ask('anthropic', stream(delta({ content: 'Hi.' }), delta({}, 'stop')));
    expect(notes).toEqual([expect.stringContaining('in the format of Anthropic and answers in that of OpenAI')]);
  });

  it('is not, where it is in the one that was asked in', async () => {
    const events = [messageOf(), ...blockOf(0, { type: 'text', text: 'Hi.' }, []), ...stopOf('end_turn')];
    expect((await ask('anthropic', stream(...data(events)))).notes).toEqual([]);
  });
});

/** "check the model name", for an address that has never heard of the format. */
describe('a refusal by a server of another format says which one it speaks', () => {
  it.each<[string, WireForm, Script, string]>([
    [
      'Anthropic',
      'openai',
      json({ type: 'error', error: { type: 'not_found_error', message: 'Not found' } }, 404),
      'The server speaks the format of Anthropic, and was asked in that of OpenAI',
    ],
    [
      'OpenAI',
      'anthropic',
      json({ error: { message: 'Unknown URL', type: 'invalid_request_error', param: null, code: 'unknown_url' } }, 404),
      'The server speaks the format of OpenAI, and was asked in that of Anthropic',
    ],
    [
      'Bedrock',
      'anthropic',
      json({ Output: { __type: 'com.amazon.coral.service#UnknownOperationException' }, Version: '1.0' }, 404),
      'This is Bedrock itself',
    ],
  ])('%s', async (_, provider, script, expected) => expect((await ask(provider, script)).said).toContain(expected));

  it('and nothing of that where a key is refused', async () => {
    const refused = json({ type: 'error', error: { type: 'authentication_error', message: 'invalid' } }, 401);
    expect((await ask('openai', refused)).said).toBe(
      'The model refused the API key. It answered 401 (authentication_error).',
    );
  });
});

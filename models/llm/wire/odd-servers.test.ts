import { afterEach, describe, expect, it } from 'vitest';
import type { LlmEvent } from '../../ports.ts';
import { createLanguageModel, EndpointMemories, EndpointLatencies } from '../index.ts';
import { delta, scriptedServer, type ScriptedServer } from '../testing/scripted-server.ts';

/**
 * Kin of the servers in `answer-stream.test.ts`: each answer was spoken twice, spoken with somebody else's, or lost.
 */

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const tool = (name: string) => ({
  name,
  description: '',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
});

/** @returns what is said, and the calls; or the error's sentence. */
async function answerTo(
  body: string,
  type = 'text/event-stream',
  status = 200,
  format = 'openai',
  tells: 'calls' | 'ids' = 'calls',
): Promise<string> {
  const server = await scriptedServer((response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  servers.push(server);
  const model = createLanguageModel(
    { name: 't', format, urls: [{ url: server.url }], modelName: 'm', secret: null },
    { latencies: new EndpointLatencies(), memories: new EndpointMemories() },
  );
  const request = {
    messages: [{ role: 'user', content: 'Hello?' }] as const,
    tools: [tool('get_weather'), tool('get_time')],
    sessionId: 's',
    correlationId: 'c',
    language: 'en',
  };
  let said = '';
  try {
    for await (const event of model.stream(request, new AbortController().signal) as AsyncIterable<LlmEvent>) {
      if (event.type === 'text') said += event.text;
      if (event.type === 'tool-call')
        said += tells === 'ids' ? `${event.call.id} ` : `${event.call.name} ${event.call.arguments}`;
    }
    return said;
  } catch (error) {
    return (error as Error).message;
  }
}

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const DONE = `${frame(delta({}, 'stop'))}data: [DONE]\n\n`;
const content = (...pieces: unknown[]): string => pieces.map((text) => frame(delta({ content: text }))).join('') + DONE;
const called = (name: string, args = '{"city":"Rome"}'): string =>
  frame(delta({ tool_calls: [{ index: 0, id: 'a', function: { name, arguments: args } }] })) + DONE;

describe('An answer is said once', () => {
  it.each([
    ['each piece holds all before it', content('Hello', 'Hello there', 'Hello there, my friend.')],
    ['the end repeats all', content('Hello there', ', my friend.', 'Hello there, my friend.')],
    [
      'a second answer was made beside it',
      frame({ choices: [{ index: 1, delta: { content: 'Other.' } }] }) +
        frame({ choices: [{ index: 0, delta: { content: 'Hello there, my friend.' } }] }) +
        DONE,
    ],
    ['the model goes on as the user', content('Hello there, my friend.\n### Us', 'er:\nWhat now?')],
    ['and as both', content('Hello there, my friend.\nUser: What now?\nAssistant: Yes.')],
  ])('where %s', async (_, body) => expect(await answerTo(body)).toBe('Hello there, my friend.'));

  it('and what only looks so is said whole', async () => {
    expect(await answerTo(content('1', '10', ' ha', ' ha', '. Users', ': two'))).toBe('110 ha ha. Users: two');
  });
});

describe('The text is found', () => {
  it.each([
    ['Ollama generates', '{"response":"Hel","done":false}\n{"response":"lo.","done":true,"done_reason":"stop"}\n'],
    ['llama.cpp completes', frame({ content: 'Hello.', stop: false }) + frame({ content: '', stop: true })],
    [
      'TGI',
      frame({ token: { text: 'Hello.' }, generated_text: null }) +
        frame({ token: { special: true, text: '</s>' }, generated_text: 'Hello.' }),
    ],
    [
      'responses',
      frame({ type: 'response.output_text.delta', delta: 'Hello.' }) + frame({ type: 'response.completed' }),
    ],
    ['a text within a text', content([{ type: 'text', text: { value: 'Hello.' } }])],
    ['an end in small letters', `${frame(delta({ content: 'Hello.' }))}data: [done]\n\n`],
  ])('of %s', async (_, body) => expect(await answerTo(body)).toBe('Hello.'));
});

describe('A tool is called by its name', () => {
  it.each([
    ['Get_Weather'],
    ['get-weather'],
    ['getWeather'],
    ['get_weather<|channel|>commentary'],
    ['functions:get_weather'],
  ])('%s', async (name) => expect(await answerTo(called(name))).toBe('get_weather {"city":"Rome"}'));

  it('also where it leaks as Python writes it', async () => {
    const leak = `<tool_call>{'name': 'get_weather', 'arguments': {'city': 'Rome'}}</tool_call>`;
    expect((await answerTo(content(leak))).replaceAll(' "', '"')).toBe('get_weather {"city":"Rome"}');
  });
});

/** Each was spoken, refused as no JSON, or given one result for both. */
describe('Calls in forms of one model or one server', () => {
  const ROME = '{"city":"Rome"}';
  const WEATHER = `get_weather ${ROME}`;
  it.each([
    [
      'Step',
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>' +
        '<steptml:invoke name="get_weather"><steptml:parameter name="city">Rome</steptml:parameter></steptml:invoke>' +
        '<｜tool_call_end｜><｜tool_calls_end｜>',
    ],
    [
      'LongCat',
      '<longcat_tool_call>get_weather\n<longcat_arg_key>city</longcat_arg_key>\n' +
        '<longcat_arg_value>Rome</longcat_arg_value>\n</longcat_tool_call>',
    ],
    ['Apertus', `<|tools_prefix|>[{"get_weather": ${ROME}}]<|tools_suffix|>`],
    ['InternLM', `<|action_start|><|plugin|>{"name":"get_weather","parameters":${ROME}}<|action_end|>`],
    ['the field of the answer', `{"tool_calls":[{"function":{"name":"get_weather","arguments":${ROME}}}]}`],
    [
      'and what the tool would answer',
      `<tool_call>{"name":"get_weather","arguments":${ROME}}</tool_call><tool_response>{"sun":1}</tool_response>`,
    ],
  ])('are made where they leak: %s', async (_model, text) => expect(await answerTo(content(text))).toBe(WEATHER));

  it.each([
    ['in a list', `[${ROME}]`],
    ['with a bracket too many', `${ROME}}`],
    ['before a mark of the model', `${ROME}</tool_call>`],
  ])('have their arguments %s', async (_how, args) =>
    expect(await answerTo(called('get_weather', args))).toBe(WEATHER),
  );

  it('have none in an empty list', async () => expect(await answerTo(called('get_time', '[]'))).toBe('get_time {}'));

  it('are several in the one to a tool that nobody offered', async () => {
    const uses = [
      { recipient_name: 'functions.get_weather', parameters: { city: 'Rome' } },
      { recipient_name: 'functions.get_time', parameters: {} },
    ];
    const parallel = called('multi_tool_use.parallel', JSON.stringify({ tool_uses: uses }));
    expect(await answerTo(parallel)).toBe(`${WEATHER}get_time {}`);
  });

  it('never share an id', async () => {
    const both = ['get_weather', 'get_time'].map((name, index) => ({
      index,
      id: 'call_1',
      function: { name, arguments: ROME },
    }));
    expect(await answerTo(frame(delta({ tool_calls: both })) + DONE, undefined, undefined, undefined, 'ids')).toMatch(
      /^call_1 (?!call_1)\w{9} $/,
    );
  });
});

describe('What is wrong is told', () => {
  it.each([
    [
      'a page without its type',
      '<html>Login</html>',
      'text/plain',
      200,
      'A web page is at the address of the model: check the URL.',
    ],
    ['a page', '<html>Login</html>', 'text/html', 200, 'A web page is at the address of the model: check the URL.'],
    ['thoughts alone', frame(delta({ reasoning_content: 'Hm.' })) + DONE, 'text/event-stream', 200, 'only thought'],
    ['nothing', '', 'text/plain', 204, 'did not answer with a stream: check the URL'],
  ])('%s', async (_, body, type, status, sentence) => expect(await answerTo(body, type, status)).toContain(sentence));
});

describe('Gateways to other formats', () => {
  const events = (...all: { type: string }[]): string =>
    all.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('');
  const claude = (block: object, ...rest: { type: string }[]): string =>
    events({ type: 'content_block_start', index: 0, content_block: block } as never, ...rest);
  const gemini = (...candidates: object[]): string => frame({ candidates });
  const saying = (parts: unknown[]) => ({ content: { parts }, finishReason: 'STOP' });
  it.each([
    ['anthropic', claude({ type: 'text', text: 'Hello.' }, { type: 'message_stop' }), 'Hello.'],
    [
      'anthropic',
      claude({ type: 'tool_use', id: 't', name: 'get_weather', input: { city: 'Rome' } }, { type: 'message_stop' }),
      'get_weather {"city":"Rome"}',
    ],
    [
      'gemini',
      gemini({ index: 1, ...saying([{ text: 'Other.' }]) }, { index: 0, ...saying([{ text: 'Hello.' }]) }),
      'Hello.',
    ],
    [
      'gemini',
      gemini(saying([{ functionCall: { name: 'Get_Weather', args: '{"city":"Rome"}' } }])),
      'get_weather {"city":"Rome"}',
    ],
  ])('of %s are read', async (format, body, expected) =>
    expect(await answerTo(body, 'text/event-stream', 200, format)).toBe(expected),
  );
});

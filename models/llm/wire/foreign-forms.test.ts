import { describe, expect, it } from 'vitest';
import { answered, frame, readAnswer } from '../testing/read-answer.ts';
import { FrameReader } from './frames.ts';

/** Servers that call themselves compatible, and answer in a form of their own: each of these answers was lost. */

const choice = (more: object): object => ({ index: 0, finish_reason: 'stop', ...more });

it.each([
  [
    'DashScope',
    frame({ output: { text: 'Hel', finish_reason: 'null' } }) +
      frame({ output: { text: 'Hello.', finish_reason: 'stop' } }),
  ],
  ['DashScope with choices', frame({ output: { choices: [choice({ message: { content: 'Hello.' } })] } })],
  ['Baidu', frame({ result: 'Hel', is_end: false }) + frame({ result: 'lo.', is_end: true })],
  [
    'Cohere',
    frame({ type: 'message-start', delta: { message: { role: 'assistant', content: [] } } }) +
      frame({ type: 'content-delta', delta: { message: { content: { text: 'Hello.' } } } }) +
      frame({ type: 'message-end', delta: { finish_reason: 'COMPLETE' } }),
  ],
  ['Transformers', '[{"generated_text":"Hello."}]'],
  [
    'an agent of Dify',
    frame({ event: 'message', answer: 'Hel' }) +
      frame({ event: 'message', answer: 'lo.' }) +
      frame({ event: 'message_end' }),
  ],
  ['an agent of n8n', JSON.stringify({ output: 'Hello.' })],
  [
    'a stream of n8n',
    ['{"type":"begin"}', '{"type":"item","content":"Hel"}', '{"type":"item","content":"lo."}', '{"type":"end"}'].join(
      '\n',
    ),
  ],
  ['Flowise', JSON.stringify({ text: 'Hello.' })],
  ['a stream of Flowise', frame({ event: 'token', data: 'Hello.' }) + frame({ event: 'end', data: '[DONE]' })],
  ['LangServe', JSON.stringify({ output: { type: 'ai', content: 'Hello.' } })],
  [
    'a stream of LangServe',
    `event: data\n${frame({ type: 'AIMessageChunk', content: 'Hello.', tool_calls: [] })}` +
      frame({ type: 'AIMessageChunk', content: '', response_metadata: { finish_reason: 'stop' } }),
  ],
  [
    'Vercel’s AI SDK',
    frame({ type: 'start' }) +
      frame({ type: 'text-delta', id: '1', delta: 'Hello.' }) +
      frame({ type: 'text-end', id: '1' }) +
      frame({ type: 'finish' }),
  ],
  ['Coze', `${frame({ type: 'answer', content: 'Hello.' })}event: done\ndata: "[DONE]"\n\n`],
  [
    'OpenAI’s Assistants',
    frame({ object: 'thread.message.delta', delta: { content: [{ type: 'text', text: { value: 'Hello.' } }] } }) +
      frame({ object: 'thread.run', status: 'completed' }),
  ],
  [
    'a function behind a gateway',
    JSON.stringify({
      statusCode: 200,
      body: JSON.stringify({ choices: [choice({ message: { content: 'Hello.' } })] }),
    }),
  ],
  ['chunks without their list', frame({ delta: { content: 'Hello.' } }) + frame({ delta: {}, finish_reason: 'stop' })],
  [
    'the end in another spelling',
    frame({ choices: [{ delta: { content: 'Hello.' } }] }) + frame({ choices: [{ delta: {}, finishReason: 'stop' }] }),
  ],
  ['Rasa', JSON.stringify([{ recipient_id: 'x', text: 'Hello.' }])],
  ['Replicate', JSON.stringify({ output: ['Hel', 'lo.'], status: 'succeeded' })],
  [
    'Watsonx',
    frame({ results: [{ generated_text: 'Hel', stop_reason: 'not_finished' }] }) +
      frame({ results: [{ generated_text: 'lo.', stop_reason: 'eos_token' }] }),
  ],
  [
    'Responses at once',
    JSON.stringify({
      object: 'response',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello.' }] }],
    }),
  ],
  ['parts within the text', answered({ content: { parts: [{ text: 'Hello.' }] } })],
  [
    'an end in quotation marks',
    frame({ choices: [{ index: 0, delta: { content: 'Hello.' } }] }) + 'data: "[DONE]"\n\n',
  ],
  ['a gateway that wraps it', frame({ code: 0, data: { choices: [choice({ delta: { content: 'Hello.' } })] } })],
  ['one choice without a list', frame({ choices: choice({ delta: { content: 'Hello.' } }) })],
  ['a delta that is a text', frame({ choices: [choice({ delta: 'Hello.' })] })],
  ['an index that is a text', frame({ choices: [choice({ index: '0', delta: { content: 'Hello.' } })] })],
  ['an empty error in each piece', frame({ error: {}, choices: [choice({ delta: { content: 'Hello.' } })] })],
  [
    'a status that says well',
    frame({ base_resp: { status_code: 0 }, choices: [choice({ delta: { content: 'Hello.' } })] }),
  ],
])('is read: %s', (_, body) => expect(readAnswer(body)).toBe('Hello.'));

/** JSON that is not cut as it should be: "The answer of the model broke off or was not understood." */
describe('pieces of an answer are found', () => {
  const [first, second] = ['Hel', 'lo.'].map((content) =>
    JSON.stringify({ choices: [{ index: 0, delta: { content } }] }),
  );
  const last = JSON.stringify({ choices: [choice({ delta: {} })] });
  it.each([
    ['with no line between them', `${first}${second}${last}`],
    ['with no line between their events', `data: ${first}data: ${second}data: ${last}data: [DONE]`],
    ['several in one event', `data: ${first}${second}${last}\n\n`],
    ['in a list with blanks', `[ ${first} ,\n${second}, ${last}\n]`],
    ['in a list whose bracket has a line', `[\n${first},\n${second},\n${last}\n]`],
    ['as JSON of JSON', [first, second, last].map((one) => frame(one)).join('')],
    ['in the form of Python', frame(0) + `data: ${first}${second}${last}\n\n`.replaceAll('"', "'")],
    ['with a number that is none', `data: ${first?.replace('}]', ',"logprobs":NaN}]')}${second}${last}\n\n`],
  ])('%s', (_, body) => expect(readAnswer(body)).toBe('Hello.'));

  it('of lines of JSON, as each line comes', () => {
    const frames = new FrameReader();
    expect(frames.push(Buffer.from(`${first}\n`))).toHaveLength(1);
    expect(frames.push(Buffer.from(`${second}\n`))).toHaveLength(1);
  });
});

it('a number is an answer', () => expect(readAnswer(answered({ content: 42 }))).toBe('42'));

/** "The answer of the model broke off" was said of a wrong key. */
it.each([
  ['a gateway', { code: 401, msg: 'Invalid key', success: false }, 'refused 401: Invalid key'],
  [
    'MiniMax',
    { base_resp: { status_code: 1004, status_msg: 'login fail' }, choices: null },
    'refused null: login fail',
  ],
  ['Baidu', { error_code: 110, error_msg: 'Access token invalid' }, 'refused null: Access token invalid'],
  ['a function', { errorMessage: 'Task timed out' }, 'refused null: Task timed out'],
  ['a function’s gateway', { statusCode: 502, body: '{"error":"No model"}' }, 'refused null: No model'],
  ['Flowise', { event: 'error', data: 'No credit' }, 'refused null: No credit'],
  ['n8n', { type: 'error', content: 'No credit' }, 'refused null: No credit'],
])('a refusal with the status 200 is one: %s', (_, body, expected) =>
  expect(readAnswer(JSON.stringify(body))).toBe(expected),
);

/** Each of these calls was lost: the persona said nothing. */
describe('a call in a form of its own is made', () => {
  const made = { name: 'get_weather', arguments: '{"city":"Rome"}' };
  const call = { id: 'a', type: 'function', function: made };
  const item = { type: 'function_call', call_id: 'a', ...made };
  const cohere = (type: string, part: object): string =>
    frame({ type, index: 0, delta: { message: { tool_calls: part } } });
  it.each([
    ['tool_call', answered({ tool_call: call })],
    ['toolCalls', answered({ toolCalls: [call] })],
    ['beside the message', JSON.stringify({ choices: [choice({ message: {}, tool_calls: [call] })] })],
    [
      'of Responses',
      frame({ type: 'response.output_item.done', output_index: 0, item }) + frame({ type: 'response.completed' }),
    ],
    ['of Responses at once', JSON.stringify({ object: 'response', output: [item] })],
    [
      'of Cohere',
      cohere('tool-call-start', { ...call, function: { name: 'get_weather', arguments: '' } }) +
        cohere('tool-call-delta', { function: { arguments: '{"city":"Rome"}' } }) +
        frame({ type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } }),
    ],
  ])('%s', (_, body) => expect(readAnswer(body)).toBe('get_weather {"city":"Rome"};'));
});

import { expect, it } from 'vitest';
import { answered, frame, readAnswer } from '../testing/read-answer.ts';

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
])('a refusal with the status 200 is one: %s', (_, body, expected) =>
  expect(readAnswer(JSON.stringify(body))).toBe(expected),
);

import { expect, it } from 'vitest';
import { captionOf, withSpeech, withTyped, type ChatMessage } from './conversation.ts';

const chunk = (
  role: 'user' | 'persona',
  messageId: string,
  text: string,
  more: { last?: boolean; interrupted?: boolean } = {},
) => ({ kind: 'speech', role, messageId, text, last: false, interrupted: false, turn: 't', ...more }) as const;

const after = (...chunks: ReturnType<typeof chunk>[]): readonly ChatMessage[] =>
  chunks.reduce<readonly ChatMessage[]>((messages, next, at) => withSpeech(messages, next, at), []);

it('joins the chunks of a message as they are', () => {
  expect(
    after(
      chunk('persona', '1', 'We open'),
      chunk('persona', '1', ' at nine.'),
      chunk('persona', '1', '', { last: true }),
    ),
  ).toEqual([{ id: 'persona:1', role: 'persona', text: 'We open at nine.', state: 'complete', at: 0 }]);
});

it('keeps apart what user and persona say under one id', () => {
  expect(
    after(chunk('user', '1', 'Hi', { last: true }), chunk('persona', '1', 'Hello')).map(({ role, text, state }) => [
      role,
      text,
      state,
    ]),
  ).toEqual([
    ['user', 'Hi', 'complete'],
    ['persona', 'Hello', 'open'],
  ]);
});

it('marks what was cut', () => {
  expect(
    after(chunk('persona', '1', 'As I was'), chunk('persona', '1', '', { last: true, interrupted: true }))[0]?.state,
  ).toBe('interrupted');
});

it('shows nothing for a message of which nothing was heard', () => {
  expect(after(chunk('persona', '1', '', { last: true, interrupted: true }))).toEqual([]);
});

it('captions what is being said, else what was said last', () => {
  const messages = after(chunk('persona', '1', 'Still talking'), chunk('user', '2', 'Wait', { last: true }));
  expect(captionOf(messages)?.text).toBe('Still talking');
  expect(captionOf(withTyped(after(chunk('persona', '1', 'Done', { last: true })), 'Thanks', 5))?.text).toBe('Thanks');
  expect(captionOf([])).toBeNull();
});

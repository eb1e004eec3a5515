import { expect, it } from 'vitest';
import { ConfigUpdates } from './config-updates.ts';
import { Conversation } from './conversation.ts';
import { Emitter } from './emitter.ts';
import type { ClientEvents } from './events.ts';
import type { Message } from './history.ts';
import type { MessageStreamEvent, ServerMessage } from './server-messages.ts';
import { Tools } from './tools.ts';

const NOTHING = { messages: [], pieces: {} };

function scene(before: { messages: readonly Message[]; pieces: Readonly<Record<string, number>> } = NOTHING) {
  let now = 0;
  const told: [string, unknown][] = [];
  const events = new Emitter<ClientEvents>();
  const note = (name: keyof ClientEvents): void =>
    void events.add(name, (...args: unknown[]) => told.push([name, args[0]]));
  for (const name of ['FLOOR_CHANGED', 'MESSAGE_HISTORY_UPDATED', 'USER_SPEECH_STARTED'] as const) note(name);
  const tools = new Tools({ events, answer: () => undefined, now: () => now });
  const updates = new ConfigUpdates(() => undefined);
  const conversation = new Conversation({ events, tools, updates, ...before, elapsedMs: () => now });
  return {
    conversation,
    told: (name: string) => told.filter(([event]) => event === name).map(([, value]) => value),
    at(ms: number, message: ServerMessage) {
      now = ms;
      conversation.take(message);
    },
  };
}

const speech = (id: string, index: number, content: string, more: Partial<MessageStreamEvent> = {}): ServerMessage => ({
  kind: 'speech',
  event: {
    id: `persona::${id}`,
    role: 'persona',
    content,
    contentIndex: index,
    endOfSpeech: false,
    interrupted: false,
    correlationId: 'c',
    ...more,
  },
});
const END = { endOfSpeech: true };
const heard = (phase: 'started' | 'ended'): ServerMessage => ({ kind: 'user-speech', phase, correlationId: 'c' });
const understood = (id: string, content: string): ServerMessage =>
  speech(id, 0, content, { id: `user::${id}`, role: 'user', ...END });

it('joins the pieces of a message as they are', () => {
  const { conversation, at, told } = scene();
  at(10, speech('1', 0, 'We open'));
  at(20, speech('1', 1, ' at nine.'));
  expect(told('MESSAGE_HISTORY_UPDATED')).toEqual([]);
  at(30, speech('1', 2, '', END));
  expect(conversation.messages).toEqual([
    { id: 'persona::1', role: 'persona', content: 'We open at nine.', state: 'complete', interrupted: false, atMs: 10 },
  ]);
  expect(told('MESSAGE_HISTORY_UPDATED')).toHaveLength(1);
});

it('hears pieces that the service repeats after an outage only once', () => {
  const { conversation, at } = scene();
  for (const message of [speech('1', 0, 'A'), speech('1', 1, ' b'), speech('1', 1, ' b'), speech('1', 2, ' c', END)])
    at(0, message);
  at(0, speech('1', 2, ' c', END));
  expect(conversation.messages.map(({ content }) => content)).toEqual(['A b c']);
});

/** The next page did not know them: it had "We open at nine. nine.", and told that the sentence had ended once more. */
it('hears them only once after a reload of its page, too', () => {
  const { conversation: left, at } = scene();
  for (const message of [speech('1', 0, 'We open'), speech('1', 1, ' at nine.', END)]) at(0, message);
  const { conversation, at: then, told } = scene({ messages: left.messages, pieces: left.pieces });
  then(0, speech('1', 1, ' at nine.', END));
  expect(told('MESSAGE_HISTORY_UPDATED')).toEqual([]);
  then(0, speech('2', 0, 'Welcome back.', END));
  expect(conversation.messages.map(({ content }) => content)).toEqual(['We open at nine.', 'Welcome back.']);
});

it('keeps apart what user and persona say under one id, and marks what was cut', () => {
  const { conversation, at } = scene();
  at(0, understood('1', 'Hi'));
  at(0, speech('1', 0, 'As I'));
  at(0, speech('1', 1, '', { ...END, interrupted: true }));
  expect(conversation.messages.map(({ role, state }) => [role, state])).toEqual([
    ['user', 'complete'],
    ['persona', 'interrupted'],
  ]);
});

it('shows nothing for a message of which nothing was heard', () => {
  const { conversation, at } = scene();
  at(0, speech('1', 0, '', { ...END, interrupted: true }));
  expect(conversation.messages).toEqual([]);
});

it('remembers what was typed, which the service does not repeat', () => {
  const { conversation, told } = scene();
  conversation.typed('Hello');
  expect(conversation.messages).toMatchObject([{ role: 'user', content: 'Hello', state: 'complete' }]);
  expect(conversation.holder).toBe('thinking');
  expect(told('MESSAGE_HISTORY_UPDATED')).toHaveLength(1);
});

it('lists the utterances of a message, without the space that joins them', () => {
  const { conversation, at } = scene();
  at(0, speech('1', 0, 'Let me', { utteranceId: 'a' }));
  at(0, speech('1', 1, ' check.', { utteranceId: 'a' }));
  at(0, speech('1', 2, ' Done.', { utteranceId: 'b', ...END }));
  expect(conversation.messages[0]).toMatchObject({
    content: 'Let me check. Done.',
    utterances: [
      { id: 'a', content: 'Let me check.' },
      { id: 'b', content: 'Done.' },
    ],
  });
});

it('captions each word at the time at which it is heard', () => {
  const { conversation, at } = scene();
  at(100, speech('1', 0, 'We'));
  at(300, speech('1', 1, ' open'));
  at(600, speech('1', 2, 'ed at nine.'));
  expect(conversation.caption).toEqual({
    messageId: 'persona::1',
    role: 'persona',
    text: 'We opened at nine.',
    state: 'open',
    words: [
      { text: 'We ', atMs: 100 },
      { text: 'opened ', atMs: 300 },
      { text: 'at ', atMs: 600 },
      { text: 'nine.', atMs: 600 },
    ],
  });
  at(900, understood('2', 'Thanks'));
  expect(conversation.caption).toMatchObject({ role: 'user', text: 'Thanks', words: [{ atMs: 900 }] });
});

it('knows who has the floor', () => {
  const { conversation, at, told } = scene();
  const steps = [
    [heard('started'), 'user'],
    [heard('ended'), 'thinking'],
    [understood('1', 'Hi'), 'thinking'],
    [speech('2', 0, 'x'), 'persona'],
    [heard('started'), 'both'],
    [speech('2', 1, '', END), 'user'],
    [heard('ended'), 'thinking'],
    [speech('3', 0, 'x'), 'persona'],
    [speech('3', 1, '', END), 'nobody'],
  ] as const;
  for (const [step, holder] of steps) {
    at(0, step);
    expect(conversation.holder).toBe(holder);
  }
  expect(told('FLOOR_CHANGED')).toEqual([
    'user',
    'thinking',
    'persona',
    'both',
    'user',
    'thinking',
    'persona',
    'nobody',
  ]);
  expect(told('USER_SPEECH_STARTED')).toEqual(['c', 'c']);
});

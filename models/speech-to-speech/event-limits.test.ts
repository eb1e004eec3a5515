import { expect, it } from 'vitest';
import { systemTimers } from '../../runtime/clock.ts';
import { EventLimits } from './event-limits.ts';
import { GeminiTurn } from './gemini/gemini-turn.ts';
import type { ServerEvent, ServerItem } from './server-events.ts';
import { talk } from './testing/talk.ts';

const WORDS = 'word '.repeat(200);
const itemOf = (id: string): ServerItem => ({ id, kind: 'message', role: 'user', callId: '', name: '', arguments: '' });
const call = (at: number): ServerEvent => ({ type: 'call', responseId: 'r', call: itemOf(`c${at}`) });
const text = (responseId: string): ServerEvent => ({ type: 'text', as: 'sound', responseId, itemId: 'i', text: WORDS });

/** @returns how many of them are taken, of at most 100,000. */
function taken(bounds: EventLimits, event: (at: number) => ServerEvent): number {
  for (let at = 0; at < 100_000; at += 1)
    try {
      bounds.take(event(at));
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      return at;
    }
  return 100_000;
}

/**
 * A customer's own server that floods was read as fast as it came, on the thread that paces everybody's sound, and all
 * of it was kept: items of the conversation (each compared with all), answers, words.
 */
it.each<[string, number, (at: number) => ServerEvent]>([
  ['items of the conversation', 5_000, (at) => ({ type: 'item', item: itemOf(`i${at}`), after: null })],
  ['answers', 64, (at) => ({ type: 'response', responseId: `r${at}`, tag: null })],
  ['words of an answer', 65, () => text('r')],
  ['words of many answers', 64, (at) => text(`r${at}`)],
  ['sound of an answer', 384, () => ({ type: 'audio', responseId: 'r', itemId: 'i', base64: 'A'.repeat(100_000) })],
  ['calls of tools', 64, call],
  ['words of the user', 65, () => ({ type: 'user-words', itemId: 'i', text: WORDS })],
  ['words of many users', 100, (at) => ({ type: 'user-words', itemId: `i${at}`, text: 'word' })],
  ['voices', 300, (at) => ({ type: 'voice', voice: at % 2 === 0 ? 'on' : 'off' })],
  ['errors', 300, () => ({ type: 'error', code: 'x', message: WORDS, eventId: null })],
])('has an end: what a server sends of %s', (_, most, event) => {
  expect(taken(new EventLimits(() => 0), event)).toBe(most);
});

it('takes hours of conversation', () => {
  let now = 0;
  const bounds = new EventLimits(() => now);
  for (let turn = 0; turn < 2_400; turn += 1) {
    now += 5_000;
    for (const voice of ['on', 'off'] as const) bounds.take({ type: 'voice', voice });
    bounds.take({ type: 'item', item: itemOf(`u${turn}`), after: null });
    for (let word = 0; word < 30; word += 1) bounds.take({ type: 'user-words', itemId: `u${turn}`, text: 'word ' });
    bounds.take({ type: 'user-text', itemId: `u${turn}`, text: WORDS });
    bounds.take({ type: 'response', responseId: `r${turn}`, tag: null });
    bounds.take({ type: 'item', item: itemOf(`a${turn}`), after: null });
    for (let word = 0; word < 30; word += 1) bounds.take(text(`r${turn}`));
    bounds.take({ type: 'response-done', responseId: `r${turn}`, status: 'completed', reason: '', tokens: null });
  }
});

it('has an end also while an answer of Gemini waits to be asked for', () => {
  const told: ServerEvent[] = [];
  const turn = new GeminiTurn('u', (event) => told.push(event), systemTimers);
  const push = (): void => {
    for (let at = 0; at < 1_000; at += 1) turn.push(() => text('r'));
  };
  expect(push).toThrow('The server sent more than 65536 characters of an answer.');
  turn.close();
});

it('ends the connection of whoever sends more, and the session goes on with another', async () => {
  const first = await talk({ hears: ['Hello.'] });
  await first.say();
  const [peer] = first.server.peers;
  for (let at = 0; at < 100; at += 1) peer!.send({ type: 'response.created', response: { id: `r${at}` } });
  await expect.poll(() => first.lost).toEqual(['bad-response']);
  await expect.poll(() => first.server.peers).toHaveLength(2);
});

import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { LlmMessage } from '../ports.ts';
import { persona, PROMPT, talk, TOOL, user } from './testing/talk.ts';

it('is back after its service was away for 8 s, with the whole conversation and what was being said', async () => {
  const timers = new SimulatedClock();
  const call = await talk({ hears: ['Hello.', 'Still there?'] }, {}, timers);
  await call.say();
  await call.ask([PROMPT, user('Hello.')]);
  call.server.refuses = 503;
  call.server.peers[0]!.cut();
  await expect.poll(() => call.lost).toHaveLength(1);
  const said = call.say();
  for (let tries = 2; tries <= 4; tries += 1) {
    timers.increment(2_700);
    await expect.poll(() => call.lost).toHaveLength(tries);
  }
  call.server.refuses = null;
  timers.increment(5_000);
  expect(await said).toBe('Still there?');
  await call.ask([PROMPT, user('Hello.'), persona('Hello there.'), user('Still there?')]);
  expect(call.server.peers).toHaveLength(2);
  expect(call.server.peers[1]!.remembers.slice(0, 3)).toEqual([
    'user: Hello.',
    'assistant: Hello there.',
    'user: Still there?',
  ]);
});

it('is told of a new prompt, new tools and a new speed before its next answer, and of nothing again', async () => {
  const call = await talk();
  await call.ask([PROMPT, user('Hello.')]);
  const [peer] = call.server.peers;
  const before = peer!.ofType('session.update').length;
  const changed: LlmMessage = { role: 'system', content: 'You are Elena, and in a hurry.' };
  for await (const _ of call.session.synthesizer.synthesize(
    { text: 'Hello there.', spoken: true, voice: 'v', language: 'en', tuning: { speed: 1.2 } },
    new AbortController().signal,
  ));
  const history = [user('Hello.'), persona('Hello there. How are you?')];
  await call.ask([changed, ...history, user('Well?')], [TOOL]);
  expect(peer!.ofType('session.update')).toHaveLength(before + 1);
  expect(peer!.session).toMatchObject({
    instructions: 'You are Elena, and in a hurry.',
    tools: [{ name: 'shop_hours' }],
    audio: { output: { speed: 1.2 } },
  });
  await call.ask([changed, ...history, user('Well?'), persona('Hello there.'), user('And?')], [TOOL]);
  expect(peer!.ofType('session.update')).toHaveLength(before + 1);
});

it('goes on with the whole conversation when the service ends its session after an hour', async () => {
  const call = await talk();
  await call.ask([PROMPT, user('Hello.')]);
  const [peer] = call.server.peers;
  peer!.send({
    type: 'error',
    error: {
      type: 'invalid_request_error',
      code: 'session_expired',
      message: 'Your session hit the maximum duration.',
    },
  });
  peer!.hangUp();
  await expect.poll(() => call.lost.length).toBeGreaterThan(0);
  expect(new Set(call.lost)).toEqual(new Set(['connect']));
  const events = await call.ask([PROMPT, user('Hello.'), persona('Hello there.'), user('Go on.')]);
  expect(events.at(-1)).toMatchObject({ type: 'done' });
  expect(call.server.peers[1]!.remembers.slice(0, 3)).toEqual([
    'user: Hello.',
    'assistant: Hello there.',
    'user: Go on.',
  ]);
});

/**
 * The answer stayed silent for 15 s. Its request was for a connection that was lost while an earlier answer ended; and where a
 * server counts its answers, that of the next connection was taken for an old one with the same id.
 */
it('asks the next connection when this one is lost before the request is sent', async () => {
  const call = await talk({ answer: ({ items }) => (items.length > 1 ? 'Here I am.' : { silent: true }) });
  const given = new AbortController();
  const first = call.ask([PROMPT, user('Hello.')], [], given.signal);
  await expect.poll(() => call.server.peers[0]?.ofType('response.create')).toHaveLength(1);
  const second = call.ask([PROMPT, user('Hello.'), user('Are you there?')]);
  call.server.peers[0]!.cut();
  given.abort();
  await first.catch(() => {});
  expect((await second).at(-1)).toMatchObject({ type: 'done' });
  expect(call.server.peers).toHaveLength(2);
  expect(call.server.peers[1]!.remembers.slice(0, 2)).toEqual(['user: Hello.', 'user: Are you there?']);
});

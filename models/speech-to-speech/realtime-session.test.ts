import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { LlmEvent, LlmMessage } from '../ports.ts';
import { createSpeechModel } from './speech-model.ts';
import { openRealtimeServer } from './testing/realtime-server.ts';
import { open, persona, PROMPT, talk, TOOL, user } from './testing/talk.ts';

const textOf = (events: readonly LlmEvent[]): string =>
  events
    .map((event) => (event.type === 'text' ? event.text : ''))
    .join('')
    .trim();

it.each(['released', 'beta'] as const)('hears, answers in its own voice, and remembers: %s names', async (names) => {
  const call = await talk({ names, hears: ['Good morning.'] });
  expect(await call.say()).toBe('Good morning.');
  const answer = await call.ask([PROMPT, user('Good morning.')]);
  expect(textOf(answer)).toBe('Hello there. How are you?');
  expect(answer.at(-1)).toEqual({ type: 'done', finishReason: 'stop' });
  expect(await call.speak('Hello', 'one')).toBeCloseTo(2_040, 0);
  const [peer] = call.server.peers;
  expect(peer!.remembers).toEqual(['user: Good morning.', 'assistant: Hello there. How are you?']);
  expect(peer!.session).toMatchObject({
    type: 'realtime',
    instructions: 'You are Elena.',
    output_modalities: ['audio'],
    audio: {
      input: { format: { type: 'audio/pcm', rate: 24_000 }, turn_detection: null, transcription: { language: 'en' } },
      output: { voice: 'marin' },
    },
  });
  expect(peer!.session.audio!.input!.transcription!.prompt).toContain('Zhofia');
});

it('is told what was typed and what the application knows, and forgets what was not meant for it', async () => {
  const call = await talk({ hears: ['Mm-hm.', 'What time is it?'] });
  await call.ask([PROMPT, user('Hello.')]);
  await call.say();
  await call.say();
  const information: LlmMessage = { role: 'system', content: 'The user has a dog.' };
  await call.ask([PROMPT, user('Hello.'), persona('Hello there.'), information, user('What time is it?')]);
  expect(call.server.peers[0]!.remembers.slice(0, 4)).toEqual([
    'user: Hello.',
    'assistant: Hello there. How are you?',
    'system: The user has a dog.',
    'user: What time is it?',
  ]);
  expect(call.lost).toEqual([]);
});

it('remembers of an interrupted answer what was heard of it, to the word', async () => {
  const call = await talk({ answer: () => 'One two three four five six seven eight.', hears: ['Stop.'] });
  await call.ask([PROMPT, user('Count.')]);
  const playing = new AbortController();
  await call.speak('One two three four five six seven eight.', 'one', playing.signal);
  // "One two three" is 180 + 60 + 180 + 60 + 300 ms.
  call.session.cut('one', 760);
  await call.say();
  await call.ask([PROMPT, user('Count.'), persona('One two three [interrupted]'), user('Stop.')]);
  const [peer] = call.server.peers;
  expect(peer!.ofType('conversation.item.truncate')).toMatchObject([{ content_index: 0, audio_end_ms: 760 }]);
  expect(peer!.remembers.slice(0, 3)).toEqual(['user: Count.', 'assistant: One two three', 'user: Stop.']);
  expect(call.lost).toEqual([]);
});

it('goes on from where it was stopped by nothing, and then nothing is truncated', async () => {
  const call = await talk({ answer: () => 'One two three four five six seven eight.' });
  await call.ask([PROMPT, user('Count.')]);
  const whole = await call.speak('One two three four five six seven eight.', 'one');
  call.session.cut('one', 760);
  expect(await call.speak('four five six seven eight.', 'two')).toBeCloseTo(whole - 760, 0);
  call.session.heard('two');
  await call.ask([PROMPT, user('Count.'), persona('One two three four five six seven eight.'), user('More.')]);
  expect(call.server.peers[0]!.ofType('conversation.item.truncate')).toEqual([]);
});

it('does not go on with an interrupted answer where a new one has the same words', async () => {
  const said = ['Nine. One two three four five six seven eight. Fine.', 'Fine.'];
  const call = await talk({ answer: () => said.shift() ?? 'Bye.' });
  await call.ask([PROMPT, user('Count.')]);
  await call.speak('Nine.', 'one');
  call.session.cut('one', 400);
  await call.ask([PROMPT, user('Count.'), persona('Nine. [interrupted]'), user('Stop.')]);
  await call.speak('Fine.', 'two');
  call.session.heard('two');
  const before = [PROMPT, user('Count.'), persona('Nine. [interrupted]'), user('Stop.'), persona('Fine.')];
  await call.ask([...before, user('Bye.')]);
  expect(call.server.peers[0]!.remembers.slice(0, 5)).toEqual([
    'user: Count.',
    'assistant: Nine.',
    'user: Stop.',
    'assistant: Fine.',
    'user: Bye.',
  ]);
});

it('fails a sentence whose sound broke off with the connection, so that it is not taken for heard', async () => {
  const call = await talk({ answer: () => 'One two three four five six seven eight nine ten eleven.', pace: 1 });
  const asked = call.ask([PROMPT, user('Count.')]);
  await expect.poll(() => call.server.peers[0]?.items.at(-1)?.words?.length).toBeGreaterThan(2);
  const spoken = call.speak('One two three four five six seven eight nine ten eleven.', 'one');
  call.server.peers[0]!.cut();
  await expect(asked).rejects.toMatchObject({ code: 'connect' });
  await expect(spoken).rejects.toMatchObject({ code: 'connect' });
});

it('forgets an answer of which nothing was heard', async () => {
  const call = await talk();
  await call.ask([PROMPT, user('Hello.')]);
  call.session.cut(null, 0);
  await call.ask([PROMPT, user('Hello.'), user('Are you there?')]);
  expect(call.server.peers[0]!.remembers.slice(0, 2)).toEqual(['user: Hello.', 'user: Are you there?']);
});

it('calls a tool by a name that the service takes, and is told the result', async () => {
  const call = await talk({
    answer: ({ items }) =>
      items.at(-1)?.type === 'function_call_output'
        ? `We open ${items.at(-1)!.text}.`
        : { call: { name: 'shop_hours', args: { day: 'Monday' } }, text: 'Let me look.' },
  });
  const first = await call.ask([PROMPT, user('When do you open?')], [TOOL]);
  const made = first.find((event) => event.type === 'tool-call')!.call;
  expect(made).toMatchObject({ name: 'shop.hours', arguments: '{"day":"Monday"}' });
  // The session has ids of its own, and the service takes a result only for a call that it knows.
  const ofSession = { ...made, id: 'fc_1', providerId: made.id };
  const result: LlmMessage = { role: 'tool', toolCallId: 'fc_1', content: 'at nine' };
  const asked = [
    PROMPT,
    user('When do you open?'),
    { ...persona('Let me look.'), toolCalls: [ofSession] } as LlmMessage,
    result,
  ];
  expect(textOf(await call.ask(asked, [TOOL]))).toBe('We open at nine.');
  const [peer] = call.server.peers;
  expect(peer!.remembers.slice(1, 4)).toEqual([
    'assistant: Let me look.',
    'function_call: {"day":"Monday"}',
    'function_call_output: at nine',
  ]);
  expect(peer!.session.tools).toMatchObject([{ type: 'function', name: 'shop_hours' }]);
});

it('reads a given text in its own voice, outside of the conversation', async () => {
  const call = await talk();
  expect(await call.read('Welcome to the "shop".', 'one')).toBeGreaterThan(1_000);
  const [peer] = call.server.peers;
  expect(peer!.remembers).toEqual([]);
  expect(peer!.ofType('response.create')).toMatchObject([{ response: { conversation: 'none', input: [] } }]);
});

it('begins to answer while the words are still written down, and once only', async () => {
  const call = await talk({ hears: ['Hello.', 'And now?'], transcriptionMs: 150 });
  await call.say();
  await call.ask([PROMPT, user('Hello.')]);
  await call.speak('Hello there.', 'one');
  call.session.heard('one');
  const asked = performance.now();
  const said = call.say();
  await expect.poll(() => call.server.peers[0]!.ofType('response.create')).toHaveLength(2);
  await said;
  expect(performance.now() - asked).toBeGreaterThan(100);
  const messages = [PROMPT, user('Hello.'), persona('Hello there. How are you?'), user('And now?')];
  expect(textOf(await call.ask(messages))).toBe('Hello there. How are you?');
  expect(call.server.peers[0]!.ofType('response.create')).toHaveLength(2);
  expect(call.server.peers[0]!.ofType('response.cancel')).toHaveLength(0);
});

it('drops an answer that it began to what the user did not mean', async () => {
  // It is not through with its answer before it is told to stop, however busy the machine is.
  const call = await talk({
    hears: ['Hello.', 'um'],
    answer: ({ items }) => (items.at(-1)?.text === 'um' ? { silent: true } : 'Hello there. How are you?'),
  });
  await call.ask([PROMPT, user('Hello.')]);
  await call.speak('Hello there.', 'one');
  call.session.heard('one');
  call.server.options.hears!.splice(0, 1);
  await call.say();
  const messages = [PROMPT, user('Hello.'), persona('Hello there. How are you?'), user('Typed instead.')];
  expect(textOf(await call.ask(messages))).toBe('Hello there. How are you?');
  const [peer] = call.server.peers;
  expect(peer!.ofType('response.cancel')).toHaveLength(1);
  expect(peer!.remembers.slice(0, 3)).toEqual([
    'user: Hello.',
    'assistant: Hello there. How are you?',
    'user: Typed instead.',
  ]);
  expect(call.lost).toEqual([]);
});

it('stops when the answer is not wanted any more, and answers the next question', async () => {
  const call = await talk({ thinkMs: 200 });
  const unwanted = new AbortController();
  const first = call.ask([PROMPT, user('Hello.')], [], unwanted.signal).catch((error: Error) => error);
  await expect.poll(() => call.server.peers[0]?.ofType('response.create')).toHaveLength(1);
  unwanted.abort();
  await first;
  expect(textOf(await call.ask([PROMPT, user('Hello. Are you there?')]))).toBe('Hello there. How are you?');
  expect(call.server.peers[0]!.remembers[0]).toBe('user: Hello. Are you there?');
});

it('is back after its connection was cut, with the whole conversation', async () => {
  const call = await talk({ hears: ['Hello.', 'Still there?'] });
  await call.say();
  await call.ask([PROMPT, user('Hello.')]);
  call.server.peers[0]!.cut();
  await expect.poll(() => call.server.peers).toHaveLength(2);
  expect(await call.say()).toBe('Still there?');
  await call.ask([PROMPT, user('Hello.'), persona('Hello there.'), user('Still there?')]);
  expect(call.server.peers[1]!.remembers.slice(0, 3)).toEqual([
    'user: Hello.',
    'assistant: Hello there.',
    'user: Still there?',
  ]);
  expect(call.lost).toEqual(['connect']);
});

it('says of a refused key what is wrong, and does not knock on', async () => {
  const call = await talk({}, { secret: 'wrong' });
  await expect(call.ask([PROMPT, user('Hello.')])).rejects.toMatchObject({ code: 'auth' });
  const before = call.lost.length;
  await pause(600);
  expect(call.lost).toHaveLength(before);
});

it.each([
  ['rate_limit_exceeded', 'rate-limit'],
  ['server_error', 'server'],
  ['insufficient_quota', 'rate-limit'],
])('says why an answer failed: %s', async (code, kind) => {
  const call = await talk({ answer: () => ({ fail: code }) });
  await expect(call.ask([PROMPT, user('Hello.')])).rejects.toMatchObject({ code: kind });
});

it('leaves the turns to the model: hears all sound, tells of voices, and takes the answer that the server began', async () => {
  const call = await talk({ hears: ['Hello.'] }, { speech: { turns: 'server_vad' } });
  await call.ask([PROMPT, user('Begin.')]);
  const [peer] = call.server.peers;
  expect(peer!.session.audio!.input!.turn_detection).toMatchObject({ type: 'server_vad', create_response: true });
  // A voice, and as much silence as the server waits for.
  const said = call.say(300, 600);
  expect(await said).toBe('Hello.');
  expect(call.heardVoice).toEqual(['on', 'off']);
  const messages = [PROMPT, user('Begin.'), persona('Hello there. How are you?'), user('Hello.')];
  expect(textOf(await call.ask(messages))).toBe('Hello there. How are you?');
  expect(peer!.ofType('response.create')).toHaveLength(1);
  expect(peer!.ofType('input_audio_buffer.commit')).toHaveLength(0);
});

/** Symptom, on a busy machine: the answer was cancelled and asked for anew, since its message seemed to be one too many. */
it('takes the answer that the server began before any of its words has come', async () => {
  const call = await talk(
    { hears: ['Hello.'], transcriptionMs: 30, beforeWordsMs: 100 },
    { speech: { turns: 'server_vad' } },
  );
  await call.ask([PROMPT, user('Begin.')]);
  expect(await call.say(300, 600)).toBe('Hello.');
  const messages = [PROMPT, user('Begin.'), persona('Hello there. How are you?'), user('Hello.')];
  expect(textOf(await call.ask(messages))).toBe('Hello there. How are you?');
  const [peer] = call.server.peers;
  expect(peer!.ofType('response.create')).toHaveLength(1);
  expect(peer!.ofType('response.cancel')).toHaveLength(0);
});

it('tells a model that owns the turns at once how much was heard', async () => {
  const call = await talk({ hears: ['Hello.'] }, { speech: { turns: 'semantic_vad' } });
  await call.ask([PROMPT, user('Begin.')]);
  await call.speak('Hello there.', 'one');
  call.session.cut('one', 400);
  const [peer] = call.server.peers;
  await expect.poll(() => peer!.ofType('conversation.item.truncate')).toMatchObject([{ audio_end_ms: 400 }]);
  expect(peer!.remembers).toEqual(['user: Begin.', 'assistant: Hello there.']);
});

it('leaves a server that sends what cannot be understood, and is back', async () => {
  const call = await talk();
  await call.ask([PROMPT, user('Hello.')]);
  call.server.peers[0]!.sendRaw('{"type":');
  await expect.poll(() => call.server.peers).toHaveLength(2);
  expect(call.lost).toEqual(['bad-response']);
  expect(textOf(await call.ask([PROMPT, user('Hello.')]))).toBe('Hello there. How are you?');
});

/** Symptom: the client was warned that the model "does not take the request". The cancellation met the end of the answer on its way. */
it('does not tell of a cancellation that came too late', async () => {
  const call = await talk({ answer: () => 'Yes.', pace: 1_000 });
  await call.ask([PROMPT, user('Hello.')]);
  const [peer] = call.server.peers;
  peer!.send({
    type: 'error',
    error: { type: 'invalid_request_error', code: 'response_cancel_not_active', message: '' },
  });
  await call.ask([PROMPT, user('Hello.'), persona('Yes.'), user('And?')]);
  expect(call.lost).toEqual([]);
});

it('answers in text where it has no session', async () => {
  const server = await openRealtimeServer({ answer: ({ instructions }) => `I read: ${instructions}` });
  open.push(server);
  const model = createSpeechModel({
    name: 'House voice',
    format: 'advanced_voice',
    urls: [{ url: server.url }],
    modelName: 'gpt-realtime',
    secret: 'the-key',
  });
  let text = '';
  const request = { messages: [PROMPT, user('Hello.')], tools: [], sessionId: 's', correlationId: 'c', language: null };
  for await (const event of model.stream(request, new AbortController().signal))
    if (event.type === 'text') text += event.text;
  expect(text).toBe('I read: You are Elena.');
});

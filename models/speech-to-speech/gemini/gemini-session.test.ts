import { afterEach, expect, it } from 'vitest';
import type { Amounts, LlmEvent, LlmMessage, ToolSpec } from '../../ports.ts';
import { createSpeechModel } from '../speech-model.ts';
import { openGeminiServer, type GeminiServerOptions } from './testing/gemini-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const PROMPT: LlmMessage = { role: 'system', content: 'You are Elena.' };
const user = (content: string): LlmMessage => ({ role: 'user', content });
const persona = (content: string): LlmMessage => ({ role: 'assistant', content });
const TOOL: ToolSpec = { name: 'hours', description: 'Hours', parameters: { type: 'object', properties: {} } };
const COUNT = 'One two three four five six seven eight.';
/** 16 kHz. */
const VOICE = Int16Array.from({ length: 6_400 }, (_, at) => 8_000 * Math.sin(at / 20));
const never = new AbortController().signal;

async function talk(options: Partial<GeminiServerOptions> = {}, secret = 'the-key') {
  const server = await openGeminiServer({ answer: () => 'Hello there. How are you?', ...options });
  open.push(server);
  const model = createSpeechModel({
    name: 'House voice',
    format: 'advanced_voice',
    urls: [{ url: server.url }],
    modelName: 'gemini-live',
    secret,
    speech: { protocol: 'gemini' },
  });
  const lost: string[] = [];
  const amounts: Amounts[] = [];
  const session = model.speech!.open({
    voice() {},
    lost: ({ code }) => lost.push(code),
    metered: (use) => amounts.push(use.amounts),
  });
  open.push(session);
  let told = Promise.withResolvers<string>();
  const handlers = { partial() {}, final: (text: string) => told.resolve(text), failed: () => told.resolve('failed') };
  const recognition = session.recognizer.open({ language: 'en', keyTerms: [], handlers });
  return {
    server,
    session,
    lost,
    amounts,
    async say() {
      told = Promise.withResolvers();
      recognition.write(VOICE);
      recognition.finish();
      return told.promise;
    },
    async ask(messages: readonly LlmMessage[], tools: readonly ToolSpec[] = []) {
      const events: LlmEvent[] = [];
      const request = { messages, tools, sessionId: 's', correlationId: 'c', language: 'en' };
      for await (const event of session.llm.stream(request, never)) events.push(event);
      return events;
    },
    /** @returns the length of the sound, ms. */
    async speak(text: string, segmentId: string) {
      let samples = 0;
      const request = { text, segmentId, spoken: true as const, voice: 'v', language: 'en', tuning: {} };
      for await (const { pcm } of session.synthesizer.synthesize(request, never)) samples += pcm.length;
      return samples / 24;
    },
  };
}

const textOf = (events: readonly LlmEvent[]): string =>
  events
    .map((event) => (event.type === 'text' ? event.text : ''))
    .join('')
    .trim();

it('counts what the answers cost, also of one that the model gave unasked', async () => {
  const usage = {
    promptTokenCount: 30,
    promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 30 }],
    responseTokenCount: 50,
    responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 50 }],
  };
  const call = await talk({ hears: ['Good morning.'], usage });
  const told = { audioInputTokens: 30, audioOutputTokens: 50, reportedRequests: 1 };
  await call.ask([PROMPT, user('Begin.')]);
  await expect.poll(() => call.amounts).toEqual([{ requests: 1 }, told]);
  await call.say();
  await expect.poll(() => call.amounts.slice(2)).toEqual([{ requests: 1 }, told]);
});

it('hears with 16 kHz, answers in its own voice, and is set up as documented', async () => {
  const call = await talk({ hears: ['Good morning.'] });
  await call.ask([PROMPT, user('Begin.')]);
  await call.speak('Hello there.', 'zero');
  call.session.heard('zero');
  expect(await call.say()).toBe('Good morning.');
  const history = [PROMPT, user('Begin.'), persona('Hello there. How are you?')];
  expect(textOf(await call.ask([...history, user('Good morning.')]))).toBe('Hello there. How are you?');
  expect(await call.speak('Hello there.', 'one')).toBeCloseTo(2_040, 0);
  const [peer] = call.server.peers;
  expect(call.server.peers).toHaveLength(1);
  expect(peer!.audioBytes).toBe(VOICE.byteLength);
  expect(peer!.setup).toMatchObject({
    model: 'models/gemini-live',
    generationConfig: { responseModalities: ['AUDIO'] },
    systemInstruction: { parts: [{ text: 'You are Elena.' }] },
    realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
    inputAudioTranscription: {},
    outputAudioTranscription: {},
  });
  // Once: the model answers by itself, and what it said is what was asked for.
  expect(peer!.remembers.filter((item) => item.startsWith('model'))).toHaveLength(2);
});

// From the eleventh question on, the oldest messages were shown no more, and each answer waited for a new connection.
it('stays on its connection when the conversation outgrows what the session shows', async () => {
  const call = await talk({ hears: ['Good morning.'] });
  const messages: LlmMessage[] = [];
  for (let turn = 0; turn < 13; turn += 1) {
    messages.push(user(`Question ${turn}?`));
    expect(textOf(await call.ask([PROMPT, ...messages.slice(-19)]))).toBe('Hello there. How are you?');
    messages.push(persona('Hello there. How are you?'));
  }
  // The answer that the model has given to a voice by itself is the one that is asked for.
  await call.say();
  await call.ask([PROMPT, ...messages.slice(-19), user('Good morning.')]);
  expect(call.server.peers).toHaveLength(1);
  expect(call.server.peers[0]!.remembers.filter((item) => item.startsWith('model'))).toHaveLength(14);
});

it('calls a tool, and is told the result', async () => {
  const call = await talk({
    answer: (remembers) =>
      remembers.at(-1)!.startsWith('result') ? 'We open at nine.' : { call: { name: 'hours', args: {} } },
  });
  const first = await call.ask([PROMPT, user('When do you open?')], [TOOL]);
  const made = first.find((event) => event.type === 'tool-call')!.call;
  expect(made).toMatchObject({ id: 'function-call-1', name: 'hours', arguments: '{}' });
  const asked: LlmMessage = {
    role: 'assistant',
    content: '',
    toolCalls: [{ ...made, id: 'fc_1', providerId: made.id }],
  };
  const result: LlmMessage = { role: 'tool', toolCallId: 'fc_1', content: 'at nine' };
  const second = await call.ask([PROMPT, user('When do you open?'), asked, result], [TOOL]);
  expect(textOf(second)).toBe('We open at nine.');
  const responses = call.server.peers[0]!.received.filter(({ toolResponse }) => toolResponse !== undefined);
  expect(responses).toMatchObject([
    {
      toolResponse: { functionResponses: [{ id: 'function-call-1', name: 'hours', response: { output: 'at nine' } }] },
    },
  ]);
});

it('remembers of an interrupted answer what was heard of it: it begins anew with that', async () => {
  const call = await talk({ answer: () => COUNT });
  await call.ask([PROMPT, user('Count.')]);
  const whole = await call.speak(COUNT, 'one');
  call.session.cut('one', whole * 0.36);
  await call.ask([PROMPT, user('Count.'), persona('One two three [interrupted]'), user('Stop.')]);
  expect(call.server.peers).toHaveLength(2);
  expect(call.server.peers[1]!.remembers.slice(0, 3)).toEqual(['user: Count.', 'model: One two three', 'user: Stop.']);
  expect(call.lost).toEqual([]);
});

it('takes a long word for longer than a short one, where an answer was interrupted', async () => {
  const answer = 'I am a fundamentally misunderstood acquaintance.';
  const call = await talk({ answer: () => answer });
  await call.ask([PROMPT, user('Who are you?')]);
  const whole = await call.speak(answer, 'one');
  call.session.cut('one', whole / 3);
  await call.ask([PROMPT, user('Who are you?'), persona('I am a fundamentally [interrupted]'), user('Stop.')]);
  expect(call.server.peers[1]!.remembers[1]).toBe('model: I am a fundamentally');
});

it('is set to a new prompt by beginning anew with the whole conversation', async () => {
  const call = await talk();
  await call.ask([PROMPT, user('Hello.')]);
  await call.speak('Hello there.', 'one');
  call.session.heard('one');
  const changed: LlmMessage = { role: 'system', content: 'You are in a hurry.' };
  await call.ask([changed, user('Hello.'), persona('Hello there. How are you?'), user('Well?')]);
  const peer = call.server.peers[1]!;
  expect(peer.setup).toMatchObject({ systemInstruction: { parts: [{ text: 'You are in a hurry.' }] } });
  expect(peer.remembers.slice(0, 3)).toEqual(['user: Hello.', 'model: Hello there. How are you?', 'user: Well?']);
});

it('is back after its connection was cut, with the conversation as text where the service gives no handle', async () => {
  const call = await talk();
  await call.ask([PROMPT, user('Hello.')]);
  call.server.peers[0]!.cut();
  await expect.poll(() => call.lost).toEqual(['connect']);
  await call.ask([PROMPT, user('Hello.'), persona('Hello there.'), user('Still there?')]);
  const second = call.server.peers.at(-1)!;
  expect(second.remembers.slice(0, 3)).toEqual(['user: Hello.', 'model: Hello there.', 'user: Still there?']);
});

it('goes on where it was, on another connection: after a cut, and before the server goes away', async () => {
  const handles = new Map<string, readonly string[]>();
  const call = await talk({ handles });
  const told = async (): Promise<readonly unknown[]> => {
    const { received } = call.server.peers.at(-1)!;
    return received.flatMap(({ clientContent }) => clientContent?.turns ?? []).map(({ parts }) => parts[0]?.text);
  };
  await call.ask([PROMPT, user('Hello.')]);
  await expect.poll(() => handles.size).toBe(1);
  call.server.peers[0]!.cut();
  await expect.poll(() => call.lost).toEqual(['connect']);
  const before = [PROMPT, user('Hello.'), persona('Hello there. How are you?')];
  await call.ask([...before, user('Still there?')]);
  expect(call.server.peers[1]!.setup).toMatchObject({ sessionResumption: { handle: 'handle-1' } });
  expect(await told()).toEqual(['Still there?']);
  await expect.poll(() => handles.size).toBe(2);

  call.server.peers[1]!.send({ goAway: { timeLeft: '10s' } });
  const later = [...before, user('Still there?'), persona('Hello there. How are you?')];
  await expect
    .poll(async () => {
      await call.ask([...later, user('And now?')]);
      return call.server.peers;
    })
    .toHaveLength(3);
  expect(call.server.peers[2]!.remembers.slice(0, 4)).toEqual([
    'user: Hello.',
    'model: Hello there. How are you?',
    'user: Still there?',
    'model: Hello there. How are you?',
  ]);
  expect(await told()).toContain('And now?');
  expect(call.lost).toEqual(['connect']);
});

it('begins anew where the service does not take its handle any more', async () => {
  const handles = new Map<string, readonly string[]>();
  const call = await talk({ handles });
  await call.ask([PROMPT, user('Hello.')]);
  await expect.poll(() => handles.size).toBe(1);
  handles.clear();
  call.server.peers[0]!.cut();
  await expect.poll(() => call.lost).toEqual(['connect']);
  const history = [PROMPT, user('Hello.'), persona('Hello there. How are you?'), user('Still there?')];
  await call.ask(history).catch(() => call.ask(history));
  const last = call.server.peers.at(-1)!;
  expect(last.setup).toMatchObject({ sessionResumption: {} });
  expect(last.remembers.slice(0, 3)).toEqual([
    'user: Hello.',
    'model: Hello there. How are you?',
    'user: Still there?',
  ]);
});

it('does not go on with what was not heard: an interrupted answer is told as it was heard', async () => {
  const handles = new Map<string, readonly string[]>();
  const call = await talk({ handles, answer: () => COUNT });
  await call.ask([PROMPT, user('Count.')]);
  const whole = await call.speak(COUNT, 'one');
  await expect.poll(() => handles.size).toBe(1);
  call.session.cut('one', whole * 0.36);
  call.server.peers[0]!.cut();
  await expect.poll(() => call.lost).toEqual(['connect']);
  await call.ask([PROMPT, user('Count.'), persona('One two three [interrupted]'), user('Stop.')]);
  expect(call.server.peers.at(-1)!.remembers.slice(0, 3)).toEqual([
    'user: Count.',
    'model: One two three',
    'user: Stop.',
  ]);
});

it('cannot read a given text: another voice does', async () => {
  const call = await talk();
  const request = { text: 'Welcome.', segmentId: 'one', voice: 'v', language: 'en', tuning: {} };
  await expect(call.session.synthesizer.synthesize(request, never)[Symbol.asyncIterator]().next()).rejects.toThrow();
});

it('says of a refused key what is wrong', async () => {
  const call = await talk({}, 'wrong');
  await expect(call.ask([PROMPT, user('Hello.')])).rejects.toMatchObject({ code: 'auth' });
});

import { afterEach, expect, it } from 'vitest';
import { engineNow, type Timers } from '../../../runtime/clock.ts';
import type { LlmEvent, LlmMessage, ToolSpec } from '../../ports.ts';
import { createAgentModel } from './agent-model.ts';
import type { AgentSettings } from './agent-settings.ts';
import { SPEED, type AgentPeer, type AgentServerOptions } from './testing/agent-peer.ts';
import { openAgentServer } from './testing/agent-server.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const PROMPT: LlmMessage = { role: 'system', content: 'Parley has a prompt, too.' };
const user = (content: string): LlmMessage => ({ role: 'user', content });
const persona = (content: string): LlmMessage => ({ role: 'assistant', content });
const COUNT = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen.';
/** 16 kHz. */
const voice = (ms: number): Int16Array => Int16Array.from({ length: ms * 16 }, (_, at) => 8_000 * Math.sin(at / 20));

/**
 * Speech passes faster than it is heard, as it does for the server. What others take their time for is waited for.
 * While the server speaks nothing is over: on a busy machine its sound had come later than the end of what came before.
 */
const timersBeside = (peers: readonly AgentPeer[]): Timers => ({
  now: () => engineNow() * SPEED,
  setTimeout(fn, ms) {
    let quietLooks = 0;
    const look = (): void => {
      quietLooks = peers.some(({ unsent }) => unsent > 0) ? 0 : quietLooks + 1;
      // What was sent by the first look is there by the second.
      if (quietLooks === 2) fn();
      else waiting.handle = setTimeout(look, 1);
    };
    const waiting = { handle: setTimeout(look, ms >= 4_000 ? ms : ms / SPEED) };
    return waiting;
  },
  clearTimeout: (waiting) => clearTimeout((waiting as { handle: NodeJS.Timeout } | null)?.handle),
});

async function talk(options: Partial<AgentServerOptions> = {}, settings: Partial<AgentSettings> = {}, goesOn = false) {
  const server = await openAgentServer({ answer: () => 'Hello there. How are you?', ...options });
  open.push(server);
  const model = createAgentModel(
    'An agent',
    { signedUrl: server.signedUrl, agentId: 'agent_1', ...settings },
    { timers: timersBeside(server.peers) },
  );
  const told = { lost: [] as string[], voice: 0, speaks: 0, hungUp: 0, cues: [] as [string, number][] };
  const session = model.speech!.open({
    voice: () => (told.voice += 1),
    lost: ({ code }) => told.lost.push(code),
    speaks: () => (told.speaks += 1),
    cue: (tag, atMs) => told.cues.push([tag, atMs]),
    hungUp: () => (told.hungUp += 1),
    goesOn,
  });
  open.push(session);
  const finals: string[] = [];
  const handlers = { partial() {}, final: (text: string) => finals.push(text), failed() {} };
  const recognition = session.recognizer.open({ language: 'en', keyTerms: [], handlers });
  const ask = async (messages: readonly LlmMessage[], more: { tools?: ToolSpec[]; mayBeEmpty?: true } = {}) => {
    const events: LlmEvent[] = [];
    const request = { messages, tools: [], sessionId: 's', correlationId: 'c', language: 'en', ...more };
    for await (const event of session.llm.stream(request, new AbortController().signal)) events.push(event);
    return events;
  };
  return {
    server,
    session,
    told,
    finals,
    ask,
    /** What it says by itself. */
    async own(messages: readonly LlmMessage[] = [PROMPT]) {
      await expect.poll(() => told.speaks).toBeGreaterThan(0);
      told.speaks = 0;
      return ask(messages, { mayBeEmpty: true });
    },
    /** A voice and then silence. */
    async say(ms = 400, silentMs = 500) {
      const before = finals.length;
      for (let left = ms; left > 0; left -= 100) recognition.write(voice(100));
      for (let left = silentMs; left > 0; left -= 100) recognition.write(new Int16Array(1_600));
      recognition.finish();
      await expect.poll(() => finals.length).toBeGreaterThan(before);
      return finals.at(-1)!;
    },
    /** @returns the length of the sound, ms. */
    async speak(text: string, segmentId: string) {
      let samples = 0;
      const request = { text, segmentId, spoken: true as const, voice: 'v', language: 'en', tuning: {} };
      for await (const { pcm } of session.synthesizer.synthesize(request, new AbortController().signal))
        samples += pcm.length;
      return samples / 24;
    },
  };
}

const textOf = (events: readonly LlmEvent[]): string =>
  events
    .map((event) => (event.type === 'text' ? event.text : ''))
    .join('')
    .trim();

it('begins when the user is there, is told what the session says of it, and greets by itself', async () => {
  const settings = {
    dynamicVariables: { name: 'Ada', visits: 3 },
    conversationConfigOverride: { agent: { language: 'de' } },
    userId: 'u1',
    customLlmExtraBody: { temperature: 0 },
  };
  const call = await talk({ firstMessage: 'Welcome to the shop.' }, settings);
  expect(call.server.peers).toHaveLength(0);
  call.session.present!();
  expect(textOf(await call.own())).toBe('Welcome to the shop.');
  const [peer] = call.server.peers;
  expect(peer!.initiation).toMatchObject({
    type: 'conversation_initiation_client_data',
    dynamic_variables: { name: 'Ada', visits: 3 },
    conversation_config_override: { agent: { language: 'de' } },
    user_id: 'u1',
    custom_llm_extra_body: { temperature: 0 },
  });
  await expect.poll(() => peer!.ofType('pong')).toEqual([{ type: 'pong', event_id: 1 }]);
});

it.each(['pcm_16000', 'pcm_24000', 'pcm_44100', 'pcm_8000', 'ulaw_8000'])(
  'hears all sound and answers in its own voice, in %s',
  async (format) => {
    const call = await talk({ hears: ['Good morning.'], format });
    call.session.present!();
    expect(await call.say()).toBe('Good morning.');
    expect(textOf(await call.ask([PROMPT, user('Good morning.')]))).toBe('Hello there. How are you?');
    const ms = await call.speak('Hello there.', 'one');
    expect(ms).toBeGreaterThan(2_000);
    expect(ms).toBeLessThan(2_080);
    const [peer] = call.server.peers;
    expect(peer!.audioMs).toBeGreaterThan(880);
    // It answered by itself: it was not asked in text.
    expect(peer!.remembers).toEqual(['user: Good morning.', 'agent: Hello there. How are you?']);
  },
);

/**
 * With Chromium, the agent never answered: a microphone that is muted sends nothing, and the agent waited for silence.
 */
it('is told of silence when the microphone sends nothing more', async () => {
  const call = await talk({ hears: ['Good morning.'] });
  call.session.present!();
  expect(await call.say(400, 0)).toBe('Good morning.');
});

it('acts the tags of an expressive voice at their time, and does not say them', async () => {
  const call = await talk({ answer: () => '[excited] You won! [laughs] And [slow] how!' });
  const events = await call.ask([PROMPT, user('Well?')]);
  expect(textOf(events)).toBe('You won! And [slow] how!');
  expect(call.told.cues.map(([tag]) => tag)).toEqual(['happy', 'laughter']);
  expect(call.told.cues[0]![1]).toBe(0);
  expect(call.told.cues[1]![1]).toBeGreaterThan(200);
});

it('is told what the user writes, and background as such', async () => {
  const call = await talk();
  call.session.present!();
  await expect.poll(() => call.server.peers[0]?.initiation).toBeTruthy();
  await call.ask([PROMPT, user('Hello.')]);
  call.session.context!('The user looks at shoes.');
  await call.ask([PROMPT, user('Hello.'), persona('Hello there.'), user('What is this?')]);
  expect(call.server.peers[0]!.remembers).toEqual([
    'user: Hello.',
    'agent: Hello there. How are you?',
    'context: The user looks at shoes.',
    'user: What is this?',
    'agent: Hello there. How are you?',
  ]);
});

it('has its tools run by the session, and gets their results', async () => {
  const call = await talk({
    answer: (remembers) =>
      /^(result|error)/.test(remembers.at(-1)!)
        ? 'We open at nine.'
        : { call: { name: 'hours', args: { day: 'Monday' } } },
  });
  const first = await call.ask([PROMPT, user('When?')]);
  const made = first.find((event) => event.type === 'tool-call')!.call;
  expect(made).toMatchObject({ name: 'hours', arguments: '{"day":"Monday"}' });
  // The session has ids of its own.
  const asked: LlmMessage = {
    role: 'assistant',
    content: '',
    toolCalls: [{ ...made, id: 'fc_1', providerId: made.id }],
  };
  const result: LlmMessage = { role: 'tool', toolCallId: 'fc_1', content: 'Error: closed' };
  expect(textOf(await call.ask([PROMPT, user('When?'), asked, result]))).toBe('We open at nine.');
  expect(call.server.peers[0]!.ofType('client_tool_result')).toEqual([
    { type: 'client_tool_result', tool_call_id: made.id, result: 'Error: closed', is_error: true },
  ]);
});

it('is interrupted by its own judgment: what it said on is dropped', async () => {
  const call = await talk({
    answer: (remembers) => (/count/.test(remembers.at(-1)!) ? COUNT : 'Fine.'),
    hears: ['Stop.'],
    speed: 1,
  });
  const asking = call.ask([PROMPT, user('Please count.')]);
  await expect.poll(() => call.server.peers[0]?.sounds).toBeGreaterThan(3);
  const speaking = call.speak('One two', 'one');
  expect(await call.say()).toBe('Stop.');
  expect(call.told.voice).toBe(1);
  expect(textOf(await asking)).toBe(COUNT);
  expect(await speaking).toBeGreaterThan(0);
  const [peer] = call.server.peers;
  call.session.cut('one', peer!.interruptedAtMs);
  expect(textOf(await call.ask([PROMPT, user('Please count.'), persona('One two'), user('Stop.')]))).toBe('Fine.');
  expect(peer!.ofType('contextual_update')).toEqual([]);
});

it('is told what was heard when it was stopped by somebody else', async () => {
  const call = await talk({ answer: () => COUNT });
  await call.ask([PROMPT, user('Please count.')]);
  const whole = await call.speak('One two', 'one');
  call.session.cut('one', whole / 4);
  await expect.poll(() => call.server.peers[0]!.ofType('contextual_update')).toHaveLength(1);
  const { text } = call.server.peers[0]!.ofType('contextual_update')[0]!;
  expect(text).toMatch(/heard only this of it: "One two three four"/);
});

it('is heard from the beginning when it says again what was interrupted', async () => {
  const call = await talk({ answer: () => 'One two three four five.' });
  await call.ask([PROMPT, user('Please count.')]);
  const whole = await call.speak('One two', 'one');
  call.session.cut('one', whole / 2);
  const again = call.ask([PROMPT, user('Please count.'), persona('One two'), user('Count again.')]);
  await expect.poll(() => call.server.peers[0]!.sounds).toBeGreaterThan(5);
  // Sound comes before its words: they do not tell it from the rest of what was interrupted.
  expect(await call.speak('', 'two')).toBeCloseTo(whole, -1);
  await again;
});

it('is back after its connection was lost: it knows the conversation, and does not greet again', async () => {
  const call = await talk({ firstMessage: 'Welcome.', hears: ['Are you there?'] });
  call.session.present!();
  await call.own();
  await call.ask([PROMPT, persona('Welcome.'), user('Hello.')]);
  call.server.peers[0]!.cut();
  await expect.poll(() => call.told.lost).toEqual(['connect']);
  await expect.poll(() => call.server.peers[1]?.initiation).toBeTruthy();
  expect(await call.say()).toBe('Are you there?');
  const history = [PROMPT, persona('Welcome.'), user('Hello.'), persona('Hello there.'), user('Are you there?')];
  expect(textOf(await call.ask(history))).toBe('Hello there. How are you?');
  expect(call.told.speaks).toBe(0);
  expect(call.server.peers[1]!.remembers).toEqual([
    // It is interrupted, or not.
    expect.stringMatching(/^agent: /),
    expect.stringMatching(
      /^context: The connection was interrupted[^]*You: Welcome\.\nUser: Hello\.\nYou: Hello there/,
    ),
    'user: Are you there?',
    'agent: Hello there. How are you?',
  ]);
});

// The answer began with it: "Welcome to the shop. The capital is Rome."
it('does not greet again when the user asks something before it could', async () => {
  const call = await talk({ firstMessage: 'Welcome.' });
  call.session.present!();
  await call.own();
  await call.ask([PROMPT, persona('Welcome.'), user('Hello.')]);
  call.server.peers[0]!.cut();
  await expect.poll(() => call.server.peers.length, { interval: 1 }).toBe(2);
  const asked = call.ask([
    PROMPT,
    persona('Welcome.'),
    user('Hello.'),
    persona('Hello there.'),
    user('Are you there?'),
  ]);
  expect(textOf(await asked)).toBe('Hello there. How are you?');
});

it('goes on in another process without a greeting', async () => {
  const call = await talk({ firstMessage: 'Welcome.' }, {}, true);
  call.session.present!();
  await expect.poll(() => call.server.peers[0]?.remembers).toEqual(['agent: Welcome.']);
  await call.ask([PROMPT, persona('Welcome.'), user('Hello again.')]);
  expect(call.told.speaks).toBe(0);
  expect(call.server.peers[0]!.remembers.slice(1, 3)).toEqual([
    expect.stringContaining('You: Welcome.'),
    'user: Hello again.',
  ]);
});

it('ends the call when its last words were heard', async () => {
  const call = await talk({ answer: () => 'Goodbye.', farewell: 'Goodbye.' });
  await call.ask([PROMPT, user('That is all.')]);
  await call.speak('Goodbye.', 'one');
  await expect.poll(() => call.server.peers[0]!.isOpen).toBe(false);
  expect(call.told.hungUp).toBe(0);
  call.session.heard('one');
  // The server has hung up; here it may be known a moment later.
  await expect.poll(() => call.told.hungUp).toBe(1);
  expect(call.told.lost).toEqual([]);
});

it('says of a refused address what is wrong, without the address', async () => {
  const call = await talk({}, { signedUrl: null });
  expect(call.server.peers).toHaveLength(0);
  const signedUrl = call.server.signedUrl.replace('=signed', '=secret');
  const refused = await talk({}, { signedUrl });
  const failure = await refused.ask([PROMPT, user('Hello.')]).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'auth', message: 'The speech model refuses the key.' });
  expect(JSON.stringify(failure)).not.toContain('secret');
});

it('leaves unanswered what the agent does not answer', async () => {
  const call = await talk({ answer: () => null });
  expect(await call.ask([PROMPT], { mayBeEmpty: true })).toEqual([{ type: 'done', finishReason: 'stop' }]);
});

const INTERRUPTION = { type: 'interruption', interruption_event: { event_id: 0 } };
const CORRECTION = {
  type: 'agent_response_correction',
  agent_response_correction_event: { corrected_agent_response: '' },
};
const said = (user_transcript: string) => ({ type: 'user_transcript', user_transcription_event: { user_transcript } });
/** Silence of µ-law at 8 kHz. */
const sound = (seconds: number) => ({
  type: 'audio',
  audio_event: { audio_base_64: Buffer.alloc(seconds * 8_000, 0xff).toString('base64'), event_id: 9 },
});

// A customer's own agent was believed as often as it told something, and 4 MB of sound were brought to another rate at
// once: half a second in which nobody's sound was sent.
it.each<[string, object, number]>([
  ['interruptions', INTERRUPTION, 2_000],
  ['words of the user', said('Hello.'), 2_000],
  ['corrections', CORRECTION, 2_000],
  ['a minute of sound in one message', sound(60), 1],
  ['more than a message may hold', { type: 'unknown', x: 'a'.repeat(2 ** 20) }, 1],
])('is left when it sends %s without end, and the call goes on with another connection', async (_, message, times) => {
  const call = await talk({ format: 'ulaw_8000' });
  call.session.present!();
  await expect.poll(() => call.server.peers[0]?.initiation).toBeTruthy();
  for (let at = 0; at < times; at += 1) call.server.peers[0]!.send(message);
  await expect.poll(() => call.told.lost).toEqual(['bad-response']);
  await expect.poll(() => call.server.peers).toHaveLength(2);
});

it('may send a long sentence at once', async () => {
  const call = await talk({ format: 'ulaw_8000' });
  call.session.present!();
  await expect.poll(() => call.server.peers[0]?.initiation).toBeTruthy();
  call.server.peers[0]!.send(sound(15));
  await expect.poll(() => call.told.speaks).toBeGreaterThan(0);
  expect(call.told.lost).toEqual([]);
});

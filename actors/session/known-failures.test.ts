import { describe, expect, it } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';
import { clientTool, systemTool, webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

/**
 * Failures that users of voice agents report again and again, each as it happens to them. A test here tells the story;
 * the name says what must happen instead.
 */

const LONG =
  'There are seven things to say about this, and the first one is rather long indeed. The second one is short.';

function talking(text = LONG): SimulatedSession {
  const s = new SimulatedSession().connect();
  s.engine.answer = (_, index) => ({ text: index === 0 ? text : 'Sure.' });
  return s.wait(500).speak('tell me about it').wait(2_200);
}

describe('interruptions', () => {
  // "It stops at every haan." The lists of listening words were English only.
  it.each([
    ['hi', 'haan'],
    ['de', 'genau'],
    ['es', 'claro'],
    ['fr', "d'accord"],
    ['ja', 'はい'],
  ])('signs of listening are known in %s', (languageCode, text) => {
    const s = new SimulatedSession({ config: { languageCode } }).connect();
    s.engine.language = languageCode;
    s.engine.answer = () => ({ text: LONG });
    s.wait(500).speak('one two three').wait(2_200).speak(text, 350).wait(10_000);
    expect(s.performed('speech.cut')).toEqual([]);
    expect(s.transcript()).toHaveLength(2);
  });

  // "It keeps talking for seconds." The stop waited for the final transcript.
  it('partial text is enough: the persona stops while the user still speaks', () => {
    const s = talking();
    const begun = s.clock.now();
    s.speak('I wanted to ask something completely different about the other topic', 4_000);
    expect((s.timesOf('speech.cut')[0] ?? Infinity) - begun).toBeLessThan(1_000);
  });

  // "After I coughed it never said another word." The pause of a false interruption had no way back.
  it('a sound without words costs the persona a moment, not the sentence', () => {
    const s = talking().cough(1_900).wait(12_000);
    expect(s.transcript()).toEqual(['user: tell me about it', `persona: ${LONG}`]);
  });

  // "It deadlocked when I spoke between the answer and its first audio." The stop waited for a playback that never
  // began.
  it('an interruption before the first audio leaves nothing hanging', () => {
    const s = new SimulatedSession({ delays: { voiceFirstAudioMs: 900 } }).connect();
    s.engine.answer = (_, index) => ({ text: index === 0 ? LONG : 'Sure.' });
    s.wait(500).speak('tell me about it').wait(1_000).speak('no wait something else', 1_200).wait(8_000);
    expect(s.transcript()).toEqual(['user: tell me about it', 'user: no wait something else', 'persona: Sure.']);
  });

  // "It starts to talk over me although I was first": the sentence was on its way to the voice already.
  it('a sentence that is on its way but not heard is taken back when the user speaks, and said after a mere cough', () => {
    const s = new SimulatedSession({ delays: { voiceFirstAudioMs: 900 } }).connect();
    s.engine.answer = () => ({ text: LONG });
    s.wait(500).speak('tell me about it').wait(1_000);
    expect(s.performed('speech.say').length).toBeGreaterThan(0);
    const begun = s.clock.now();
    s.cough(1_300);
    expect(s.engine.isSpeaking).toBe(false);
    expect(s.engine.heard).toEqual([]);
    s.wait(12_000);
    expect(s.engine.heard[0]?.from).toBeGreaterThan(begun + 1_300);
    expect(s.transcript()).toEqual(['user: tell me about it', `persona: ${LONG}`]);
  });

  // "We both start to speak, and it goes on." The answer began in the moment in which the user did.
  it('the persona does not begin while the user speaks', () => {
    const s = new SimulatedSession({ delays: { llmFirstTokenMs: 1_000 } }).connect();
    s.wait(500).speak('what time is it').wait(900).speak('in new york I mean', 1_500);
    expect(s.engine.heard).toEqual([]);
    expect(s.engine.isSpeaking).toBe(false);
  });

  // "It answered a question that it had cut off itself." The model never learned that it was interrupted.
  it('the LLM is told that it was interrupted, and where', () => {
    const s = talking().speak('stop it please', 900).wait(3_000);
    const assistant = s.engine.questions.at(-1)?.messages.find((message) => message.role === 'assistant');
    expect(assistant?.content).toMatch(/^There are .* \[interrupted\]$/);
    expect(LONG.startsWith((assistant?.content ?? '').replace(' [interrupted]', ''))).toBe(true);
  });

  // "An interrupt when nobody speaks broke the next answer."
  it('an interrupt in silence does nothing', () => {
    const s = new SimulatedSession().connect();
    s.dispatch({ type: 'client.interrupt' });
    s.wait(500).speak('hello').wait(3_000);
    expect(s.transcript()).toEqual(['user: hello', 'persona: All right.']);
  });
});

describe('preemptive generation', () => {
  // "The transcript shows sentences nobody heard." A speculative answer wrote history.
  it('an answer that was generated preemptively and dropped leaves no trace', () => {
    const s = new SimulatedSession({
      config: {
        voiceDetection: { ...VOICE_DETECTION_DEFAULTS, endOfSpeechSensitivity: 0, silenceBeforeSkipTurnSeconds: 0 },
      },
    }).connect();
    s.engine.answer = (question) => ({ text: `You said ${question.messages.at(-1)?.content}.` });
    s.wait(500).speak('I am going').wait(800).speak('to the sea tomorrow').wait(6_000);
    expect(s.transcript()).toEqual([
      'user: I am going to the sea tomorrow',
      'persona: You said I am going to the sea tomorrow.',
    ]);
    expect(s.reports('turn')).toHaveLength(1);
    s.type('ok then what').wait(50);
    expect(JSON.stringify(s.engine.questions.at(-1)?.messages)).not.toContain('You said I am going.');
  });

  // "It spoke five seconds early": a verdict about the first half of a sentence was used for all of it.
  it('a verdict of the end-of-turn model does not outlive the pause that it was asked for', () => {
    const s = new SimulatedSession({ endOfTurnModelAvailable: true })
      .connect()
      .wait(500)
      .speak('I would like to')
      .wait(200);
    s.dispatch({ type: 'endOfTurn.predicted', probability: 0.95 });
    s.speak('go to the', 800);
    const stopped = s.clock.now();
    s.wait(6_000);
    expect((s.reports('turn')[0]?.turn.endOfTurnAt ?? 0) - stopped).toBeGreaterThan(1_500);
  });

  // "A stale answer was spoken over a running tool."
  it('a tool that was called preemptively runs once, after the turn is certain', () => {
    const s = new SimulatedSession({
      config: { tools: [webhookTool('order')] },
      delays: { llmFirstTokenMs: 30 },
    }).connect();
    s.engine.answer = (_, index) => (index === 0 ? { calls: [{ name: 'order' }] } : { text: 'Ordered.' });
    s.wait(500).speak('order it').wait(5_000);
    const message = s.commands.findIndex(
      ({ command }) => command.type === 'message.send' && command.message.messageType === 'speechText',
    );
    const run = s.commands.findIndex(({ command }) => command.type === 'tool.run');
    expect(message).toBeLessThan(run);
    expect(s.performed('tool.run')).toHaveLength(1);
  });
});

describe('tools', () => {
  // "It hung up 337 times in two minutes." Nothing stopped a model in a loop.
  it('a model that calls without end is stopped', () => {
    const s = new SimulatedSession({ config: { tools: [systemTool('change_language')] } }).connect();
    s.engine.answer = (question) =>
      question.tools.length === 0
        ? { text: 'Enough.' }
        : { calls: [{ name: 'change_language', args: { language_code: 'fr' } }] };
    s.type('go').wait(30_000);
    expect(s.messages('toolCallStarted')).toHaveLength(5);
    expect(s.transcript()).toEqual(['persona: Enough.']);
  });

  // "The second order used the first order's result." Models number their calls from 1 in every answer.
  it('call ids are never reused between turns', () => {
    const s = new SimulatedSession({ config: { tools: [webhookTool('order')] } }).connect();
    s.engine.answer = (question) =>
      question.messages.at(-1)?.role === 'user' ? { calls: [{ name: 'order' }] } : { text: 'Done.' };
    s.type('one').wait(3_000).type('two').wait(3_000);
    const ids = s.messages('toolCallStarted').map((message) => message.data.tool_call_id);
    expect(new Set(ids).size).toBe(2);
  });

  // "What it said before the tool call is missing from the history."
  it("words before a call stay before it in the LLM's view", () => {
    const s = new SimulatedSession({ config: { tools: [webhookTool('look')] } }).connect();
    s.engine.answer = (_, index) =>
      index === 0 ? { text: 'Let me look.', calls: [{ name: 'look' }] } : { text: 'Found it.' };
    s.type('find it').wait(5_000).type('thanks').wait(50);
    const roles = s.engine.questions
      .at(-1)
      ?.messages.slice(1)
      .map((message) => `${message.role}: ${message.role === 'tool' ? '…' : message.content}`);
    expect(roles).toEqual([
      'user: find it',
      'assistant: Let me look.',
      'tool: …',
      'assistant: Found it.',
      'user: thanks',
    ]);
  });

  // "My app ran the tool's completion twice." A late result met a time-out.
  it('a result after the time-out changes nothing', () => {
    const s = new SimulatedSession({ config: { tools: [clientTool('show', { toolTimeoutSeconds: 1 })] } }).connect();
    s.engine.answer = (_, index) => (index === 0 ? { calls: [{ name: 'show' }] } : { text: 'Sorry.' });
    s.type('show')
      .wait(3_000)
      .dispatch({
        type: 'client.toolResult',
        toolCallId: s.messages('toolCallStarted')[0]?.data.tool_call_id ?? '',
        result: 1,
        error: null,
      });
    s.wait(1_000);
    expect(s.messages('toolCallFailed')).toHaveLength(1);
    expect(s.engine.questions).toHaveLength(2);
  });
});

describe('listening', () => {
  // "After one empty transcript it never prompted again." The idle timer had been cancelled by the turn that was none.
  it('an empty turn leaves the silence timers running', () => {
    const s = new SimulatedSession({
      config: { voiceDetection: { ...VOICE_DETECTION_DEFAULTS, silenceBeforeSkipTurnSeconds: 5 } },
    }).connect();
    s.wait(2_000).cough(500).wait(7_000);
    expect(s.engine.questions).toHaveLength(1);
  });

  // "The recognizer lost its socket and the agent was deaf and mute."
  it('a recognizer that dies in mid-turn does not take the turn with it', () => {
    const s = new SimulatedSession({ delays: { finalMs: 1e9 } }).connect().wait(500).speak('are you there').wait(400);
    s.dispatch({ type: 'stt.failed', message: 'socket closed' });
    s.wait(4_000);
    expect(s.transcript()).toEqual(['user: are you there', 'persona: All right.']);
  });

  // "The same sentence was committed twice": a final came again after a reconnect.
  it('a second final of the same utterance is no second message', () => {
    const s = new SimulatedSession().connect().wait(500).speak('hello there').wait(2_000);
    s.dispatch({ type: 'stt.final', text: 'hello there', language: 'en' });
    s.wait(4_000);
    expect(s.transcript().filter((line) => line.startsWith('user'))).toHaveLength(1);
  });

  // "Changing the language froze the recognizer."
  it('a change of language between two turns loses neither', () => {
    const s = new SimulatedSession().connect().wait(500).speak('hello there').wait(3_000);
    s.dispatch({ type: 'client.personaConfig', data: { languageCode: 'de' } });
    s.engine.language = 'de';
    s.speak('guten tag').wait(3_000);
    expect(s.transcript().filter((line) => line.startsWith('user'))).toEqual(['user: hello there', 'user: guten tag']);
    expect(s.performed('speech.say').at(-1)?.language).toBe('de');
  });
});

describe('the end', () => {
  // "The close event never came when the user dropped in mid-speech."
  it.each(['user', 'persona', 'llm', 'tool'])('closes while the %s is busy', (busy) => {
    const s = new SimulatedSession({
      config: { tools: [webhookTool('slow')] },
      delays: { llmFirstTokenMs: busy === 'llm' ? 60_000 : 200 },
    })
      .connect()
      .wait(500);
    s.engine.answer = () => (busy === 'tool' ? { calls: [{ name: 'slow' }] } : { text: LONG });
    s.engine.toolOutcome = () => ({ output: '', afterMs: 60_000 });
    if (busy === 'user') s.speak('I was just saying', 900);
    else s.type('go').wait(1_500);
    s.dispatch({ type: 'peer.closed' });
    s.wait(500);
    expect(s.performed('session.close')).toHaveLength(1);
    expect(s.reports('end')[0]?.end.reason).toBe('client_disconnected');
  });

  // "Reloading the page started a new conversation": context and greeting came again.
  it('a reload goes on in mid-conversation', () => {
    const s = new SimulatedSession({
      config: { greeting: { skip: false, initialMessage: 'Hello!', uninterruptible: false } },
    })
      .connect()
      .wait(2_000)
      .type('I am Bo')
      .wait(3_000);
    s.dispatch({ type: 'peer.quiet' });
    s.wait(3_000).dispatch({ type: 'peer.connected', kind: 'replacement' });
    s.dispatch({ type: 'channel.opened' });
    s.wait(2_000).type('who am I').wait(50);
    expect(s.transcript()).toEqual(['persona: Hello!', 'persona: All right.']);
    expect(s.engine.questions.at(-1)?.messages.filter((message) => message.role === 'user')).toHaveLength(2);
  });

  // "Which log line belongs to which answer?" Every stage had ids of its own.
  it('one id joins the marks, the message, the tools, the answer and the report of a turn', () => {
    const s = new SimulatedSession({ config: { tools: [webhookTool('look')] } }).connect();
    s.engine.answer = (_, index) => (index === 0 ? { text: 'Hm.', calls: [{ name: 'look' }] } : { text: 'Yes.' });
    s.wait(500).speak('is it there').wait(5_000);
    const ids = new Set([
      ...s.messages('userSpeechStarted').map(({ data }) => data.user_action_correlation_id),
      ...s.messages('userSpeechEnded').map(({ data }) => data.user_action_correlation_id),
      ...s.speechChunks().map((data) => data.user_action_correlation_id),
      ...s.messages('toolCallStarted').map(({ data }) => data.user_action_correlation_id),
      ...s.messages('toolCallCompleted').map(({ data }) => data.user_action_correlation_id),
      ...s.reports('turn').map((entry) => entry.turn.correlationId),
      ...s.reports('toolCall').map((entry) => entry.call.correlationId),
      ...s.engine.questions.map((question) => question.correlationId),
    ]);
    expect(ids.size).toBe(1);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';
import { violations } from '../testing/invariants.ts';
import { webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';
import { TOOL_RESULT_UNKNOWN } from './outstanding-work.ts';

const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen'.split(
    ' ',
  );
/** Three sentences without a word that comes twice. */
const TEXT = [WORDS.slice(0, 6), WORDS.slice(6, 12), WORDS.slice(12)]
  .map((words) => `${words.join(' ')}.`.replace(/^./, (letter) => letter.toUpperCase()))
  .join(' ');
/** From the death of an engine to the connection with another one. */
const GAP_MS = 2_500;

/** What was heard of the persona from its first to its last sample, word by word, whichever engine played it. */
function heardWords({ recorded }: SimulatedSession): string[] {
  const words: string[] = [];
  const timings = new Map<string, readonly { readonly text: string; readonly endMs: number }[]>();
  let playing: string | null = null;
  const hear = (segmentId: string, untilMs: number): void => {
    for (const word of timings.get(segmentId) ?? []) if (word.endMs <= untilMs) words.push(bare(word.text));
    playing = null;
  };
  for (const { event } of recorded) {
    if (event.type === 'speech.timing') timings.set(event.segmentId, event.words);
    else if (event.type === 'speech.started') playing = event.segmentId;
    else if (event.type === 'speech.finished' && playing === event.segmentId) hear(event.segmentId, Infinity);
    else if (event.type === 'speech.cut' && playing !== null && event.segmentId === playing)
      hear(playing, event.playedMs);
  }
  return words;
}

const bare = (word: string): string => word.replaceAll(/\W/g, '').toLowerCase();

function telling(options: ConstructorParameters<typeof SimulatedSession>[0] = {}): SimulatedSession {
  const s = new SimulatedSession(options).connect();
  s.engine.answer = () => ({ text: TEXT });
  return s.type('count');
}

function goOn(s: SimulatedSession): SimulatedSession {
  const next = s.takenOver();
  next.wait(GAP_MS).comeBack().wait(20_000);
  return next;
}

/** Every word at most once and in order; the one that was cut in two may be missing. */
function expectToldOnce(words: readonly string[], mayMiss = 1): void {
  expect(new Set(words).size).toBe(words.length);
  expect(words).toEqual(WORDS.filter((word) => words.includes(word)));
  expect(words.length).toBeGreaterThanOrEqual(WORDS.length - mayMiss);
}

describe('a session whose engine dies', () => {
  it('in mid-sentence: the next one says the rest, and nothing of it twice', () => {
    const s = telling().wait(3_000);
    expect(s.engine.isSpeaking).toBe(true);
    const next = goOn(s);
    expectToldOnce(heardWords(next));
    expect(next.transcript()).toEqual([`persona: ${TEXT}`]);
    expect(next.reports('message').map(({ message }) => [message.role, message.text, message.interrupted])).toEqual([
      ['user', 'count', false],
      ['persona', TEXT, false],
    ]);
    expect(next.performed('signal.ready')).toHaveLength(1);
  });

  it('while the LLM answers: it is asked for the rest', () => {
    const s = telling().wait(330);
    expect(s.performed('llm.request')).toHaveLength(1);
    const next = s.takenOver(({ messages }) => {
      const begun = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
      return { text: TEXT.slice(begun.length).trim() };
    });
    next.wait(GAP_MS).comeBack().wait(20_000);
    expect(next.performed('llm.request')).toHaveLength(2);
    expectToldOnce(heardWords(next));
    expect(next.transcript()).toEqual([`persona: ${TEXT}`]);
  });

  it('while a tool runs: it is not run again, and the LLM knows that its result is unknown', () => {
    const s = new SimulatedSession({ config: { tools: [webhookTool('order')] } }).connect();
    s.engine.answer = ({ messages }) =>
      messages.at(-1)?.role === 'tool' ? { text: 'I am not sure.' } : { calls: [{ name: 'order' }] };
    s.type('order it').wait(350);
    expect(s.performed('tool.run')).toHaveLength(1);
    const next = goOn(s);
    expect(next.performed('tool.run')).toHaveLength(1);
    expect(next.engine.questions[0]?.messages.at(-1)?.content).toContain(TOOL_RESULT_UNKNOWN);
    expect(next.transcript()).toEqual(['persona: I am not sure.']);
    expect(new Set(next.reports('toolCall').map(({ call }) => call.callId)).size).toBe(1);
  });

  it('while the user speaks: the words so far are answered', () => {
    const s = new SimulatedSession().connect().wait(500);
    s.beginToSpeak('what time is it in new york', 2_000).wait(1_500);
    const next = s.takenOver().mute();
    next.wait(GAP_MS).comeBack().wait(8_000);
    expect(next.transcript()[0]).toMatch(/^user: what time is it/);
    expect(next.transcript()).toHaveLength(2);
  });

  it('while the user is silent: the time without a connection does not count', () => {
    const config = {
      voiceDetection: {
        ...VOICE_DETECTION_DEFAULTS,
        silenceBeforeSkipTurnSeconds: 0,
        silenceBeforeSessionEndSeconds: 60,
      },
    };
    const s = new SimulatedSession({ config }).connect().wait(50_000);
    const next = s.takenOver();
    next.wait(15_000).comeBack().wait(9_000);
    expect(next.performed('session.close')).toEqual([]);
    next.wait(2_000);
    expect(next.performed('session.close')).toMatchObject([{ reason: 'user_inactivity' }]);
  });

  it('and whose client does not come back is lost after a minute', () => {
    const next = telling().wait(3_000).takenOver();
    next.wait(59_000);
    expect(next.performed('session.close')).toEqual([]);
    next.wait(2_000);
    expect(next.performed('session.close')).toMatchObject([{ reason: 'connection_lost' }]);
    expect(next.reports('message').at(-1)?.message).toMatchObject({ role: 'persona', interrupted: true });
  });

  it('goes on counting what its providers do', () => {
    const speak = {
      type: 'provider.metered',
      service: 'tts',
      provider: 'voice',
      place: 0,
      amounts: { characters: 40 },
    } as const;
    const s = telling();
    s.dispatch(speak);
    const next = goOn(s.wait(3_000));
    next.dispatch(speak);
    expect(next.reports('usage').at(-1)?.usage.amounts).toEqual({ characters: 80 });
  });

  it('keeps changed settings', () => {
    const s = new SimulatedSession().connect().wait(500);
    s.dispatch({ type: 'client.personaConfig', data: { languageCode: 'de' } });
    const next = goOn(s);
    next.type('hallo').wait(300);
    expect(next.performed('audioIn.configure')).toEqual(s.performed('audioIn.configure'));
    expect(next.performed('llm.request').at(-1)?.language).toBe('de');
  });

  it('twice in one sentence', () => {
    const once = telling().wait(2_500).takenOver();
    once.wait(GAP_MS).comeBack().wait(1_500);
    expect(once.engine.isSpeaking).toBe(true);
    const twice = goOn(once);
    expectToldOnce(heardWords(twice), 2);
    expect(twice.transcript()).toEqual([`persona: ${TEXT}`]);
  });
});

it('at any moment of a conversation nothing is repeated, no rule is broken, and the persona ends its turn', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 16_000 }), (diesAt) => {
      const s = new SimulatedSession({
        config: {
          tools: [webhookTool('search')],
          voiceDetection: { ...VOICE_DETECTION_DEFAULTS, silenceBeforeSkipTurnSeconds: 0 },
        },
      }).connect();
      s.engine.answer = ({ messages }) =>
        messages.at(-1)?.content === 'look it up'
          ? { text: 'Please wait.', calls: [{ name: 'search' }] }
          : { text: messages.at(-1)?.role === 'tool' ? 'Found.' : TEXT };
      const script = [
        () => s.speak('tell me', 900).wait(4_000),
        () => s.speak('stop that please now', 1_200).wait(2_500),
        () => s.speak('look it up', 900).wait(9_000),
      ];
      const others: SimulatedSession[] = [];
      s.clock.setTimeout(() => others.push(s.takenOver()), diesAt);
      for (const step of script) step();
      const after = others[0]!;
      after.wait(GAP_MS).comeBack().wait(25_000);
      expect(violations(after.commands)).toEqual([]);
      for (const message of after.reports('message').filter(({ message }) => message.role === 'persona')) {
        const told = message.message.text.split(' ').map(bare);
        expect(new Set(told).size).toBe(told.length);
      }
      expect(after.session.snapshot().actors['personaTurns']).toMatchObject({ work: 'idle' });
      expect(after.engine.isSpeaking).toBe(false);
      expect(after.performed('session.close')).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

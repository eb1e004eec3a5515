import { expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

const use = (service: 'stt' | 'llm' | 'tts', provider: string, place: number) =>
  ({ type: 'provider.used', service, provider, place }) as const;
const warnings = (s: SimulatedSession) => s.performed('signal.warning').map(({ code }) => code);

it('warns once when another provider takes over, and not when the preferred one is back', () => {
  const s = new SimulatedSession().connect();
  for (const place of [0, 1, 1, 0, 1, 2]) s.dispatch(use('tts', `voice ${place}`, place));
  s.dispatch(use('stt', 'ear', 0));
  expect(warnings(s)).toEqual(['tts_taken_over', 'tts_taken_over', 'tts_taken_over']);
  s.dispatch(use('stt', 'other ear', 1));
  expect(warnings(s).at(-1)).toBe('stt_taken_over');
});

it('writes down for each turn who did what', () => {
  const s = new SimulatedSession().connect().wait(3_000);
  s.dispatch(use('llm', 'too early', 0));
  s.speak('How are you today?');
  s.dispatch(use('stt', 'ear', 0));
  s.wait(800);
  s.dispatch(use('llm', 'thinker', 0));
  s.dispatch(use('llm', 'other thinker', 1));
  s.dispatch(use('tts', 'voice', 0));
  s.dispatch(use('tts', 'voice', 0));
  s.wait(10_000);
  const turn = s.reports('turn').find(({ turn: { turnIndex } }) => turnIndex === 1)?.turn;
  expect(turn?.providers).toEqual({ stt: ['ear'], llm: ['thinker', 'other thinker'], tts: ['voice'] });
});

const metered = (service: 'stt' | 'llm' | 'tts', provider: string, amounts: object, place = 0) =>
  ({ type: 'provider.metered', service, provider, place, amounts }) as const;

it('adds up what each provider has done, of answers that nobody heard as well', () => {
  const s = new SimulatedSession().connect();
  s.dispatch(metered('llm', 'thinker', { requests: 1 }));
  s.dispatch(metered('llm', 'thinker', { requests: 1 }));
  s.dispatch(metered('llm', 'thinker', { reportedRequests: 1, inputTokens: 50, outputTokens: 7 }));
  s.dispatch(metered('llm', 'thinker', { requests: 1 }, 1));
  s.dispatch(metered('tts', 'voice', { characters: 30 }));
  s.dispatch(metered('tts', 'voice', { characters: 12 }));
  s.dispatch(metered('stt', 'ear', { audioMs: 900 }));
  const last = new Map(s.reports('usage').map(({ usage }) => [`${usage.provider} ${usage.place}`, usage.amounts]));
  expect(Object.fromEntries(last)).toEqual({
    'thinker 0': { requests: 2, reportedRequests: 1, inputTokens: 50, outputTokens: 7 },
    'thinker 1': { requests: 1 },
    'voice 0': { characters: 42 },
    'ear 0': { audioMs: 900 },
  });
});

import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

/**
 * The ordinary yes of several languages was dropped even as the answer to a question: it is written like a hum of
 * English or stood in the list of hums. With an unknown language, the hums of all languages were merged, and "nah" and
 * "Ben" were lost as well.
 */
describe('a short answer to a question arrives', () => {
  it.each([
    ['ja', 'うん'],
    ['ja', 'ええ'],
    ['zh', '嗯'],
    ['ko', '어'],
    ['hi', 'haan'],
    ['th', 'อืม'],
    ['vi', 'ờ'],
    ['ru', 'угу'],
    ['pt', 'um'],
    ['de', 'Er.'],
    ['en', 'mm-hm'],
    [null, 'nah'],
    [null, 'Ben'],
    [null, 'うん'],
  ])('%s: "%s"', (language, text) => {
    const s = new SimulatedSession({ config: { languageCode: language } }).connect();
    s.engine.language = language;
    s.engine.answer = (_, index) => ({ text: index === 0 ? 'Shall I book it?' : 'Done.' });
    s.wait(500).type('hello').wait(3_000).speak(text, 500).wait(4_000);
    expect(s.transcript()).toEqual(['persona: Shall I book it?', `user: ${text}`, 'persona: Done.']);
  });

  it.each([
    ['en', 'um'],
    ['de', 'ähm'],
    ['ja', 'んー'],
    [null, 'hm'],
  ])('a hum does not: %s "%s"', (language, text) => {
    const s = new SimulatedSession({ config: { languageCode: language } }).connect();
    s.engine.language = language;
    s.engine.answer = () => ({ text: 'Shall I book it?' });
    s.wait(500).type('hello').wait(3_000).speak(text, 500).wait(4_000);
    expect(s.transcript()).toEqual(['persona: Shall I book it?']);
  });
});

/** With an unknown language "no" did not stop the persona: in Polish and Czech it means yes, and all were merged. */
describe('over the persona', () => {
  const LONG = 'There are seven things to say about this, and the first one is rather long indeed, as you will hear.';

  function over(configured: string | null, recognized: string | null, text: string): SimulatedSession {
    const s = new SimulatedSession({ config: { languageCode: configured } }).connect();
    s.engine.language = recognized;
    s.engine.answer = (_, index) => ({ text: index === 0 ? LONG : 'Sure.' });
    return s.wait(500).speak('tell me about it', 900).wait(2_200).speak(text, 700).wait(9_000);
  }

  it.each([
    [null, null, 'no'],
    [null, null, 'no no no'],
    [null, 'en', 'no'],
    ['en', 'en', 'nah'],
  ])('configured %s, recognized %s: "%s" interrupts', (configured, recognized, text) => {
    expect(over(configured, recognized, text).transcript().slice(2)).toEqual([`user: ${text}`, 'persona: Sure.']);
  });

  it.each([
    ['pl', 'pl', 'no'],
    [null, 'pl', 'no'],
    [null, null, 'oh no'],
    [null, null, 'ja genau'],
    ['ja', 'ja', 'うん'],
    ['pt', null, 'um'],
  ])('configured %s, recognized %s: "%s" is a sign of listening', (configured, recognized, text) => {
    expect(over(configured, recognized, text).transcript()).toEqual(['user: tell me about it', `persona: ${LONG}`]);
  });
});

import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

/** The segments that TTS gets, if neither the persona nor the recognizer knows the language. */
function said(...answers: string[]): { text: string; language: string }[] {
  const session = new SimulatedSession({ config: { languageCode: null } }).connect();
  session.engine.language = null;
  for (const answer of answers) {
    session.engine.answer = () => ({ text: answer });
    session.wait(500).speak('hello there').wait(15_000);
  }
  return session.performed('speech.say').map(({ text, language }) => ({ text, language }));
}

describe('a language that nobody knows', () => {
  it('is guessed from the answer, which is spoken and cut in it', () => {
    expect(said('Das kostet zwölf Euro am 3. Oktober. Gut?')).toEqual([
      { text: 'Das kostet zwölf Euro am 3. Oktober.', language: 'de' },
      { text: 'Gut?', language: 'de' },
    ]);
  });

  it('is that of the answers before where an answer does not tell it', () => {
    expect(said('Das ist nicht gut.', '42.', 'That is what you have.').map(({ language }) => language)).toEqual([
      'de',
      'de',
      'en',
    ]);
  });

  it('is English in doubt', () => {
    expect(said('42.')).toEqual([{ text: '42.', language: 'en' }]);
  });
});

import { describe, expect, it } from 'vitest';
import { SimulatedSession } from '../testing/simulated-session.ts';

const LONG =
  'There are seven things to say about this, and the first one is rather long indeed. The second one is short. The third one is about the weather in spring.';

/** The persona is in the middle of a long answer. */
function speaking(): SimulatedSession {
  const s = new SimulatedSession().connect();
  s.engine.answer = ({ messages }) => ({ text: messages.at(-1)?.content === 'tell me about it' ? LONG : 'Sure.' });
  return s.wait(500).speak('hi there').wait(3_000).speak('tell me about it').wait(2_500);
}

const heard = (s: SimulatedSession) =>
  s
    .reports('message')
    .filter(({ message }) => message.role === 'user')
    .map(({ message }) => `${message.forPersona === false ? '(' : ''}${message.text}`);

/**
 * A person's interruption stopped the persona, was understood word for word, and was then thrown away, from the
 * transcript as well: 6 dB below the usual level.
 */
describe('a person who speaks over the persona more softly', () => {
  it('is answered where three words are understood', () => {
    const s = speaking().speak('eight of spades four of clubs', 1_800, { levelDb: -31.5 }).wait(6_000);
    expect(heard(s).at(-1)).toBe('eight of spades four of clubs');
    expect(s.transcript().at(-1)).toBe('persona: Sure.');
  });

  it('is somebody else at 12 dB below; the words stay in the transcript, and nobody else gets them', () => {
    const s = speaking().speak('the match begins at eight tonight', 1_800, { levelDb: -37 }).wait(12_000);
    expect(heard(s).at(-1)).toBe('(the match begins at eight tonight');
    expect(s.transcript().filter((line) => line.includes('match'))).toEqual([]);
    s.speak('go on please').wait(4_000);
    expect(JSON.stringify(s.engine.questions.at(-1)?.messages)).not.toContain('match');
  });
});

/**
 * The persona went on through two far voices. Of the one, the transcript had no word, because no partial text had come;
 * of the other, the last words were missing, because the partial text was behind.
 */
describe('a far voice over the persona is in the transcript with all its words', () => {
  const text = 'there was leisure to consider how much there might be';
  const far = { levelDb: -40, partials: false };

  it('without partial text', () => {
    const s = speaking().speak(text, 2_900, far).wait(9_000);
    expect(heard(s).at(-1)).toBe(`(${text}`);
    expect(s.transcript().filter((line) => line.includes('leisure'))).toEqual([]);
  });

  it('with partial text that is behind, also once the persona has ended', () => {
    const s = speaking().beginToSpeak(text, 2_900, far).wait(2_000);
    s.dispatch({ type: 'stt.partial', text: 'there was leisure', place: 'behind' });
    expect(heard(s.wait(2_400)).at(-1)).toBe(`(${text}`);
    s.wait(20_000).speak('go on please').wait(4_000);
    expect(
      heard(s)
        .filter((line) => line.includes('leisure'))
        .at(-1),
    ).toBe(`(${text}`);
  });
});

/**
 * "He was not an ill disposed young man", 10 dB below a louder speaker, got no answer and left no trace: its level was learned
 * first, and with that it was a message, which nobody sent any more.
 */
describe('a far softer voice into the silence', () => {
  function soft(confidence: number | null, levelDb = -35): SimulatedSession {
    const s = new SimulatedSession().connect();
    s.engine.answer = () => ({ text: 'Good.' });
    s.wait(500).speak('this is how loud I speak').wait(4_000).speak('it is as loud as that').wait(4_000);
    s.engine.confidence = confidence;
    return s.speak('he was not an ill disposed young man', 2_600, { levelDb }).wait(8_000);
  }

  it('is answered where two readings share the words', () => {
    expect(soft(0.75).transcript().slice(4)).toEqual(['user: he was not an ill disposed young man', 'persona: Good.']);
  });

  it.each([
    [null, -36],
    [0.75, -36.5],
  ])('is somebody else otherwise (confidence %s, %d dB), and in the transcript', (confidence, levelDb) => {
    const s = soft(confidence, levelDb);
    expect(s.transcript()).toHaveLength(4);
    expect(heard(s).at(-1)).toBe('(he was not an ill disposed young man');
  });
});

describe('what is understood and not answered stays in the transcript', () => {
  it('a sign of listening', () => {
    expect(heard(speaking().speak('yeah', 300).wait(12_000)).at(-1)).toBe('(yeah');
  });

  it('but not a hum or a cough', () => {
    expect(heard(speaking().speak('hm', 300).wait(3_000).cough().wait(9_000))).toEqual([
      'hi there',
      'tell me about it',
    ]);
  });

  it('once: an answer on the boundary is a message, and no remark', () => {
    const s = new SimulatedSession().connect();
    s.engine.answer = (_, index) => ({ text: index === 0 ? 'I found a table at eight. Shall I book it?' : 'Done.' });
    s.wait(500).speak('hi there').wait(1_000);
    while (s.engine.heard.length === 0 && s.clock.now() < 6_000) {
      if (s.speechChunks().at(-1)?.content.includes('Shall') === true) break;
      s.wait(20);
    }
    s.wait(600).speak('yeah', 300).wait(4_000);
    expect(heard(s)).toEqual(['hi there', 'yeah']);
  });

  it('words that the end of the session cut off', () => {
    const s = new SimulatedSession().connect().wait(500).speak('I wanted to say').wait(100);
    s.dispatch({ type: 'service.stop', reason: 'stopped_by_api' });
    expect(heard(s.wait(3_000))).toEqual(['(I wanted to say']);
  });
});

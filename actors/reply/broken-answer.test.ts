import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FakeAnswer } from '../testing/fake-engine.ts';
import { webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

/** Types to a persona whose LLM answers like this, one request after the other; the last one again and again. */
function ask(answers: readonly FakeAnswer[], more: ConstructorParameters<typeof SimulatedSession>[0] = {}) {
  const s = new SimulatedSession(more).connect();
  s.wait(2_000);
  const before = s.engine.questions.length;
  s.engine.answer = (_question, index) => answers[Math.min(index - before, answers.length - 1)] ?? {};
  s.type('Tell me about whales.').wait(20_000);
  return { s, questions: s.engine.questions.slice(before) };
}

const warnings = (s: SimulatedSession) => s.performed('signal.warning').map(({ code }) => code);
const said = (s: SimulatedSession) =>
  s.engine.heard
    .map(({ text }) => text)
    .join(' ')
    .replace(/^.*All right\. ?/, '');

const BEGINNING = 'Whales are mammals. They breathe air. They sleep with one';

describe('an answer that breaks off', () => {
  it('is completed: whole sentences stay, half of one comes again with the rest', () => {
    const { s, questions } = ask([
      { text: BEGINNING, breaksOff: true },
      { text: 'They sleep with one eye open. Their calves drink milk.' },
    ]);
    expect(said(s)).toBe(
      'Whales are mammals. They breathe air. They sleep with one eye open. Their calves drink milk.',
    );
    expect(s.transcript().at(-1)).toBe(`persona: ${said(s)}`);
    expect(questions).toHaveLength(2);
    expect(questions[1]?.messages.slice(0, -2)).toEqual(questions[0]?.messages);
    expect(questions[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: 'Whales are mammals. They breathe air.' },
      { role: 'user', content: expect.stringContaining('only the rest') as string },
    ]);
    expect(warnings(s)).toEqual(['llm_asked_again']);
  });

  it('is said once by an LLM that begins anew', () => {
    const { s } = ask([
      { text: BEGINNING, breaksOff: true },
      { text: 'Whales are mammals. They breathe air. They are very old.' },
    ]);
    expect(said(s)).toBe('Whales are mammals. They breathe air. They are very old.');
  });

  it('ends at its last whole sentence when that was all', () => {
    const { s } = ask([{ text: 'Whales are mammals. They breathe air.', breaksOff: true }, { text: '' }]);
    expect(said(s)).toBe('Whales are mammals. They breathe air.');
    expect(warnings(s)).toEqual(['llm_asked_again']);
  });

  it('is asked for as a whole when nothing could be said of it', () => {
    const { s, questions } = ask([{ text: 'Whales are', breaksOff: true }, { text: 'Whales are mammals.' }]);
    expect(said(s)).toBe('Whales are mammals.');
    expect(questions[1]?.messages).toEqual(questions[0]?.messages);
  });

  it('is completed in two attempts, and not in more', () => {
    const { s, questions } = ask([
      { text: 'One is here. Two is', breaksOff: true },
      { text: 'Two is here. Three is', breaksOff: true },
      { text: 'Three is here. Four is', breaksOff: true },
      { text: 'never asked for' },
    ]);
    expect(questions).toHaveLength(3);
    expect(said(s)).toBe('One is here. Two is here. Three is here. Four is');
    expect(warnings(s)).toEqual(['llm_asked_again', 'llm_asked_again', 'llm_failed']);
  });

  it('stays as it is when nobody can complete it', () => {
    const { s } = ask([{ text: BEGINNING, breaksOff: true }, { fails: 'No key.' }]);
    expect(said(s)).toBe('Whales are mammals. They breathe air.');
    expect(warnings(s)).toEqual(['llm_asked_again', 'llm_failed']);
  });

  it('does not run the tools twice that it called before it broke off', () => {
    const { s } = ask(
      [
        { text: 'Let me look. ', calls: [{ name: 'look' }], breaksOff: true },
        { calls: [{ name: 'look' }] },
        { text: 'There are ninety kinds. Most of', breaksOff: true },
        { text: 'Most of them have teeth.' },
      ],
      { config: { tools: [webhookTool('look')] } },
    );
    expect(s.performed('tool.run')).toHaveLength(1);
    expect(said(s)).toBe('Let me look. There are ninety kinds. Most of them have teeth.');
  });

  it('is not completed for somebody who interrupts meanwhile', () => {
    const s = new SimulatedSession().connect();
    s.wait(2_000);
    const before = s.engine.questions.length;
    s.engine.answer = (_question, index) =>
      index === before
        ? { text: BEGINNING, breaksOff: true }
        : index === before + 1
          ? { fails: 'Down.', askAgain: 'for an answer' }
          : { text: 'Yes.' };
    s.type('Tell me about whales.').wait(600);
    s.type('And fish?').wait(20_000);
    expect(s.engine.questions.slice(before + 2).map(({ messages }) => messages.at(-1)?.content)).toEqual(['And fish?']);
  });

  it('is completed when it was generated preemptively', () => {
    const s = new SimulatedSession().connect();
    s.wait(3_000);
    const before = s.engine.questions.length;
    s.engine.answer = (_question, index) =>
      index === before ? { text: BEGINNING, breaksOff: true, afterMs: 10 } : { text: 'They sleep with one eye open.' };
    s.speak('How are you today?').wait(20_000);
    expect(s.transcript().at(-1)).toBe('persona: Whales are mammals. They breathe air. They sleep with one eye open.');
  });
});

describe('an LLM that does not answer', () => {
  it('is asked again after a moment', () => {
    const { s, questions } = ask([
      { fails: 'Unreachable.', askAgain: 'for an answer' },
      { text: 'Whales are mammals.' },
    ]);
    expect(said(s)).toBe('Whales are mammals.');
    expect((questions[1]?.at ?? 0) - (questions[0]?.at ?? 0)).toBeGreaterThanOrEqual(500);
    expect(warnings(s)).toEqual([]);
  });

  it('is given up after two more attempts, and the client is warned once', () => {
    const { s, questions } = ask([{ fails: 'Unreachable.', askAgain: 'for an answer' }]);
    expect(questions).toHaveLength(3);
    expect(said(s)).toMatch(/sorry/i);
    expect(warnings(s)).toEqual(['llm_failed']);
  });

  it('is not asked again where that would not help, and the persona says sorry', () => {
    const { s, questions } = ask([{ fails: 'Wrong key.' }]);
    expect(questions).toHaveLength(1);
    expect(said(s)).toMatch(/sorry/i);
    expect(warnings(s)).toEqual(['llm_failed']);
  });
});

/** Of "..." a part may be lost in the middle: nobody hears it. */
const words = (text = ''): string[] => text.split(/[\s.?!]*\s/u).map((word) => word.replace(/[.?!]+$/u, ''));
const WORDS = ['whales', 'sing', 'slowly', 'under', 'water', 'and', 'their', 'calves', 'listen', 'Dr. Low', '3.5', 'I'];
const sentence = fc
  .tuple(fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 9 }), fc.constantFrom('.', '?', '!', '...'))
  .map(([words, end]) => `${words.join(' ')}${end}`);
/** Its sentences differ: what an LLM repeats on purpose cannot be told from what it repeats by mistake. */
const story = fc
  .array(sentence, { minLength: 1, maxLength: 6 })
  .map((sentences) => sentences.map((text, at) => `Number ${at} ${text}`).join(' '));

const PUNCTUATION = /[\s.?!]/u;
/** Goes by the words. Not by the length: "I." may be what is left of "I...", and a second break would be misplaced. */
function restAfter(text: string, given: string): string {
  let at = 0;
  for (const character of given) {
    while (!PUNCTUATION.test(character) && PUNCTUATION.test(text.charAt(at))) at += 1;
    if (text.charAt(at) === character) at += 1;
  }
  return text.slice(at);
}

describe('an answer that breaks off anywhere, once or twice', () => {
  it.each(['goes on where it was told', 'begins anew'])('is heard whole and once from an LLM that %s', (how) => {
    fc.assert(
      fc.property(story, fc.array(fc.nat(60), { minLength: 1, maxLength: 2 }), (text, cuts) => {
        const s = new SimulatedSession().connect();
        s.wait(2_000);
        const left = [...cuts];
        s.engine.answer = ({ messages }) => {
          const before = messages.at(-2);
          const given = messages.at(-1)?.content.includes('only the rest') === true ? (before?.content ?? '') : '';
          const rest = how === 'begins anew' ? text : restAfter(text, given);
          const cut = left.shift();
          return cut === undefined ? { text: rest } : { text: rest.slice(0, cut), breaksOff: true };
        };
        s.type('Tell me about whales.').wait(90_000);
        const told = s.transcript().find((line) => line.startsWith('persona: Number'));
        expect(words(told)).toEqual(words(`persona: ${text}`));
      }),
      { numRuns: 50 },
    );
  });
});

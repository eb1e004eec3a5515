import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeakedCalls } from './leaked-calls.ts';

/**
 * Models that reason in steps had their thoughts spoken, and the results that they make up: "Thought: I need the weather.
 * Action: get_weather" was said to the user, and no tool was called.
 */

const ROME = '{"city": "Rome"}';

/** @returns what is said, and the calls. */
function read(pieces: readonly string[]): string {
  const leaks = new LeakedCalls(['get_weather', 'get_time']);
  const sifted = [...pieces.map((piece) => leaks.push(piece)), leaks.end()];
  const said = sifted.map(({ text }) => text).join('');
  const calls = sifted.flatMap((one) => one.calls).map(({ name, arguments: args }) => `${name} ${args}`);
  return [said.trim(), ...calls, ...sifted.filter(({ unread }) => unread > 0).map(() => 'unread')]
    .filter(Boolean)
    .join(' + ');
}

const CASES: readonly (readonly [string, string, string])[] = [
  [
    'a call, and a result that the model made up',
    `Thought: I need it.\nAction: get_weather\nAction Input: ${ROME}\nObservation: Sunny.\nThought: I know.\nFinal Answer: It is sunny.`,
    'get_weather {"city":"Rome"}',
  ],
  ['an answer', 'Thought: I know it.\nFinal Answer: Hello there.', 'Hello there.'],
  ['an answer without a thought', 'Final Answer: Hello there.', 'Hello there.'],
  ['an answer behind tags', '<think>Hm.</think>Thought: I know.\nFinal Answer: Hi.', '<think>Hm.</think>Hi.'],
  [
    'an answer after which it goes on',
    'Thought: x\nFinal Answer: Hello.\n\nQuestion: And now?\nThought: y\nAction: get_time',
    'Hello.',
  ],
  [
    'an answer with what a library says of it',
    'Thought: x\nFinal Answer: Hello.\nFor troubleshooting, visit: https://x.example',
    'Hello.',
  ],
  ['an answer below the thought', 'Thought: The user greets me.\n\nHello there.', 'Hello there.'],
  ['no tool', 'Thought: Do I need to use a tool? No\nAI: Hello there.', 'Hello there.'],
  ['none as the tool', 'Thought: x\nAction: None\nAction Input: None\nFinal Answer: Hello.', 'Hello.'],
  [
    'words before',
    `Let me look.\n\nAction: get_weather\nAction Input: ${ROME}`,
    'Let me look. + get_weather {"city":"Rome"}',
  ],
  [
    'bold labels',
    `**Thought:** Hm.\n\n**Action:** get_weather\n\n**Action Input:** ${ROME}`,
    'get_weather {"city":"Rome"}',
  ],
  ['numbers', 'Thought 1: Hm.\nAction 1: get_weather[Rome]\nObservation 1: Sunny.', 'get_weather "Rome"'],
  ['Python', 'Thought: Hm.\nAction: get_weather(city="Rome")\nPAUSE', 'get_weather {"city":"Rome"}'],
  ['an input without JSON', 'Thought: Hm.\nAction: get_weather\nAction Input: Rome\n', 'get_weather "Rome"'],
  ['no input', 'Thought: Hm.\nAction: get_time\nAction Input: None', 'get_time {}'],
  [
    'JSON',
    `Thought: Hm.\nAction:\n\`\`\`json\n{"action": "get_weather", "action_input": ${ROME}}\n\`\`\``,
    'get_weather {"city":"Rome"}',
  ],
  ['JSON alone', `{"action": "get_weather", "action_input": ${ROME}}`, 'get_weather {"city":"Rome"}'],
  ['an answer in JSON', 'Thought: x\nAction:\n```\n{"action": "Final Answer", "action_input": "Hi."}\n```', 'Hi.'],
  ['an answer in JSON alone', '```json\n{"action": "Final Answer", "action_input": "Hi."}\n```', 'Hi.'],
  ['a tool that there is not', 'Thought: Hm.\nAction: search\nAction Input: {"q": "x"}', 'unread'],
];

describe('Of steps is said or called only what counts:', () => {
  it.each(CASES)('%s', (_, text, expected) => {
    expect(read([text])).toBe(expected);
    expect(read([...text])).toBe(expected);
  });

  it('however the answer is cut into pieces', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CASES), fc.array(fc.nat(60), { maxLength: 12 }), ([, text, expected], lengths) => {
        const pieces: string[] = [];
        let rest = text;
        for (const length of lengths) {
          pieces.push(rest.slice(0, length));
          rest = rest.slice(length);
        }
        expect(read([...pieces, rest])).toBe(expected);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['advice', 'My plan.\nAction: call a doctor.\nThen rest.'],
    ['words within a line', 'Some food for Thought: eat. Action: get_weather.'],
    ['the question of a quiz', 'Question: what is the capital of France?'],
  ])('and %s is said', (_, text) => {
    expect(read([text])).toBe(text);
    expect(read([...text])).toBe(text);
  });
});

import { expect, it } from 'vitest';
import { withoutThoughts } from '../../../models/llm/whole-answer.ts';
import { grading } from '../personas/grading-schema.ts';
import { findJson } from './find-json.ts';
import { quotedTranscript } from './quoted-transcript.ts';
import { readGrade } from './read-grade.ts';

const asked = grading.parse({
  criteria: [
    { name: 'Booked', description: 'The guest has a room.' },
    { name: 'Polite', description: 'The persona is polite.' },
  ],
  fields: {
    type: 'object',
    properties: { nights: { type: 'integer' }, town: { type: 'string', enum: ['Rome', 'Paris'] } },
    required: ['nights', 'town'],
  },
});
const plain = {
  summary: 'A room was taken.',
  criteria: { c1: { passed: true, why: 'They said {yes}.' }, c2: { passed: null, why: 'Nobody knows.' } },
  fields: { nights: 2 },
};
const json = JSON.stringify(plain);

it.each([
  ['as it is', json],
  ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
  ['after words', `Sure! Here is the grade you asked for:\n\n${json}\n\nLet me know if {anything} else is needed.`],
  ['after thinking aloud', withoutThoughts(`<think>The user said {"summary": "no"} first.</think>\n${json}`)],
  ['after a piece of the conversation', `Of {"user": "a room, please"} I make:\n${json}`],
  ['with commas behind the last values', json.replaceAll('"}', '",}')],
  ['on many lines', JSON.stringify(plain, null, 2)],
])('reads the answer of an LLM %s', (_, answer) => {
  expect(readGrade(answer, asked)).toEqual({
    grade: {
      summary: 'A room was taken.',
      criteria: [
        { name: 'Booked', passed: true, why: 'They said {yes}.' },
        { name: 'Polite', passed: null, why: 'Nobody knows.' },
      ],
      fields: { nights: 2 },
    },
    faults: [],
  });
});

it.each(['I cannot help with that.', '', '{"summary": "cut of', '{"error": "overloaded"}', '[1, 2]'])(
  'finds none in %j',
  (answer) => {
    expect(readGrade(answer, asked)).toBeNull();
  },
);

it('takes verdicts by name, in their order, and in words', () => {
  const verdicts = (criteria: unknown) =>
    readGrade(JSON.stringify({ ...plain, criteria }), asked)!.grade.criteria.map(({ passed }) => passed);
  expect(verdicts({ Booked: { passed: 'yes' }, Polite: 'FAIL' })).toEqual([true, false]);
  expect(verdicts([{ passed: false }, { passed: true }])).toEqual([false, true]);
  expect(verdicts({ c1: { passed: 'mostly' } })).toEqual([null, null]);
});

it('says what is missing or does not fit, and leaves it out', () => {
  const { grade, faults } = readGrade(
    '{"criteria": {"c1": {"passed": true}}, "fields": {"nights": "2", "town": "Oslo", "x": 1}}',
    asked,
  )!;
  expect(grade.fields).toEqual({ nights: 2 });
  expect(faults).toEqual(['summary is missing', 'criteria.c2.passed is missing', expect.stringContaining('town')]);
});

it('does not look through an answer of braces for ever', () => {
  expect(findJson('{'.repeat(40_000), () => true)).toBeNull();
});

it('shortens a long conversation in its middle, and keeps quotes whole', () => {
  const said = Array.from({ length: 500 }, (_, index) => ({
    role: 'user' as const,
    text: `"line" ${index} ${'x'.repeat(100)}`,
  }));
  const quoted = quotedTranscript(said);
  expect(quoted.length).toBeLessThan(26_000);
  const lines = JSON.parse(quoted) as { user?: string; leftOut?: string }[];
  expect(lines[0]!.user).toContain('"line" 0');
  expect(lines.at(-1)!.user).toContain('"line" 499');
  expect(lines.find((line) => line.leftOut !== undefined)!.leftOut).toBe(`${501 - lines.length} lines`);
  expect(JSON.parse(quotedTranscript(said.slice(0, 2)))).toHaveLength(2);
});

import type { Grading } from '../personas/grading-schema.ts';
import type { SaidLine } from './quoted-transcript.ts';
import type { Grade } from './read-grade.ts';

const MAX_QUOTE_LENGTH = 200;
const CANNOT_JUDGE = 'The stand-in for an LLM cannot judge. Give the persona an LLM.';

/** What can be said without an LLM: counts, and what was said first and last. The same conversation has the same grade. */
export function gradeOfStandIn({ summary, criteria, fields }: Grading, said: readonly SaidLine[]): Grade {
  const user = said.filter(({ role }) => role === 'user');
  const persona = said.filter(({ role }) => role === 'persona');
  const times = user.length === 1 ? 'once' : `${user.length} times`;
  const last = persona.at(-1);
  const words = [
    `The user spoke ${times}, first: ${quoted(user[0])}.`,
    ...(last === undefined ? [] : [`The persona said last: ${quoted(last)}.`]),
  ];
  return {
    summary: summary ? words.join(' ') : null,
    criteria: criteria.map(({ name }) => ({ name, passed: null, why: CANNOT_JUDGE })),
    fields: fields === null ? null : {},
  };
}

function quoted(line: SaidLine | undefined): string {
  const text = line?.text.trim() ?? '';
  return `“${text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}…` : text}”`;
}

import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Texts of zod itself. Others are our own, and stay as they are. */
const OF_ZOD = /^(Too (small|big)|Invalid (input|option|number|string|discriminator)\b|Invalid [\w -]+$)/;
/** Names of more would hide what is meant. */
const MAX_OPTIONS = 20;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  guid: 'an id',
  uuid: 'an id',
  url: 'an address that begins with https:// or http://',
  email: 'an e-mail address',
  datetime: 'a date and a time, such as 2026-03-01T10:30:00Z',
};

/** @returns what a broken rule says to people: what goes on after the name of the field. */
export function wordingOf(issue: Issue): string {
  return OF_ZOD.test(issue.message) ? (inPlainWords(issue) ?? issue.message) : issue.message;
}

function inPlainWords(issue: Issue): string | null {
  switch (issue.code) {
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return `must ${limitOf(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_format':
      return issue.format === 'regex' ? 'must have another form' : `must be ${FORMATS[issue.format] ?? issue.format}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return 'options' in issue ? oneOf(issue.options as unknown[]) : 'must have one of the forms that are allowed';
    default:
      return null;
  }
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (origin === 'string' && minimum === 1) return 'must not be empty';
  if (inclusive === false) return `must be more than ${minimum}`;
  return `must ${limitOf(origin, 'at least', minimum)}`;
}

function limitOf(origin: string, how: string, limit: number | bigint): string {
  const many = (one: string, more: string): string => `have ${how} ${limit} ${Number(limit) === 1 ? one : more}`;
  if (origin === 'string') return many('character', 'characters');
  if (origin === 'array' || origin === 'set') return many('entry', 'entries');
  if (origin === 'object' || origin === 'record') return many('field', 'fields');
  return `be ${how} ${limit}`;
}

function oneOf(values: readonly unknown[]): string {
  const names = values.slice(0, MAX_OPTIONS).map((value) => JSON.stringify(value));
  if (names.length === 1) return `must be ${names[0]}`;
  return `must be one of ${names.join(', ')}${values.length > names.length ? ' …' : ''}`;
}

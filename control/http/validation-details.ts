import type { z } from 'zod';
import type { Detail } from '../errors/http-error.ts';
import { closestName } from '../../runtime/closest-name.ts';
import { isObject } from './is-object.ts';
import { wordingOf } from './issue-wording.ts';

type Issue = z.core.$ZodIssue;

/** zod's codes in the words of the contract. Codes that are missing here are the same in both. */
const CODES: Readonly<Record<string, string>> = {
  invalid_format: 'invalid_string',
  invalid_value: 'invalid_enum_value',
  not_multiple_of: 'custom',
  invalid_key: 'custom',
  invalid_element: 'custom',
};

/** More would only make the answer long. */
const MAX_REPORT_SIZE = 50;

/** Of one object, to find a misspelled one among them. */
const MAX_NAMES = 100;

/** @param data what was checked, to find misspelled names in it. @returns what is wrong with each field, in their order. */
export function detailsOf(error: z.core.$ZodError, data?: unknown): Detail[] {
  const details = error.issues.slice(0, MAX_REPORT_SIZE).flatMap((issue) => fromIssue(issue, data, []));
  return details.slice(0, MAX_REPORT_SIZE);
}

function fromIssue(issue: Issue, data: unknown, before: readonly PropertyKey[]): Detail[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: dotted([...path, key]),
      message: `Unrecognized key "${shortened(key)}"`,
      code: 'unrecognized_keys',
    }));
  }
  if (issue.code === 'invalid_union') {
    // The branch that fits best: the one that went deepest, else the one with the fewest problems.
    const branches = issue.errors
      .filter((branch) => branch.length > 0)
      .toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
    if (branches[0] !== undefined) return branches[0].flatMap((inner) => fromIssue(inner, data, path));
    return [{ path: dotted(path), message: wordingOf(issue), code: 'invalid_union' }];
  }
  const missing =
    issue.code === 'invalid_type' && issue.input === undefined && issue.message.includes('received undefined');
  return [
    {
      path: dotted(path),
      message: missing ? `Required${misspelledIn(data, path)}` : wordingOf(issue),
      code: CODES[issue.code] ?? issue.code,
    },
  ];
}

/** @returns a question about a field beside a missing one that has nearly its name. */
function misspelledIn(data: unknown, path: readonly PropertyKey[]): string {
  const beside = path.slice(0, -1).reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), data);
  if (!isObject(beside)) return '';
  const found = closestName(String(path.at(-1)), Object.keys(beside).slice(0, MAX_NAMES));
  return found === null ? '' : ` (is it "${shortened(found)}"?)`;
}

function depth(issues: readonly Issue[]): number {
  return Math.max(...issues.map((issue) => issue.path.length));
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map((part) => shortened(String(part))).join('.');
}

/** Keys come from the client and may have any length. */
function shortened(key: string): string {
  return key.length <= 64 ? key : `${key.slice(0, 63)}…`;
}

import type { z } from 'zod';
import type { Detail } from '../errors/http-error.ts';
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

/** @returns what is wrong with each field, in the order of the fields. */
export function detailsOf(error: z.core.$ZodError): Detail[] {
  return error.issues.flatMap((issue) => fromIssue(issue, [])).slice(0, MAX_REPORT_SIZE);
}

function fromIssue(issue: Issue, before: readonly PropertyKey[]): Detail[] {
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
    if (branches[0] !== undefined) return branches[0].flatMap((inner) => fromIssue(inner, path));
    return [{ path: dotted(path), message: wordingOf(issue), code: 'invalid_union' }];
  }
  const missing =
    issue.code === 'invalid_type' && issue.input === undefined && issue.message.includes('received undefined');
  return [
    { path: dotted(path), message: missing ? 'Required' : wordingOf(issue), code: CODES[issue.code] ?? issue.code },
  ];
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

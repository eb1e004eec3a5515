import { type Check, fault, type SchemaObject } from './check.ts';
import { linearPattern } from './linear-pattern.ts';

/** Characters of a text that are looked at in the time of a step. */
const CHARS_PER_STEP = 32;

export function checkNumber(check: Check, schema: SchemaObject, value: number, path: string): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum) fault(check, path, `must be >= ${minimum}`);
  if (typeof maximum === 'number' && value > maximum) fault(check, path, `must be <= ${maximum}`);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    fault(check, path, `must be > ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    fault(check, path, `must be < ${exclusiveMaximum}`);
  if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf))
    fault(check, path, `must be multiple of ${multipleOf}`);
}

export function checkString(check: Check, schema: SchemaObject, value: string, path: string): void {
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === 'number' && charactersOf(check, value) < minLength)
    fault(check, path, `must NOT have fewer than ${minLength} characters`);
  if (typeof maxLength === 'number' && charactersOf(check, value) > maxLength)
    fault(check, path, `must NOT have more than ${maxLength} characters`);
  if (typeof pattern === 'string' && !matches(check, pattern, value))
    fault(check, path, `must match pattern "${pattern}"`);
}

/** A pattern that cannot be run safely asks for nothing: new tools with one are refused. */
export function matches(check: Check, pattern: string, text: string): boolean {
  const linear = linearPattern(pattern);
  if (linear === null) return true;
  check.work.spend(text.length * linear.stepsPerChar);
  return linear.test(text);
}

/** Characters as Unicode counts them. */
function charactersOf(check: Check, text: string): number {
  check.work.spend(text.length / CHARS_PER_STEP);
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

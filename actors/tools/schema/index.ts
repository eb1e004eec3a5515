import { newCheck, type SchemaObject } from './check.ts';
import { checkValue } from './check-value.ts';
import { TooMuchWorkError, WorkLimit } from './work-limit.ts';

/** As many as a model can put right at once. */
const TOLD_FAULTS = 5;
/**
 * A model that writes 8,000 tokens writes at most 4,000 values; an ordinary schema looks at each two or three times.
 */
const MAX_STEPS = 20_000;

/**
 * Checks the arguments of a tool call against the tool's JSON Schema, and repairs what is plainly meant: types,
 * defaults.
 *
 * Customers write these schemas, so the check is an interpreter that counts its work. A compiler of schemas (ajv) takes
 * code from them: 5 s to compile 8 KB of references, and a call that ends the process by its memory.
 *
 * @param args changed in place. @returns what is wrong, in words for the model; empty when nothing is.
 */
export function checkArguments(schema: SchemaObject, args: Record<string, unknown>): readonly string[] {
  const check = newCheck(schema, { work: new WorkLimit(MAX_STEPS), enough: TOLD_FAULTS, repairs: 'all' });
  const told = () => check.faults.map(({ path, message }) => `${path === '' ? 'arguments' : path} ${message}`);
  try {
    checkValue(check, schema, args, '');
    return told();
  } catch (error) {
    if (!(error instanceof TooMuchWorkError)) throw error;
    return [...told(), 'arguments take too long to be checked against the schema of the tool'];
  }
}

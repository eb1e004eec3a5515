import { checkArray } from './arrays.ts';
import { type Check, equal, type Fault, fault, isDone, isRecord, type SchemaObject, trial } from './check.ts';
import { checkObject } from './objects.ts';
import { referredTo } from './reference.ts';
import { checkNumber, checkString } from './scalars.ts';
import { coerced, isOfType, typesOf } from './types.ts';

/**
 * Applies one schema to one value. What may be repaired is repaired in place.
 * @returns the value, or what it was meant to be. @throws TooMuchWorkError
 */
export function checkValue(check: Check, schema: unknown, given: unknown, path: string): unknown {
  if (isDone(check)) return given;
  if (schema === false) fault(check, path, 'must not be there');
  if (!isRecord(schema)) return given;
  check.work.enter();
  const value = applyAll(check, schema, given, path);
  check.work.leave();
  return value;
}

/** Whether a value is as the schema wants it, as it is. */
export function fits(check: Check, schema: unknown, value: unknown): boolean {
  const attempt = trial(check, 'nothing');
  checkValue(attempt, schema, value, '');
  return attempt.faults.length === 0;
}

function applyAll(check: Check, schema: SchemaObject, given: unknown, path: string): unknown {
  let value = ofType(check, schema, given, path);
  if (value === undefined) return given;
  if (typeof schema['$ref'] === 'string')
    value = checkValue(check, referredTo(check.root, schema['$ref']), value, path);
  checkOneOfValues(check, schema, value, path);
  if (typeof value === 'number') checkNumber(check, schema, value, path);
  else if (typeof value === 'string') checkString(check, schema, value, path);
  else if (Array.isArray(value)) checkArray(check, schema, value, path);
  else if (isRecord(value)) checkObject(check, schema, value, path);
  return checkCombinations(check, schema, value, path);
}

/** @returns the value in a type that the schema allows; undefined when there is none. */
function ofType(check: Check, schema: SchemaObject, value: unknown, path: string): unknown {
  const types = typesOf(schema);
  if (types === null || types.some((type) => isOfType(value, type))) return value;
  if (check.repairs !== 'nothing') {
    for (const type of types) {
      const meant = coerced(value, type);
      if (meant !== undefined) return meant;
    }
  }
  fault(check, path, `must be ${types.join(',')}`);
  return undefined;
}

function checkOneOfValues(check: Check, schema: SchemaObject, value: unknown, path: string): void {
  const allowed = schema['enum'];
  if (Array.isArray(allowed) && !allowed.some((one) => equal(check, one, value)))
    fault(check, path, `must be one of ${listed(allowed)}`);
  if (schema['const'] !== undefined && !equal(check, schema['const'], value))
    fault(check, path, 'must be equal to constant');
}

function checkCombinations(check: Check, schema: SchemaObject, given: unknown, path: string): unknown {
  const { allOf, anyOf, oneOf, not } = schema;
  let value = given;
  if (Array.isArray(allOf)) for (const inner of allOf) value = checkValue(check, inner, value, path);
  if (Array.isArray(anyOf)) value = checkChoice(check, anyOf, value, path, 'any');
  if (Array.isArray(oneOf)) value = checkChoice(check, oneOf, value, path, 'one');
  if (not !== undefined && fits(check, not, value)) fault(check, path, 'must NOT be valid');
  if (schema['if'] === undefined) return value;
  const next = fits(check, schema['if'], value) ? schema['then'] : schema['else'];
  return next === undefined ? value : checkValue(check, next, value, path);
}

/** As it is before it is repaired: "5" is text where text is allowed too. */
function checkChoice(
  check: Check,
  choices: readonly unknown[],
  value: unknown,
  path: string,
  wanted: 'any' | 'one',
): unknown {
  if (isDone(check)) return value;
  let found = 0;
  for (const choice of choices) {
    if (fits(check, choice, value)) found += 1;
    if (found === 1 && wanted === 'any') return value;
  }
  if (found === 1) return value;
  if (found > 1) {
    fault(check, path, 'must match only one of the schemas in oneOf');
    return value;
  }
  return checkRepaired(check, choices, value, path);
}

/** @returns what was meant by the value; where that cannot be told, the fault is that of the choice that came nearest. */
function checkRepaired(check: Check, choices: readonly unknown[], value: unknown, path: string): unknown {
  let nearest: Fault | null = null;
  for (const choice of choices) {
    const attempt = trial(check, 'types');
    const meant = checkValue(attempt, choice, value, path);
    const [first] = attempt.faults;
    if (first === undefined) return meant;
    if (nearest === null || first.path.length > nearest.path.length) nearest = first;
  }
  fault(check, nearest?.path ?? path, nearest?.message ?? 'must match one of the schemas');
  return value;
}

/** Values that a message lists, in characters. */
const LISTED_CHARS = 200;

function listed(values: readonly unknown[]): string {
  let text = '';
  for (const value of values) {
    if (text.length > LISTED_CHARS) return `${text}, …`;
    text += `${text === '' ? '' : ', '}${(JSON.stringify(value) ?? '').slice(0, LISTED_CHARS)}`;
  }
  return text;
}

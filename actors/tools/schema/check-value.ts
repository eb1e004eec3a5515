import { canonicalJson } from '../canonical-json.ts';
import {
  type Check,
  equal,
  type Fault,
  fault,
  inside,
  isDone,
  isRecord,
  type SchemaObject,
  sizeOf,
  trial,
} from './check.ts';
import { referredTo } from './reference.ts';
import { checkNumber, checkString, matches } from './scalars.ts';
import { coerced, isOfType, listedOrAlone, typesOf } from './types.ts';

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
  value = amongValues(check, schema, value);
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
    const meant = listedOrAlone(value, types);
    if (meant !== undefined) return meant;
  }
  fault(check, path, `must be ${types.join(',')}`);
  return undefined;
}

/** @returns the one value of the schema that differs only in capital letters and blanks: "Celsius" is "celsius". */
function amongValues(check: Check, schema: SchemaObject, value: unknown): unknown {
  const allowed = schema['enum'];
  if (check.repairs === 'nothing' || typeof value !== 'string' || !Array.isArray(allowed)) return value;
  check.work.spend(allowed.length);
  if (allowed.includes(value)) return value;
  const plain = (one: unknown): string | null => (typeof one === 'string' ? one.trim().toLowerCase() : null);
  const alike = allowed.filter((one) => plain(one) === plain(value));
  return alike.length === 1 ? alike[0] : value;
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

/**
 * @returns what was meant by the value; where that cannot be told, the fault is that of the choice that came nearest.
 */
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

function checkArray(check: Check, schema: SchemaObject, value: unknown[], path: string): void {
  const { minItems, maxItems } = schema;
  check.work.spend(value.length);
  if (typeof minItems === 'number' && value.length < minItems)
    fault(check, path, `must NOT have fewer than ${minItems} items`);
  if (typeof maxItems === 'number' && value.length > maxItems)
    fault(check, path, `must NOT have more than ${maxItems} items`);
  checkItems(check, schema, value, path);
  if (schema['uniqueItems'] === true) checkUnique(check, value, path);
  if (schema['contains'] !== undefined) checkContains(check, schema, value, path);
}

/** Both ways of writing a tuple: `items` as a list with `additionalItems`, and `prefixItems` with `items`. */
function checkItems(check: Check, schema: SchemaObject, value: unknown[], path: string): void {
  const { items, prefixItems, additionalItems } = schema;
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const others = Array.isArray(items) ? additionalItems : items;
  for (let at = 0; at < value.length && !isDone(check); at += 1) {
    const schemaHere = at < first.length ? first[at] : others;
    if (schemaHere === undefined) return;
    value[at] = checkValue(check, schemaHere, value[at], inside(path, at));
  }
}

function checkUnique(check: Check, value: readonly unknown[], path: string): void {
  check.work.spend(sizeOf(value));
  if (new Set(value.map(canonicalJson)).size < value.length) fault(check, path, 'must NOT have duplicate items');
}

function checkContains(check: Check, schema: SchemaObject, value: readonly unknown[], path: string): void {
  const { contains, minContains, maxContains } = schema;
  const found = value.filter((item) => fits(check, contains, item)).length;
  const least = typeof minContains === 'number' ? minContains : 1;
  if (found < least) fault(check, path, `must contain at least ${least} valid item(s)`);
  if (typeof maxContains === 'number' && found > maxContains)
    fault(check, path, `must contain at most ${maxContains} valid item(s)`);
}

function checkObject(check: Check, schema: SchemaObject, value: Record<string, unknown>, path: string): void {
  const keys = Object.keys(value);
  check.work.spend(keys.length);
  const { minProperties, maxProperties } = schema;
  if (typeof minProperties === 'number' && keys.length < minProperties)
    fault(check, path, `must NOT have fewer than ${minProperties} properties`);
  if (typeof maxProperties === 'number' && keys.length > maxProperties)
    fault(check, path, `must NOT have more than ${maxProperties} properties`);
  if (check.repairs !== 'nothing') nameAsTheSchemaDoes(check, schema, value);
  if (check.repairs !== 'nothing') leaveOutNulls(check, schema, value);
  if (check.repairs === 'all') fillIn(check, schema, value);
  for (const name of namesIn(schema['required'])) need(check, value, name, path);
  checkDependencies(check, schema, value, path);
  checkProperties(check, schema, value, path);
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** "City" and "city " are "city", where nothing else is called so. */
function nameAsTheSchemaDoes(check: Check, schema: SchemaObject, value: Record<string, unknown>): void {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const odd = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  if (odd.length === 0) return;
  const missing = Object.keys(properties).filter((name) => !Object.hasOwn(value, name));
  check.work.spend(odd.length + missing.length);
  const byLetters = Map.groupBy(missing, lettersOf);
  for (const key of odd) {
    const [name, ...others] = byLetters.get(lettersOf(key)) ?? [];
    if (name === undefined || others.length > 0 || Object.hasOwn(value, name)) continue;
    put(value, name, value[key]);
    delete value[key];
  }
}

function checkProperties(check: Check, schema: SchemaObject, value: Record<string, unknown>, path: string): void {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const patterns = isRecord(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : [];
  const { additionalProperties, propertyNames } = schema;
  for (const key of Object.keys(value)) {
    if (isDone(check)) return;
    check.work.spend(1 + patterns.length);
    const applied = [
      ...(Object.hasOwn(properties, key) ? [properties[key]] : []),
      ...patterns.filter(([pattern]) => matches(check, pattern, key)).map(([, inner]) => inner),
    ];
    if (applied.length === 0 && additionalProperties === false)
      fault(check, path, `must NOT have additional properties: ${key.slice(0, 64)}`);
    else if (applied.length === 0 && additionalProperties !== undefined) applied.push(additionalProperties);
    for (const inner of applied) put(value, key, checkValue(check, inner, value[key], inside(path, key)));
    if (propertyNames !== undefined && !fits(check, propertyNames, key))
      fault(check, path, `property name must be valid: ${key.slice(0, 64)}`);
  }
}

function checkDependencies(check: Check, schema: SchemaObject, value: Record<string, unknown>, path: string): void {
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas']) {
    const dependencies = schema[keyword];
    if (!isRecord(dependencies)) continue;
    for (const [key, needed] of Object.entries(dependencies)) {
      check.work.spend(1);
      if (!Object.hasOwn(value, key)) continue;
      if (Array.isArray(needed)) for (const name of namesIn(needed)) need(check, value, name, path);
      else checkValue(check, needed, value, path);
    }
  }
}

function need(check: Check, value: Record<string, unknown>, name: string, path: string): void {
  check.work.spend(1);
  if (!Object.hasOwn(value, name)) fault(check, path, `must have required property '${name}'`);
}

/** Models write null for what they leave out, or no text, or the word. Where that is a value of its own, it stays. */
function leaveOutNulls(check: Check, schema: SchemaObject, value: Record<string, unknown>): void {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  for (const [key, inner] of Object.entries(value)) {
    if (!Object.hasOwn(properties, key) || !isNothing(inner)) continue;
    if (!fits(check, properties[key], inner)) delete value[key];
  }
}

const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && /^\s{0,8}(?:null|none|undefined)?\s{0,8}$/i.test(value));

function fillIn(check: Check, schema: SchemaObject, value: Record<string, unknown>): void {
  if (!isRecord(schema['properties'])) return;
  for (const [key, inner] of Object.entries(schema['properties'])) {
    check.work.spend(1);
    if (Object.hasOwn(value, key) || !isRecord(inner) || inner['default'] === undefined) continue;
    check.work.spend(sizeOf(inner['default']));
    put(value, key, structuredClone(inner['default']));
  }
}

/** A key may be called "__proto__": what it holds stays data. */
function put(value: Record<string, unknown>, key: string, changed: unknown): void {
  if (value[key] !== changed)
    Object.defineProperty(value, key, { value: changed, writable: true, enumerable: true, configurable: true });
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

import { canonicalJson } from '../canonical-json.ts';
import { type Check, fault, inside, isDone, type SchemaObject, sizeOf } from './check.ts';
import { checkValue, fits } from './check-value.ts';

export function checkArray(check: Check, schema: SchemaObject, value: unknown[], path: string): void {
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

import { type Check, fault, inside, isDone, isRecord, type SchemaObject, sizeOf } from './check.ts';
import { checkValue, fits } from './check-value.ts';
import { matches } from './scalars.ts';

export function checkObject(check: Check, schema: SchemaObject, value: Record<string, unknown>, path: string): void {
  const keys = Object.keys(value);
  check.work.spend(keys.length);
  const { minProperties, maxProperties } = schema;
  if (typeof minProperties === 'number' && keys.length < minProperties)
    fault(check, path, `must NOT have fewer than ${minProperties} properties`);
  if (typeof maxProperties === 'number' && keys.length > maxProperties)
    fault(check, path, `must NOT have more than ${maxProperties} properties`);
  if (check.repairs === 'all') fillIn(check, schema, value);
  for (const name of namesIn(schema['required'])) need(check, value, name, path);
  checkDependencies(check, schema, value, path);
  checkProperties(check, schema, value, path);
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

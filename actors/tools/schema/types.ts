import { parseBoundedJson } from '../../bounded-json.ts';
import { isRecord, type SchemaObject } from './check.ts';

/** The types that a schema allows; null when it allows any. */
export function typesOf({ type, nullable }: SchemaObject): readonly unknown[] | null {
  if (type === undefined) return null;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return nullable === true ? [...types, 'null'] : types;
}

export function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      // Not a type: a schema that was stored before they were checked asks for nothing.
      return true;
  }
}

/** What a model meant when it wrote "5" for 5, or a list as JSON text. @returns undefined when that cannot be told. */
export function coerced(value: unknown, type: unknown): unknown {
  // No value is ever made of null: it is left out, or asked for.
  if (typeof value === 'object') return undefined;
  switch (type) {
    case 'string':
      return String(value);
    case 'number':
      return numberFrom(value);
    case 'integer': {
      const number = numberFrom(value);
      return Number.isInteger(number) ? number : undefined;
    }
    case 'boolean':
      return booleanFrom(value);
    case 'null':
      return value === '' || value === 0 || value === false ? null : undefined;
    case 'array':
    case 'object': {
      const inner = fromJson(value);
      return isOfType(inner, type) ? inner : undefined;
    }
    default:
      return undefined;
  }
}

/** As Python and people write it, too. */
function booleanFrom(value: unknown): boolean | undefined {
  const text = String(value).toLowerCase();
  if (value === 1 || /^(?:true|yes)$/.test(text)) return true;
  return value === 0 || /^(?:false|no)$/.test(text) ? false : undefined;
}

/** What a model meant when it wrote one value for a list of one, or a list of one for a value. */
export function listedOrAlone(value: unknown, types: readonly unknown[]): unknown {
  if (Array.isArray(value)) {
    const only: unknown = value.length === 1 ? value[0] : undefined;
    return typeof only !== 'object' && types.some((type) => isOfType(only, type)) ? only : undefined;
  }
  if (typeof value === 'object' || !types.includes('array')) return undefined;
  // "a, b" may be two.
  return typeof value === 'string' && /[,;\n]/.test(value) ? undefined : [value];
}

function fromJson(value: unknown): unknown {
  if (typeof value !== 'string') return undefined;
  try {
    return parseBoundedJson(value);
  } catch {
    return undefined;
  }
}

function numberFrom(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

import { InputError } from '../../api/problem.ts';
import { isObject } from './parameters.ts';

/** A field of a form that is made from a JSON Schema. */
export interface ArgumentField {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** `json`: a value that no simple field can hold. */
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'json';
  readonly choices: readonly string[];
}

/** A tool for knowledge has one argument unless it says otherwise. */
export const QUERY_SCHEMA = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What to look for.' } },
  required: ['query'],
};

/** @param schemas of the body and of the query string; absent ones have no fields. */
export function argumentFields(...schemas: readonly unknown[]): readonly ArgumentField[] {
  return schemas.filter(isObject).flatMap(({ properties, required }) =>
    Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => ({
      name,
      required: Array.isArray(required) && required.includes(name),
      ...fieldOf(property),
    })),
  );
}

function fieldOf(property: unknown): Pick<ArgumentField, 'description' | 'kind' | 'choices'> {
  const { type, description, enum: choices } = isObject(property) ? property : {};
  const shared = { description: typeof description === 'string' ? description : '', choices: [] };
  if (Array.isArray(choices) && choices.every((choice) => typeof choice === 'string'))
    return { ...shared, kind: 'choice', choices };
  if (type === 'number' || type === 'integer') return { ...shared, kind: 'number' };
  if (type === 'boolean') return { ...shared, kind: 'flag' };
  return { ...shared, kind: type === 'string' ? 'text' : 'json' };
}

/**
 * @param texts what was entered, by name. Empty fields are left out.
 * @throws InputError for a field whose JSON cannot be read.
 */
export function argumentsOf(
  fields: readonly ArgumentField[],
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = texts[field.name] ?? '';
      return text === '' ? [] : [[field.name, valueOf(field, text)]];
    }),
  );
}

function valueOf({ name, kind }: ArgumentField, text: string): unknown {
  if (kind === 'number') return Number(text);
  if (kind === 'flag') return text === 'true';
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError({
      path: `arguments.${name}`,
      message: 'This is not valid JSON. Texts stand in double quotes.',
    });
  }
}

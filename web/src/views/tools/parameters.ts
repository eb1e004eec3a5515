/** One argument of a tool, as the form edits it. */
export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly description: string;
  readonly required: boolean;
  /** The only values that are allowed; empty: any. */
  readonly choices: readonly string[];
}

export const TYPES: Readonly<Record<Parameter['type'], string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
};

type Schema = Readonly<Record<string, unknown>>;

/** What a parameter may say for the form to be able to show it. */
const KNOWN = new Set(['type', 'description', 'enum']);

/** @returns the arguments that a JSON Schema describes, or null if it says more than the form can show. */
export function parametersOf(schema: unknown): readonly Parameter[] | null {
  if (schema === undefined) return [];
  if (!isObject(schema)) return null;
  const { type, properties = {}, required = [], ...more } = schema;
  if (type !== 'object' || !isObject(properties) || !Array.isArray(required) || Object.keys(more).length > 0)
    return null;
  const parameters: Parameter[] = [];
  for (const [name, property] of Object.entries(properties)) {
    const parameter = parameterOf(name, property, required.includes(name));
    if (parameter === null) return null;
    parameters.push(parameter);
  }
  return parameters;
}

function parameterOf(name: string, property: unknown, required: boolean): Parameter | null {
  if (!isObject(property) || Object.keys(property).some((key) => !KNOWN.has(key))) return null;
  const { type, description = '', enum: choices = [] } = property;
  if (typeof type !== 'string' || !(type in TYPES) || typeof description !== 'string') return null;
  if (!Array.isArray(choices) || choices.some((choice) => typeof choice !== 'string')) return null;
  return { name, type: type as Parameter['type'], description, required, choices };
}

/** @returns the JSON Schema of these arguments. */
export function schemaOf(parameters: readonly Parameter[]): Schema {
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, type, description, choices }) => [
        name,
        {
          type,
          ...(description === '' ? {} : { description }),
          ...(choices.length === 0 || type !== 'string' ? {} : { enum: choices }),
        },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

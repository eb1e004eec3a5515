type Schema = Record<string, unknown>;

/** The schema that a tool has, and how many references in it may still be followed: each may lead to many others. */
export interface SchemaRoot {
  readonly schema: Schema;
  references: number;
}

/** Of one tool. */
export const MAX_REFERENCES = 200;
/** Choices within choices. */
const MAX_DEPTH = 16;

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the schema that a reference leads to, with what stands beside the reference. */
export function resolved(schema: Schema, root: SchemaRoot): Schema {
  let found = schema;
  while (typeof found['$ref'] === 'string') {
    const { $ref: reference, ...rest } = found;
    root.references -= 1;
    found = { ...(root.references < 0 ? {} : targetOf(String(reference), root.schema)), ...rest };
  }
  return found;
}

function targetOf(reference: string, root: Schema): Schema {
  let node: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    node = isSchema(node) && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  return reference.startsWith('#') && isSchema(node) ? node : {};
}

/**
 * The same without what many models do not know: references are followed, of a choice the first that is not null
 * counts, and a constant is a choice of one.
 */
export function flat(schema: Schema, root: SchemaRoot, depth = 0): Schema {
  const { allOf, anyOf, oneOf, const: only, ...rest } = resolved(schema, root);
  if (depth > MAX_DEPTH) return rest;
  const choice = [anyOf, oneOf]
    .flatMap(schemasIn)
    .map((branch) => resolved(branch, root))
    .find(({ type }) => type !== 'null');
  const parts = [...schemasIn(allOf), ...(choice === undefined || 'type' in rest ? [] : [choice])];
  const all = [...parts.map((part) => flat(part, root, depth + 1)), rest];
  const properties = Object.assign({}, ...all.map((one) => one['properties']).filter(isSchema)) as Schema;
  return {
    ...(only !== undefined && { type: typeof only, enum: [only] }),
    ...(Object.assign({}, ...all) as Schema),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

const schemasIn = (list: unknown): Schema[] => (Array.isArray(list) ? list.filter(isSchema) : []);

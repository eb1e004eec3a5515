type JsonSchema = Record<string, unknown>;

/** For a tool that declares no arguments. */
export const ANY_ARGUMENTS: JsonSchema = { type: 'object', properties: {} };

/**
 * The arguments of a webhook for the LLM: body and query arguments in one object. The call separates them again by the
 * names in the query schema.
 */
export function webhookArguments(parameters: JsonSchema | undefined, query: JsonSchema | undefined): JsonSchema {
  if (query === undefined) return parameters ?? ANY_ARGUMENTS;
  const body = parameters ?? { type: 'object', properties: {} };
  return {
    ...body,
    ...definitionsOf('$defs', body, query),
    ...definitionsOf('definitions', body, query),
    properties: { ...objectOf(body['properties']), ...objectOf(query['properties']) },
    required: [...new Set([...namesOf(body['required']), ...namesOf(query['required'])])],
  };
}

/** References of both find what they refer to. */
function definitionsOf(keyword: '$defs' | 'definitions', body: JsonSchema, query: JsonSchema): JsonSchema {
  const both = { ...objectOf(query[keyword]), ...objectOf(body[keyword]) };
  return Object.keys(both).length === 0 ? {} : { [keyword]: both };
}

function objectOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {};
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

import type { SchemaObject } from './check.ts';

/**
 * The schema of schemas: JSON Schema draft 7, and the keywords of later drafts and of OpenAPI that people write beside
 * them (`$defs`, `prefixItems`, `dependentRequired`, `nullable`). Unknown keywords are allowed, as everywhere in JSON
 * Schema.
 */
const schema = { $ref: '#' };
const schemas = { type: 'array', minItems: 1, items: schema };
const schemaByName = { type: 'object', additionalProperties: schema };
const count = { type: 'integer', minimum: 0 };
const names = { type: 'array', items: { type: 'string' }, uniqueItems: true };
const text = { type: 'string' };
const typeName = { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] };

export const META_SCHEMA: SchemaObject = {
  type: ['object', 'boolean'],
  properties: {
    ...each(
      [
        '$schema',
        '$id',
        '$ref',
        '$comment',
        'title',
        'description',
        'format',
        'pattern',
        'contentMediaType',
        'contentEncoding',
      ],
      text,
    ),
    type: { anyOf: [typeName, { type: 'array', items: typeName, minItems: 1, uniqueItems: true }] },
    enum: { type: 'array' },
    examples: { type: 'array' },
    ...each(['readOnly', 'nullable', 'uniqueItems'], { type: 'boolean' }),
    ...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], { type: 'number' }),
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    ...each(
      [
        'minLength',
        'maxLength',
        'minItems',
        'maxItems',
        'minContains',
        'maxContains',
        'minProperties',
        'maxProperties',
      ],
      count,
    ),
    items: { anyOf: [schema, schemas] },
    ...each(
      ['additionalItems', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
      schema,
    ),
    ...each(['prefixItems', 'allOf', 'anyOf', 'oneOf'], schemas),
    ...each(['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas'], schemaByName),
    dependencies: { type: 'object', additionalProperties: { anyOf: [schema, names] } },
    dependentRequired: { type: 'object', additionalProperties: names },
    required: names,
  },
};

function each(keywords: readonly string[], value: SchemaObject): SchemaObject {
  return Object.fromEntries(keywords.map((keyword) => [keyword, value]));
}

import { z } from 'zod';
import type { TestService } from './service.ts';

/** As much of JSON Schema as the document uses. */
export interface JsonSchema {
  readonly type?: string | string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly enum?: unknown[];
  readonly const?: unknown;
  readonly anyOf?: JsonSchema[];
  readonly allOf?: JsonSchema[];
  readonly oneOf?: JsonSchema[];
  readonly $ref?: string;
  readonly required?: string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
}

export interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
export interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
  readonly security?: readonly unknown[];
}
export interface OpenApiDocument {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The document as the service serves it. */
export async function openApiDocument(service: TestService): Promise<OpenApiDocument> {
  const { status, body } = await service.send('GET', '/openapi.json', undefined, null);
  if (status !== 200) throw new Error(`There is no document: ${service.logged.at(-1)}`);
  return body;
}

/** Every operation, by `METHOD /path/{parameter}`. */
export function operationsOf(document: OpenApiDocument): ReadonlyMap<string, Operation> {
  return new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
}

/** The example of a request or an answer, or those of its schema. */
export function examplesOf(document: OpenApiDocument, { schema, example }: Content): readonly unknown[] {
  if (example !== undefined) return [example];
  const { $ref, anyOf = [], examples = [] } = schema;
  if ($ref === undefined) return [...examples, ...anyOf.flatMap((part) => examplesOf(document, { schema: part }))];
  return examplesOf(document, { schema: document.components.schemas[$ref.split('/').at(-1)!]! });
}

/** Of each document: its schemas in the form of JSON Schema, and the checks of those that were asked for. Errors are everywhere. */
const checks = new WeakMap<OpenApiDocument, { readonly $defs: object; readonly bySchema: Map<string, z.ZodType> }>();

const asJsonSchema = (value: unknown): string => JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/');

/** @returns what of an example breaks a schema of the document, or null. */
export function misfit(document: OpenApiDocument, schema: JsonSchema, example: unknown): string | null {
  const known = checks.get(document) ?? {
    $defs: JSON.parse(asJsonSchema(document.components.schemas)) as object,
    bySchema: new Map<string, z.ZodType>(),
  };
  checks.set(document, known);
  const text = asJsonSchema(schema);
  const check = known.bySchema.get(text) ?? z.fromJSONSchema({ ...JSON.parse(text), $defs: known.$defs });
  known.bySchema.set(text, check);
  const checked = check.safeParse(example);
  return checked.success ? null : checked.error.message;
}

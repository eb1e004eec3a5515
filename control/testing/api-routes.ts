import type { TestService } from './service.ts';

/** As much of JSON Schema as the OpenAPI document uses. */
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
}

export interface ApiRoute {
  readonly method: string;
  /** With `{name}` where something is to be put in. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly body: JsonSchema | null;
}

export interface ApiRoutes {
  readonly routes: readonly ApiRoute[];
  /** What a `$ref` means. */
  resolve(ref: string): JsonSchema;
}

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: ApiRoute['parameters'];
            readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
          }
        >
      >
    >
  >;
}

/** Every route of the API with what it takes, from the document that is made of the schemas which check requests. */
export async function apiRoutes(service: TestService): Promise<ApiRoutes> {
  const { body } = (await service.send('GET', '/openapi.json', undefined, null)) as { body: OpenApi };
  return {
    resolve: (ref) => body.components.schemas[ref.split('/').at(-1)!] ?? {},
    routes: Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content['application/json']?.schema ?? null,
      })),
    ),
  };
}

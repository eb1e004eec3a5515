import { type JsonSchema, openApiDocument, operationsOf } from './openapi-document.ts';
import type { TestService } from './service.ts';

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

/** Every route of the API with what it takes, from the document that is made of the schemas which check requests. */
export async function apiRoutes(service: TestService): Promise<ApiRoutes> {
  const document = await openApiDocument(service);
  return {
    resolve: (ref) => document.components.schemas[ref.split('/').at(-1)!] ?? {},
    routes: [...operationsOf(document)].map(([name, { parameters = [], requestBody }]) => {
      const [method = '', path = ''] = name.split(' ');
      return { method, path, parameters, body: requestBody?.content['application/json']?.schema ?? null };
    }),
  };
}

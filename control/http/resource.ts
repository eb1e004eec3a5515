import type { App } from './app.ts';
import type { Refusal, Refusals } from '../errors/http-error.ts';
import type { Scope } from '../access/scope.ts';

/**
 * A REST resource: everything that the service, its keys and its OpenAPI document know of it. It has its own folder,
 * and `resources.ts` lists it.
 */
export interface Resource<Parts = never> {
  /** The heading of its routes in the OpenAPI document. */
  readonly tag: string;
  /** A sentence under that heading. */
  readonly description: string;
  /**
   * What its routes may require of an API key. A route that names no scope needs the first one. Without any scope, the
   * route has to be open.
   */
  readonly scopes: readonly Scope[];
  /** Refusals that only this resource has. */
  readonly errors: Refusals;
  /** Of every route, by `METHOD /path/{parameter}`. */
  readonly examples: Examples;
  /** Adds the routes. Each gets the tag and the scope. @param parts what they take of the service. */
  readonly routes: (app: App, parts: Parts) => void;
}

/** The scopes of resources, each once: some resources share one. */
export function scopesOf(resources: readonly Resource[]): readonly Scope[] {
  return [...new Map(resources.flatMap(({ scopes }) => scopes.map((scope) => [scope.name, scope]))).values()];
}

/** Bodies must fit the schemas of the route: a test checks it. */
export interface RouteExamples {
  /** Needed if the schema of the body has no example. */
  readonly request?: unknown;
  /** The body of the success answer. */
  readonly answer?: unknown;
  /** The most likely refusal of a status, if it is not the general one. A path id that is not found needs none. */
  readonly refusals?: readonly Refusal[];
  /** By status: error answers with a different form. */
  readonly otherAnswers?: Readonly<Record<number, { readonly description: string; readonly body: unknown }>>;
}
export type Examples = Readonly<Record<string, RouteExamples>>;

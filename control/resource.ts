import type { App, Control } from './context.ts';
import type { Refusal, Refusals } from './errors.ts';

/**
 * A REST resource: all that the service, its keys and its OpenAPI document know of it. It stands in a folder of its own,
 * and `resources.ts` lists it.
 */
export interface Resource {
  /** The heading of its routes in the OpenAPI document. */
  readonly tag: string;
  /** A sentence under that heading. */
  readonly description: string;
  /** What its routes may ask of an API key. A route that names none needs the first; without any, it has to be open. */
  readonly scopes: readonly Scope[];
  /** What requests are refused for only here. */
  readonly errors: Refusals;
  /** Of every route, by `METHOD /path/{parameter}`. */
  readonly examples: Examples;
  /** Adds the routes. Each gets the tag and the scope. */
  routes(app: App, control: Control): void;
}

export interface Scope {
  /** As keys hold it; with `:read` behind it, it limits a key to reading. */
  readonly name: string;
  /** Whether a new key has it when its scopes are not named. */
  readonly byDefault: boolean;
}

/** Bodies must fit the schemas of the route: a test checks it. */
export interface RouteExamples {
  /** Needed where the schema of the body has no example of its own. */
  readonly request?: unknown;
  /** The body of the answer that says yes. */
  readonly answer?: unknown;
  /** The likeliest refusal of a status, where it is not the general one. A path id that is not found needs none. */
  readonly refusals?: readonly Refusal[];
  /** By status: answers that say no in a form of their own. */
  readonly otherAnswers?: Readonly<Record<number, { readonly description: string; readonly body: unknown }>>;
}
export type Examples = Readonly<Record<string, RouteExamples>>;

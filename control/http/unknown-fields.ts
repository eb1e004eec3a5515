import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether an answer names the fields of the request that do not exist. `ignored`: for requests of public clients,
     * which send more than is known here. @defaultValue `named`, where a scope is needed
     */
    unknownFields?: 'named' | 'ignored';
  }
}

/** In one answer: whoever sends thousands of them needs no list of all. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 100;

const warnings = z
  .object({
    warnings: z
      .array(z.string())
      .optional()
      .describe('Fields of the request that do not exist, with where they stood. Absent: there were none.'),
  })
  .meta({ id: 'Warnings' });

/**
 * A misspelled field is easily missed where unknown ones are accepted, as the interface wants it: the answer of a route
 * that creates or changes something names them, with where they stood. Call it before other code that processes new
 * routes, and after `describeByResource`.
 */
export function nameUnknownFields(app: FastifyInstance): void {
  const sent = new WeakMap<FastifyRequest, unknown>();
  app.addHook('onRoute', (route) => {
    if (namesThem(route)) describeWarnings(route);
  });
  // Before a body is validated, which drops what is unknown.
  app.addHook('preValidation', async (request) => {
    if (namesThem(request.routeOptions)) sent.set(request, request.body);
  });
  app.addHook('preSerialization', async (request, reply, answer) => {
    if (reply.statusCode >= 300 || !sent.has(request) || !isObject(answer)) return answer;
    const dropped = droppedPaths(sent.get(request), request.body, '').take(MAX_NAMED).toArray();
    if (dropped.length === 0) return answer;
    return { ...answer, warnings: dropped.map((path) => `${path}: there is no such field; it was not kept`) };
  });
}

/** What `RouteOptions` and those of a request have in common. */
type Route = Pick<RouteOptions, 'method' | 'config' | 'schema'>;

function namesThem({ method, config, schema }: Route): boolean {
  return (
    [method].flat().some((name) => name === 'POST' || name === 'PUT') &&
    typeof config?.access === 'object' &&
    config.unknownFields !== 'ignored' &&
    schema?.body !== undefined
  );
}

function describeWarnings(route: RouteOptions): void {
  const answers = Object.entries((route.schema?.response ?? {}) as Record<string, unknown>);
  const response = answers.map(([status, schema]) => [
    status,
    status.startsWith('2') && schema instanceof z.ZodObject ? z.intersection(schema, warnings) : schema,
  ]);
  route.schema = { ...route.schema, response: Object.fromEntries(response) };
}

/** @param kept what the validation made of `sent`. What a schema takes as it is, it keeps as the same object. */
function* droppedPaths(sent: unknown, kept: unknown, path: string): Generator<string, void> {
  if (sent === kept || !isObject(sent) || !isObject(kept)) return;
  for (const [key, value] of Object.entries(sent)) {
    const at = `${path}${key.slice(0, MAX_NAME_LENGTH)}`;
    if (Object.hasOwn(kept, key)) yield* droppedPaths(value, kept[key], `${at}.`);
    else yield at;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

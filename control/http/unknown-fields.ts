import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { closestName } from '../../runtime/closest-name.ts';
import { isObject } from './is-object.ts';

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
  // Before a body is validated, which drops what is unknown.
  const note = async (request: FastifyRequest): Promise<void> => {
    sent.set(request, request.body);
  };
  const addWarnings = async (request: FastifyRequest, reply: FastifyReply, answer: unknown): Promise<unknown> => {
    if (reply.statusCode >= 300 || !isObject(answer)) return answer;
    const dropped = droppedFields({ sent: sent.get(request), kept: request.body, answer }, '')
      .take(MAX_NAMED)
      .toArray();
    return dropped.length === 0 ? answer : { ...answer, warnings: dropped };
  };
  app.addHook('onRoute', (route) => {
    if (!namesThem(route)) return;
    describeWarnings(route);
    route.preValidation = [route.preValidation ?? [], note].flat();
    route.preSerialization = [route.preSerialization ?? [], addWarnings].flat();
  });
}

function namesThem({ method, config, schema }: RouteOptions): boolean {
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

/** A part of a request. `kept`: what the validation made of it. `answer`: the same part of the answer, if it has one. */
interface Part {
  readonly sent: unknown;
  readonly kept: unknown;
  readonly answer: unknown;
}

/** What a schema takes as it is, it keeps as the same object. @returns a sentence for each field. */
function* droppedFields({ sent, kept, answer }: Part, path: string): Generator<string, void> {
  if (sent === kept || !isObject(sent) || !isObject(kept)) return;
  const answered = isObject(answer) ? answer : {};
  for (const [key, value] of Object.entries(sent)) {
    const at = `${path}${key.slice(0, MAX_NAME_LENGTH)}`;
    if (Object.hasOwn(kept, key))
      yield* droppedFields({ sent: value, kept: kept[key], answer: answered[key] }, `${at}.`);
    else yield `${at}: there is no such field${suggestion(key, answered)}; it was not kept`;
  }
}

/** An answer names fields as a request does. */
function suggestion(key: string, answered: Readonly<Record<string, unknown>>): string {
  if (key.length > MAX_NAME_LENGTH) return '';
  const meant = closestName(key, Object.keys(answered));
  return meant === null ? '' : ` (did you mean ${meant}?)`;
}

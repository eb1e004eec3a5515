import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** In one answer: whoever sends thousands of them needs no list of all. */
const MOST_NAMED = 20;

/**
 * A misspelled field is easily missed where unknown ones are accepted, as the interface wants it: the answer names them.
 * @returns `note`, a hook that looks at a body before it is validated, and `warningsFor` what it saw: nothing, or `warnings`.
 */
export function unknownFields(schema: z.ZodObject) {
  const seen = new WeakMap<FastifyRequest, readonly string[]>();
  return {
    async note(request: FastifyRequest): Promise<void> {
      const { body } = request;
      if (typeof body !== 'object' || body === null) return;
      const unknown = Object.keys(body).filter((key) => !Object.hasOwn(schema.shape, key));
      if (unknown.length > 0) seen.set(request, unknown);
    },
    warningsFor(request: FastifyRequest): { readonly warnings?: string[] } {
      const unknown = seen.get(request)?.slice(0, MOST_NAMED);
      return unknown === undefined
        ? {}
        : { warnings: unknown.map((key) => `${key.slice(0, 100)}: there is no such field; it was not kept`) };
    },
  };
}

import type { FastifyRequest } from 'fastify';

/** In one answer: whoever sends thousands of them needs no list of all. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 100;

/**
 * A misspelled field is easily missed where unknown ones are accepted, as the interface wants it: the answer names them,
 * with where they stood.
 * @returns `note`, a hook that looks at a body before it is validated, and `warningsFor` what is no longer in it: nothing,
 * or `warnings`.
 */
export function unknownFields() {
  const sent = new WeakMap<FastifyRequest, unknown>();
  return {
    async note(request: FastifyRequest): Promise<void> {
      sent.set(request, request.body);
    },
    warningsFor(request: FastifyRequest): { readonly warnings?: string[] } {
      const dropped = droppedPaths(sent.get(request), request.body, '').take(MAX_NAMED).toArray();
      return dropped.length === 0
        ? {}
        : { warnings: dropped.map((path) => `${path}: there is no such field; it was not kept`) };
    },
  };
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

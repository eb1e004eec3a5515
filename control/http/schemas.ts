import { z } from 'zod';
import { USE_KINDS } from '../errors/http-error.ts';
import { withoutQuotes } from '../../runtime/without-quotes.ts';
import { LANGUAGE_PATTERN, parseLanguageCode } from '../../actors/settings/languages.ts';

/** Parts that the schemas of several resources share. */

export const errorBody = z
  .object({
    error: z.string().describe('Short text that does not change; compare this.'),
    message: z.string().describe('Sentence for people.'),
    details: z
      .array(z.object({ path: z.string(), message: z.string(), code: z.string() }))
      .optional()
      .describe('Which fields are wrong; only with "Validation error".'),
    summary: z.string().optional(),
    usedBy: z
      .array(z.object({ kind: z.enum(USE_KINDS), id: z.string(), name: z.string() }))
      .optional()
      .describe('What uses it; only with "In use".'),
  })
  .meta({ id: 'Error' });

/** Error answers of a route for the OpenAPI document; those that every route can give are added to the ones named. */
export function errorAnswers<S extends 400 | 402 | 404 | 409 | 413 | 422 | 426 | 429 | 502 | 503>(...statuses: S[]) {
  const all = [...statuses, 401, 403, 500] as const;
  return Object.fromEntries(all.map((status) => [status, errorBody])) as Record<S | 401 | 403 | 500, typeof errorBody>;
}

/** What becomes of a resource that is to be deleted while something uses it. */
const whenUsed = z.enum(['refuse', 'delete']);

/** Query of a deletion. @param byDefault what happens if nothing is said. */
export const deletionQuery = (byDefault: z.infer<typeof whenUsed>) =>
  z.object({
    whenUsed: whenUsed
      .default(byDefault)
      .describe(
        'What happens while something uses it. `refuse`: 409 names what; `delete`: it is deleted all the same.',
      ),
  });
/** The same for what a persona has exactly one of. */
export const replacingQuery = (byDefault: z.infer<typeof whenUsed>) =>
  deletionQuery(byDefault).extend({
    replaceWith: z.string().max(128).optional().describe('Id of another one, which those that use it get instead.'),
  });

/** 204: no body. */
export const emptyAnswer = z.null().describe('No content.');
export const message = z.object({ message: z.string() });
/** Of other texts it is not told whether something has them. */
export const idPath = z.object({ id: z.string().meta({ format: 'uuid' }) });
export const timestamp = z.string().describe('ISO 8601, UTC.');

/** UUID of any version: ids of other deployments are accepted and simply not found. */
export const uuid = z.guid();

/**
 * A media type as RFC 9110 defines it, with its parameters. The client's value is sent again as a header of downloads,
 * and a header with a line break cannot be sent.
 */
const MEDIA_TYPE = /^[\w!#$&^+.-]+\/[\w!#$&^+.-]+(?:[ \t]*;[ \t]*[\w!#$&^+.-]+=(?:[\w!#$&^+.-]+|"[\w !#-[\]-~]*"))*$/;
export const mediaType = z.string().max(200).regex(MEDIA_TYPE, 'must be a media type like "text/plain"');

/** A key as people paste it: with blanks or quotation marks around it, or behind the word that a header has before it. */
export const pastedKey = () =>
  z
    .string()
    .overwrite((text) => withoutQuotes(text).replace(/^(?:authorization:\s*)?bearer\s+/i, ''))
    .min(1)
    .max(8192);

export const jsonObject = z.record(z.string(), z.unknown());

/** For a row with a stored secret that cannot be decrypted. */
export const unreadableMark = z
  .literal(true)
  .optional()
  .describe(
    'What is stored encrypted cannot be opened, because the master key has changed. Save it again; until then its use is refused.',
  );

/** A stored language: a base code, or `inherit` for "whatever the organization or the recognizer says". */
export const languageOrInherit = z
  .string()
  .max(35)
  .meta({ pattern: `^(?:inherit|${LANGUAGE_PATTERN})$` })
  .transform((code, context) => {
    if (code === 'inherit') return code;
    const base = parseLanguageCode(code);
    if (base !== null) return base;
    context.addIssue({ code: 'custom', message: 'Unknown language code' });
    return z.NEVER;
  });

/** Largest JSON Schema of an inline tool, largest metadata object: bytes of UTF-8. */
export const JSON_LIMIT_BYTES = 10_000;

export function jsonWithin(limitBytes: number) {
  return jsonObject.refine((value) => Buffer.byteLength(JSON.stringify(value)) <= limitBytes, {
    message: `must be at most ${limitBytes} bytes of JSON`,
    abort: true,
  });
}

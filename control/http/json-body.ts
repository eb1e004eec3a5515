import type { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { parseBoundedJson, JsonLimitError } from '../../actors/bounded-json.ts';
import { detail, HttpError, invalid } from '../errors/http-error.ts';

/** Largest JSON body, in bytes. */
export const JSON_BODY_LIMIT = 1_048_576;

/**
 * Reads JSON bodies, and refuses others. An empty one counts as absent, because clients send the content type on requests without a body.
 * U+0000 is refused: databases and models cannot take it.
 */
export function acceptJson(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { url } = request;
    const at = url.indexOf('%00');
    if (at === -1) return done();
    const query = url.indexOf('?');
    if (query === -1 || at < query) throw new HttpError('notFound');
    throw new HttpError('validation', { message: 'The query contains U+0000.', details: [] });
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'text/json'],
    { parseAs: 'string', bodyLimit: JSON_BODY_LIMIT },
    (_request, text, done) => {
      try {
        done(null, parseJson(text as string));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.addContentTypeParser('*', refuseUnlessEmpty);
}

/**
 * A client may name a content type though it sends nothing: Python's aiohttp calls every empty body
 * `application/octet-stream`.
 */
function refuseUnlessEmpty(request: FastifyRequest, body: Readable, done: (error: Error | null) => void): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  const decide = (empty: boolean): void =>
    done(empty || request.is404 ? null : new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  if (encoding === undefined) decide(length === undefined || Number(length) === 0);
  else body.once('readable', () => decide(body.read() === null));
}

/** @throws HttpError 400 when it is not JSON, is nested too deeply or has too many values. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    const value = parseBoundedJson(text, text.includes('__proto__') ? withoutPrototypes : undefined);
    if (text.includes('\\u0000') && containsNull(value)) throw new Error('contains U+0000');
    return value;
  } catch (error) {
    if (error instanceof JsonLimitError) throw invalid([detail(error.path, error.message)]);
    throw new HttpError('invalidBody', {
      message: `The request body is not valid JSON: ${(error as Error).message.slice(0, 200)}`,
    });
  }
}

function withoutPrototypes(this: unknown, key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

function containsNull(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (Array.isArray(value)) return value.some(containsNull);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([key, inner]) => key.includes('\0') || containsNull(inner));
  return false;
}

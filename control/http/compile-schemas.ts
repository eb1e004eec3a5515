import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { HttpError, invalid } from '../errors/http-error.ts';
import { detailsOf } from './validation-details.ts';

/**
 * Makes zod schemas check requests. Answers are typed at compile time and written unchecked. With `checkAnswers` they
 * are also checked against their schemas, so that tests find what the types cannot.
 */
export function compileSchemas(app: FastifyInstance, checkAnswers: boolean): void {
  app.setValidatorCompiler(({ schema, httpPart }) => (data) => {
    // For schemas of bodies that may be absent.
    const result = (schema as z.ZodType).safeParse(data === null && httpPart === 'body' ? undefined : data);
    if (result.success) return { value: result.data };
    if (httpPart === 'body' && !isObject(data))
      return { error: new HttpError('invalidBody', { message: bodyText(data) }) };
    return { error: invalid(detailsOf(result.error, data)) };
  });
  app.setSerializerCompiler(({ schema, method, url }) => {
    if (!checkAnswers) return (data) => JSON.stringify(data);
    return (data) => {
      const result = (schema as z.ZodType).safeParse(data);
      if (!result.success) throw new Error(`${method} ${url} answered outside its schema: ${result.error.message}`);
      return JSON.stringify(data);
    };
  });
}

function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function bodyText(body: unknown): string {
  return body === undefined || body === null
    ? 'The request has no body; a JSON object is expected.'
    : 'The request body is JSON, but not an object.';
}

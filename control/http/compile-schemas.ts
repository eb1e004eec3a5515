import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { invalid } from '../errors.ts';
import { detailsOf } from './validation-details.ts';

/**
 * Makes zod schemas check requests. Answers are typed at compile time and written unchecked. With `checkAnswers` they
 * are also checked against their schemas, so that tests find what the types cannot.
 */
export function compileSchemas(app: FastifyInstance, checkAnswers: boolean): void {
  app.setValidatorCompiler(({ schema, httpPart }) => (data) => {
    // An absent body is reported as absent, not as the wrong type.
    const result = (schema as z.ZodType).safeParse(data === null && httpPart === 'body' ? undefined : data);
    return result.success ? { value: result.data } : { error: invalid(detailsOf(result.error)) };
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

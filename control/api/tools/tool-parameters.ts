import { schemaProblem } from '../../../actors/tools/schema/schema-problem.ts';
import { jsonWithin } from '../../http/schemas.ts';

/**
 * The JSON Schema of a tool's arguments. It is checked on input. Otherwise the mistake would show only when an LLM
 * calls the tool: the LLM's provider refuses the whole request, or the arguments are never what the tool expects.
 */
export function toolParameters(limitBytes: number) {
  return jsonWithin(limitBytes).superRefine((schema, context) => {
    const problem = schemaProblem(schema);
    if (problem !== null)
      context.addIssue({
        code: 'custom',
        path: problem.path === '' ? [] : problem.path.split('.'),
        message: problem.message,
      });
  });
}

import { z } from 'zod';
import { jsonObject, timestamp, uuid } from '../../http/schemas.ts';

export const gradeResponse = z
  .object({
    sessionId: uuid,
    grade: z
      .enum(['pending', 'passed', 'failed', 'unclear', 'done', 'error'])
      .describe('As in the session. While `pending`, the rest is that of the last time.'),
    summary: z.string().nullable(),
    criteria: z.array(
      z.object({
        name: z.string(),
        passed: z.boolean().nullable().describe('Null: the conversation does not show it.'),
        why: z.string().nullable().describe('Null: the content of the session was deleted.'),
      }),
    ),
    fields: jsonObject.nullable().describe('Only what the conversation says of the fields asked for.'),
    problem: z.string().nullable().describe('Why the last attempt failed.'),
    attempts: z.number().int(),
    nextAttemptAt: timestamp.nullable(),
    gradedAt: timestamp.nullable(),
  })
  .meta({ id: 'SessionGrade' });
export type GradeResponse = z.infer<typeof gradeResponse>;

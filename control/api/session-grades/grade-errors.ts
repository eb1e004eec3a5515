import type { Refusals } from '../../errors/http-error.ts';

export const gradeErrors = {
  gradeNotFound: [404, 'Grade not found', 'Nobody has asked for a grade of this session.'],
  notOver: [409, 'Session is not over', 'A session is graded when it is over.'],
  nothingToGrade: [409, 'Nothing to grade', 'The persona asks for no summary, no criteria and no fields.'],
} as const satisfies Refusals;

import type { Resource } from '../../http/resource.ts';
import { sessions } from '../sessions/resource.ts';
import { gradeErrors } from './grade-errors.ts';
import { gradeExamples } from './grade-examples.ts';
import { gradeRoutes, type GradeRoutesParts } from './grade-routes.ts';
import { type GraderParts, openGrader } from './grader.ts';

export const sessionGrades: Resource<GradeRoutesParts & GraderParts> = {
  tag: 'Grades of sessions',
  description: 'What the LLM of a persona says of a conversation when it is over: a summary, success, and fields.',
  // Who may read a transcript may read what was made of it.
  scopes: sessions.scopes,
  errors: gradeErrors,
  examples: gradeExamples,
  routes(app, control) {
    const grader = openGrader(control);
    app.addHook('onClose', () => grader.close());
    gradeRoutes(app, control, () => grader.wake());
  },
};

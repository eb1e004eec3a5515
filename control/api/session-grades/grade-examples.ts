import { sessionErrors } from '../../errors/session-errors.ts';
import type { Examples } from '../../http/resource.ts';
import { gradeErrors } from './grade-errors.ts';
import type { GradeResponse } from './grade-schema.ts';

const grade: GradeResponse = {
  sessionId: '55570235-b6dc-408d-a813-fca590687906',
  grade: 'passed',
  summary: 'The guest asked for a room for Friday night and took the last one.',
  criteria: [{ name: 'Booked', passed: true, why: 'The guest confirmed the room for Friday.' }],
  fields: { guests: 2, nights: 1 },
  problem: null,
  attempts: 1,
  nextAttemptAt: null,
  gradedAt: '2026-11-21T00:58:12.113Z',
};

export const gradeExamples: Examples = {
  'GET /v1/sessions/{id}/grade': {
    answer: grade,
    refusals: [gradeErrors.gradeNotFound],
  },
  'POST /v1/sessions/{id}/grade': {
    answer: { ...grade, grade: 'pending', attempts: 0, nextAttemptAt: '2026-11-21T00:59:00.000Z' },
    refusals: [sessionErrors.transcriptNotFound, gradeErrors.nothingToGrade],
  },
};

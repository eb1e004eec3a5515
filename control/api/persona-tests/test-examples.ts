import { metaOf } from '../../http/paging.ts';
import type { Examples } from '../../http/resource.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import { personaTestErrors } from './test-errors.ts';
import type { TestResponse, TestResult } from './test-schema.ts';

const test: TestResponse = {
  id: '2f0d2c0e-57c4-4a41-8f0e-1a53b2ed3f10',
  personaId: '85dc37f8-b9d5-4e0c-b988-a1c1fe64068c',
  name: 'Tells the opening hours',
  user: { kind: 'lines', lines: ['When do you open?'] },
  mocks: [],
  checks: [{ kind: 'said', anyOf: ['nine', '9'] }],
  repeat: 1,
  passRate: 1,
  createdAt: '2026-11-21T00:55:09.774Z',
  updatedAt: '2026-11-21T00:55:09.774Z',
};

const result: TestResult = {
  testId: test.id,
  name: test.name,
  passed: true,
  attempts: [
    {
      passed: true,
      problem: null,
      checks: [{ kind: 'said', what: 'The persona says “nine” or “9”', passed: true, why: 'It said “nine”.' }],
      messages: [
        { role: 'user', text: 'When do you open?' },
        { role: 'persona', text: 'We open at nine.' },
      ],
      toolCalls: [],
      endReason: 'client_disconnected',
      durationSeconds: 3.4,
    },
  ],
};

const run = {
  id: '0a6c9d1e-7f7b-4f0b-9f3e-5e1b7a2c4d10',
  version: 'draft' as const,
  status: 'passed' as const,
  total: 1,
  passed: 1,
  failed: 0,
  createdAt: '2026-11-21T00:55:09.774Z',
  updatedAt: '2026-11-21T00:55:10.102Z',
};

export const personaTestExamples: Examples = {
  'GET /v1/personas/{id}/tests': { answer: { data: [test] } },
  'POST /v1/personas/{id}/tests': { answer: test, refusals: [personaTestErrors.tooManyTests] },
  'POST /v1/personas/{id}/tests/from-session': {
    answer: test,
    refusals: [personaTestErrors.noTranscript, sessionErrors.sessionNotFound],
  },
  'GET /v1/personas/{id}/tests/{testId}': { answer: test, refusals: [personaTestErrors.testNotFound] },
  'PUT /v1/personas/{id}/tests/{testId}': { answer: test, refusals: [personaTestErrors.testNotFound] },
  'DELETE /v1/personas/{id}/tests/{testId}': { refusals: [personaTestErrors.testNotFound] },
  'POST /v1/personas/{id}/test-runs': {
    answer: { ...run, status: 'queued', passed: 0 },
    refusals: [personaTestErrors.nothingToTest],
  },
  'GET /v1/personas/{id}/test-runs': { answer: { data: [run], meta: metaOf({ page: 1, perPage: 10 }, 1) } },
  'GET /v1/personas/{id}/test-runs/{runId}': {
    answer: { ...run, results: [result] },
    refusals: [personaTestErrors.runNotFound],
  },
  'POST /v1/personas/{id}/test-runs/{runId}/cancel': {
    answer: { ...run, status: 'cancelled', passed: 0 },
    refusals: [personaTestErrors.runNotFound, personaTestErrors.runIsOver],
  },
  'GET /v1/personas/{id}/test-runs/{runId}/junit': {
    answer: { xml: '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites tests="1" failures="0">…</testsuites>' },
    refusals: [personaTestErrors.runNotFound],
  },
};

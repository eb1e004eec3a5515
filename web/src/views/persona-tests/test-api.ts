import type { z } from 'zod';
import { request } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import type {
  createTest,
  runResponse,
  runSummary,
  TestCheck,
  TestResponse,
  TestResult,
} from '../../../../control/api/persona-tests/test-schema.ts';

export type PersonaTest = TestResponse;
export type TestInput = z.input<typeof createTest>;
export type RunSummary = z.infer<typeof runSummary>;
export type TestRun = z.infer<typeof runResponse>;
export type { TestCheck, TestResult };

export const listTests = async (id: string) =>
  (await request<{ data: readonly PersonaTest[] }>('GET', `/v1/personas/${id}/tests`)).data;
export const createTestOf = (id: string, test: TestInput) =>
  request<PersonaTest>('POST', `/v1/personas/${id}/tests`, test);
export const updateTest = (id: string, testId: string, test: TestInput) =>
  request<PersonaTest>('PUT', `/v1/personas/${id}/tests/${testId}`, test);
export const deleteTest = (id: string, testId: string) =>
  request<unknown>('DELETE', `/v1/personas/${id}/tests/${testId}`);
export const testFromSession = (id: string, sessionId: string) =>
  request<PersonaTest>('POST', `/v1/personas/${id}/tests/from-session`, { sessionId });
export const listRuns = (id: string) => request<Page<RunSummary>>('GET', `/v1/personas/${id}/test-runs?perPage=10`);
export const startRunOf = (id: string, version: RunSummary['version'], testIds?: readonly string[]) =>
  request<RunSummary>('POST', `/v1/personas/${id}/test-runs`, { version, ...(testIds && { testIds }) });
export const getRun = (id: string, runId: string) => request<TestRun>('GET', `/v1/personas/${id}/test-runs/${runId}`);
export const cancelRun = (id: string, runId: string) =>
  request<RunSummary>('POST', `/v1/personas/${id}/test-runs/${runId}/cancel`);
export const getJunit = (id: string, runId: string) =>
  request<{ xml: string }>('GET', `/v1/personas/${id}/test-runs/${runId}/junit`);

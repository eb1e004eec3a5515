import { ApiError, request } from '../../api/client.ts';
import type { GradeResponse } from '../../../../control/api/session-grades/grade-schema.ts';

export type SessionGrade = GradeResponse;

/** @returns null: nobody has asked for one. */
export async function getGrade(sessionId: string): Promise<SessionGrade | null> {
  try {
    return await request<SessionGrade>('GET', `/v1/sessions/${sessionId}/grade`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

export const gradeAgain = (sessionId: string) => request<SessionGrade>('POST', `/v1/sessions/${sessionId}/grade`);

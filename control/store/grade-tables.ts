/** Rows of what becomes of a conversation when it is over: see `tables.ts`. */

/** `done`: nothing but a summary or fields were asked for. `error`: the LLM gave no usable answer. */
export type SessionGrade = 'pending' | 'passed' | 'failed' | 'unclear' | 'done' | 'error';

export interface SessionGradeRow {
  session_id: string;
  attempts: number;
  /** Null: nothing is to be done any more. */
  due_at: string | null;
  /** Why the last attempt failed. */
  problem: string | null;
  /** Verdicts by name, without reasons. */
  verdicts_json: string | null;
  /** What the LLM wrote: it is content of the conversation. */
  content_json: string | null;
  graded_at: string | null;
  created_at: string;
}

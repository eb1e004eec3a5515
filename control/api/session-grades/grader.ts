import type { Timers } from '../../../runtime/clock.ts';
import type { Logger } from '../../../runtime/log.ts';
import type { UsageRecord } from '../../../actors/report.ts';
import { type LanguageModel, type MeteredUse, ProviderError } from '../../../models/ports.ts';
import type { Vault } from '../../access/vault.ts';
import { isOfClient, type References } from '../../catalogue/references.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { JobQueues, Outcome } from '../../jobs/job-queue.ts';
import type { ControlPorts } from '../../ports.ts';
import { addSessionUsage } from '../../sessions/records/session-usage.ts';
import { modelOf } from '../../sessions/start/session-head.ts';
import type { Store } from '../../store/open.ts';
import type { SessionGradeRow, SessionRow } from '../../store/tables.ts';
import { customLlm } from '../llms/llm-rows.ts';
import type { Grading } from '../personas/grading-schema.ts';
import { requestGrade, NoGradeError } from './request-grade.ts';
import { GradeRows } from './grade-rows.ts';

/** How often due grades are looked for, ms: one query over an index. */
const LOOK_EVERY_MS = 2_000;
/** Conversations that one process has graded at a time: an LLM answers those that are live, too. */
const AT_A_TIME = 2;
/** Longest time for both requests, ms. Less than an attempt is left to its process. */
const MAX_MS = 180_000;
/** Attempts in all. The pauses between them grow fourfold from this one, ms: half a minute, two, eight. */
const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 30_000;

export interface GraderParts {
  readonly store: Store;
  readonly vault: Vault;
  readonly references: References;
  readonly ports: Pick<ControlPorts, 'llms'>;
  readonly jobs: JobQueues;
  readonly timers: Timers;
  /** Ms since the epoch. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export interface Grader {
  /** Looks now for what is due. */
  wake(): Promise<void>;
  /** Takes no further session; what runs is given back. */
  close(): Promise<void>;
}

/** Has sessions graded that are over, by the LLM of their persona, in the background. Rows of the database say which. */
export function openGrader(parts: GraderParts): Grader {
  const { timers, now, log } = parts;
  const jobs = parts.jobs.ofService;
  const rows = new GradeRows(parts.store);
  const closing = new AbortController();
  let timer: unknown = null;

  async function work(sessionId: string): Promise<Outcome> {
    const row = closing.signal.aborted ? null : await rows.begin(sessionId, now());
    if (row === null) return;
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(MAX_MS)]);
    try {
      await attempt(parts, rows, row, signal);
    } catch (error) {
      if (closing.signal.aborted) return rows.giveBack(row, now());
      const isLast = row.attempts >= MAX_ATTEMPTS || (error instanceof NoGradeError && error.isFinal);
      const again = isLast ? null : now() + retryDelayAfter(row.attempts, error);
      await rows.fail(row, problemOf(error), again);
      log.warn({ sessionId, attempts: row.attempts, code: codeOf(error) }, 'a session could not be graded');
    }
  }

  async function look(): Promise<void> {
    for (const id of await rows.due(now())) await jobs.add('grading', id);
  }

  async function lookAgain(): Promise<void> {
    await look().catch((error: unknown) =>
      log.warn({ err: error }, 'grades could not be looked for; it is tried again'),
    );
    if (!closing.signal.aborted) timer = timers.setTimeout(() => void lookAgain(), LOOK_EVERY_MS);
  }

  jobs.process('grading', AT_A_TIME, work);
  void lookAgain();
  return {
    wake: look,
    async close() {
      closing.abort(new Error('The service is stopping.'));
      timers.clearTimeout(timer);
      await jobs.idle('grading');
    },
  };
}

/** @throws NoGradeError, ProviderError. */
async function attempt(parts: GraderParts, rows: GradeRows, row: SessionGradeRow, signal: AbortSignal): Promise<void> {
  const session = await rows.session(row.session_id);
  // Its content was deleted meanwhile, and its grade with it.
  if (session === undefined || session.is_erased === 1 || session.grading_json === null) return;
  const llm = await llmOf(parts, session);
  const grading = JSON.parse(session.grading_json) as Grading;
  const said = await rows.said(session.id);
  const used: UsageRecord[] = [];
  const metered = (use: MeteredUse): void => void used.push({ service: 'llm', ...use });
  const grade = await requestGrade(llm, grading, said, { sessionId: session.id, signal, metered }).finally(
    // An answer that was of no use is paid as well.
    () => addSessionUsage(parts.store, session.id, used),
  );
  await rows.note(row, grade, parts.now());
}

/** The LLM that the session had. @throws NoGradeError when it can be asked no more. */
async function llmOf({ references, ports, vault }: GraderParts, session: SessionRow): Promise<LanguageModel> {
  const { llmConfig } = JSON.parse(session.snapshot_json) as { readonly llmConfig: { readonly id: string } | null };
  const llm = llmConfig === null ? null : await references.llm(session.organization_id, llmConfig.id);
  if (llmConfig !== null && llm === null) throw new NoGradeError('The LLM of the persona was deleted.', true);
  if (llm === null || isOfClient(llm) || llm.kind === 'client')
    throw new NoGradeError('The LLM of the persona is in its client, which nobody can ask now.', true);
  try {
    if (llm.kind === 'stock') return modelOf(ports.llms, { kind: 'stock', id: llm.stock.id })!;
    const use = { region: session.region, isZdr: llm.row.is_zdr === 1 };
    return modelOf(ports.llms, { kind: 'custom', definition: customLlm(vault, llm.row), use })!;
  } catch (error) {
    throw new NoGradeError(
      error instanceof HttpError ? error.message : 'The LLM of the persona cannot be used now.',
      true,
    );
  }
}

/** @param attempts 1 or more. @returns ms. A server that says how long it wants to rest is left alone so long. */
function retryDelayAfter(attempts: number, error: unknown): number {
  const wanted = error instanceof ProviderError ? error.retryAfterMs : 0;
  return Math.max(FIRST_PAUSE_MS * 4 ** (attempts - 1), wanted);
}

/** It is shown beside the session, and says nothing of the conversation. */
function problemOf(error: unknown): string {
  if (error instanceof NoGradeError) return error.message;
  if (error instanceof ProviderError) return `The LLM failed: ${error.message}`;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The LLM took too long.';
  return 'The grade could not be made.';
}

function codeOf(error: unknown): string {
  if (error instanceof ProviderError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../../../runtime/log.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { Store } from '../../store/open.ts';
import type { PersonaTestRunRow } from '../../store/tables.ts';
import { type RunnableTest, runTest, type TestedPersona } from './run-test.ts';
import type { TestResult } from './test-schema.ts';

/** Tests of a run that wait for an LLM side by side. */
const AT_A_TIME = 4;
/** Runs of a persona that are kept. */
export const KEPT_RUNS = 50;

export interface TestRunsParts {
  readonly store: Store;
  readonly log: Logger;
  readonly now: () => number;
}

/** Runs tests in the background, one run after the other: calls that go on in this process come first. */
export class TestRuns {
  readonly #parts: TestRunsParts;
  readonly #over = new AbortController();
  /** By the ids of the runs of this process that are not over. */
  readonly #cancels = new Map<string, AbortController>();
  #last: Promise<void> = Promise.resolve();

  constructor(parts: TestRunsParts) {
    this.#parts = parts;
  }

  /** Begins when the runs before it are over. Never throws. */
  add(runId: string, persona: TestedPersona, tests: readonly RunnableTest[]): void {
    const cancel = new AbortController();
    this.#cancels.set(runId, cancel);
    this.#last = this.#last
      .then(() => this.#run(runId, persona, tests, cancel))
      .catch((error: unknown) => {
        if (this.#over.signal.aborted) return;
        this.#parts.log.warn({ err: error, runId }, 'a run of tests failed');
        return this.#note(runId, { status: 'failed' }, GOES_ON).then(noop, noop);
      })
      .finally(() => this.#cancels.delete(runId));
  }

  /**
   * Tests that have not begun do not, and those that run end. A run of another process ends when that notes how far it is.
   * @returns whether it was not over yet.
   */
  async cancel(runId: string): Promise<boolean> {
    const isCancelled = await this.#note(runId, { status: 'cancelled' }, GOES_ON);
    if (isCancelled) this.#cancels.get(runId)?.abort();
    return isCancelled;
  }

  /** Ends what runs, and waits until it has ended. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#last;
  }

  async #run(
    runId: string,
    persona: TestedPersona,
    tests: readonly RunnableTest[],
    cancel: AbortController,
  ): Promise<void> {
    const signal = AbortSignal.any([this.#over.signal, cancel.signal]);
    const results: (TestResult | null)[] = tests.map(() => null);
    if (!(await this.#note(runId, { status: 'running' }, ['queued']))) return;
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < tests.length; index = next++) {
        signal.throwIfAborted();
        results[index] = await runTest(persona, tests[index]!, signal);
        await nextTurn();
      }
    };
    const noting = this.#noteWhile(runId, results, cancel);
    const ended = await Promise.allSettled(Array.from({ length: Math.min(AT_A_TIME, tests.length) }, worker));
    await noting.end();
    this.#over.signal.throwIfAborted();
    if (cancel.signal.aborted) {
      await this.#note(runId, countsOf(results), ['cancelled']);
      return;
    }
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    const isPassed = results.every((result) => result?.passed === true);
    const status = isPassed ? 'passed' : 'failed';
    // Whoever cancels it in this very moment is told that it is cancelled: then it is.
    if (!(await this.#note(runId, { ...countsOf(results), status }, ['running'])))
      await this.#note(runId, countsOf(results), ['cancelled']);
  }

  /** Whoever looks sees how far it is. A run that is no longer noted as running was cancelled, or deleted. */
  #noteWhile(
    runId: string,
    results: readonly (TestResult | null)[],
    cancel: AbortController,
  ): { end(): Promise<void> } {
    let writing: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      writing = this.#note(runId, countsOf(results), ['running']).then((goesOn) => {
        if (!goesOn) cancel.abort();
      }, noop);
    }, NOTE_MS);
    return {
      end: async () => {
        clearInterval(timer);
        await writing;
      },
    };
  }

  /** @param from states of which it may be in one. @returns whether it was. */
  async #note(
    runId: string,
    columns: Partial<ReturnType<typeof countsOf> & { status: RunStatus }>,
    from: readonly RunStatus[],
  ): Promise<boolean> {
    const { store, now } = this.#parts;
    const { numUpdatedRows } = await store.db
      .updateTable('persona_test_runs')
      .set({ ...columns, updated_at: isoTime(now()) })
      .where('id', '=', runId)
      .where('status', 'in', from)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }
}

type RunStatus = PersonaTestRunRow['status'];
const GOES_ON: readonly RunStatus[] = ['queued', 'running'];
const NOTE_MS = 1000;
const noop = (): void => {};

function countsOf(results: readonly (TestResult | null)[]) {
  const known = results.filter((result) => result !== null);
  const passed = known.filter((result) => result.passed).length;
  return { passed, failed: known.length - passed, results_json: JSON.stringify(known) };
}

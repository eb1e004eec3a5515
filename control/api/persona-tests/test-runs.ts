import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../../../runtime/log.ts';
import { isoTime } from '../../../actors/kernel/iso-time.ts';
import type { Store } from '../../store/open.ts';
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
  #last: Promise<void> = Promise.resolve();

  constructor(parts: TestRunsParts) {
    this.#parts = parts;
  }

  /** Begins when the runs before it are over. Never throws. */
  add(runId: string, persona: TestedPersona, tests: readonly RunnableTest[]): void {
    this.#last = this.#last
      .then(() => this.#run(runId, persona, tests))
      .catch((error: unknown) => {
        if (this.#over.signal.aborted) return;
        this.#parts.log.warn({ err: error, runId }, 'a run of tests failed');
        return this.#note(runId, { status: 'failed' }).catch(() => {});
      });
  }

  /** Ends what runs, and waits until it has ended. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#last;
  }

  async #run(runId: string, persona: TestedPersona, tests: readonly RunnableTest[]): Promise<void> {
    const { signal } = this.#over;
    const results: (TestResult | null)[] = tests.map(() => null);
    await this.#note(runId, { status: 'running' });
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < tests.length; index = next++) {
        signal.throwIfAborted();
        results[index] = await runTest(persona, tests[index]!, signal);
        await nextTurn();
      }
    };
    const noting = this.#noteWhile(runId, results);
    try {
      await Promise.all(Array.from({ length: Math.min(AT_A_TIME, tests.length) }, worker));
    } finally {
      await noting.end();
    }
    const isPassed = results.every((result) => result?.passed === true);
    await this.#note(runId, { ...countsOf(results), status: isPassed ? 'passed' : 'failed' });
  }

  /** Whoever looks sees how far it is. */
  #noteWhile(runId: string, results: readonly (TestResult | null)[]): { end(): Promise<void> } {
    let writing: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      writing = this.#note(runId, countsOf(results)).catch(() => {});
    }, NOTE_MS);
    return {
      end: async () => {
        clearInterval(timer);
        await writing;
      },
    };
  }

  async #note(runId: string, columns: Partial<ReturnType<typeof countsOf> & { status: RunStatus }>): Promise<void> {
    const { store, now } = this.#parts;
    await store.db
      .updateTable('persona_test_runs')
      .set({ ...columns, updated_at: isoTime(now()) })
      .where('id', '=', runId)
      .execute();
  }
}

type RunStatus = 'running' | 'passed' | 'failed';
const NOTE_MS = 1000;

function countsOf(results: readonly (TestResult | null)[]) {
  const known = results.filter((result) => result !== null);
  const passed = known.filter((result) => result.passed).length;
  return { passed, failed: known.length - passed, results_json: JSON.stringify(known) };
}

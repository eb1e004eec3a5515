import { defineConfig } from 'vitest/config';
import { TEST_TIMEOUT_MS } from './engine/testing/test-timeout.ts';

/** A busy machine can starve one test of its time; a test that fails three times in a row has found something. */
const retry = process.env['CI'] === 'true' ? 2 : 0;

const POLL = { timeout: TEST_TIMEOUT_MS };

/** Several waits, of which only one may take all of its time. */
const TEST_MS = 3 * TEST_TIMEOUT_MS;
/** A conversation: tens of seconds of speech besides the waits. */
const CONVERSATION_MS = 5 * TEST_TIMEOUT_MS;

const ATTACKS = ['e2e/hostile/**/*.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    teardownTimeout: 10_000,
    projects: [
      {
        test: {
          name: 'parts',
          include: ['{models,actors,engine,control,scripts,bench,sdk}/**/*.test.ts', 'web/**/*.test.ts'],
          maxWorkers: 2,
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
          expect: { poll: POLL },
          retry,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          // The whole service and a real browser, one file at a time: two of them would compete for the same cores.
          name: 'whole',
          include: ['e2e/**/*.test.ts'],
          exclude: ATTACKS,
          globalSetup: ['e2e/support/shared-faces.ts'],
          setupFiles: ['e2e/support/explain-failure.ts'],
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: CONVERSATION_MS,
          hookTimeout: CONVERSATION_MS,
          expect: { poll: POLL },
          retry,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          // The whole service without a browser: most of the time is spent waiting.
          name: 'attacks',
          include: ATTACKS,
          globalSetup: ['e2e/support/shared-faces.ts'],
          setupFiles: ['e2e/support/explain-failure.ts'],
          maxWorkers: 2,
          testTimeout: CONVERSATION_MS,
          hookTimeout: CONVERSATION_MS,
          expect: { poll: POLL },
          retry,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

/** A busy machine can starve one test of its time; a test that fails three times in a row has found something. */
const retry = process.env['CI'] === 'true' ? 2 : 0;

/** Milliseconds: what a test waits for comes at once on a quiet machine and much later on a starved one. */
const POLL = { timeout: 20_000 };

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
          testTimeout: 60_000,
          hookTimeout: 60_000,
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
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: POLL },
          retry,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

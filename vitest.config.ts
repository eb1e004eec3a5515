import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{models,actors,engine,control,scripts,bench,e2e,sdk}/**/*.test.ts', 'web/**/*.test.ts'],
    // Files that start Chromium or a whole service take a core each; the machine that tests has two.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    pool: 'forks',
  },
});

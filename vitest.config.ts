import { defineConfig } from 'vitest/config';
import { LongestFirst } from './e2e/support/longest-first.ts';
import { TEST_TIMEOUT_MS } from './engine/testing/test-timeout.ts';
import { TimeByFile } from './scripts/testing/time-by-file.ts';

/**
 * What is slow by nature: outages that outlast somebody's patience, many calls on several machines, every one of many
 * alike. `npm run test:nightly` runs these tests. A shorter form of each is in every run. `it.skipIf(false)` says that
 * a test is not skipped, whatever its tag says: use `(condition ? it.skip : it)`.
 */
const NIGHTLY = {
  name: 'nightly',
  description: 'slow by nature; a shorter form of it is in every run',
  skip: process.env['PARLEY_TEST_NIGHTLY'] !== 'on',
  timeout: 20 * TEST_TIMEOUT_MS,
};

const POLL = { timeout: TEST_TIMEOUT_MS };

/** Several waits, of which only one may take all of its time. */
const TEST_MS = 3 * TEST_TIMEOUT_MS;
/** A conversation: tens of seconds of speech besides the waits. */
const CONVERSATION_MS = 5 * TEST_TIMEOUT_MS;

/** What each file took, for the table at the end. */
const NOTE_TIME = 'scripts/testing/record-file-time.ts';

/** The same random values in each ordinary run. */
const PROPERTY_SEED = 'scripts/testing/property-seed.ts';

/** Where the tests of parts stand: beside the code. */
const beside = (ending: string): string =>
  `{runtime,models,actors,engine,control,meetings,service,clients,deploy,scripts,bench,web}/**/*${ending}`;

/**
 * Loading the same modules anew for each file took as long as half of the tests: `isolate: false` where no file puts
 * another module in the place of one. Two files at a time waited for a third of their time.
 */
const parts = {
  setupFiles: [NOTE_TIME, PROPERTY_SEED],
  maxWorkers: 3,
  testTimeout: TEST_MS,
  hookTimeout: TEST_MS,
  expect: { poll: POLL },
};

/**
 * Node loads the modules itself, as it does for the service: Vite to load them took a third more processor time. It
 * still does where a module is replaced by another one, and where pages are: Node reads no JSX.
 */
const experimental = { viteModuleRunner: false, nodeLoader: false };
const OF_PAGES = '{clients/react,web}/**';

/** `@parley/react` imports the client by its name, as it is published. */
const resolve = { alias: { '@parley/client': new URL('clients/js/src/index.ts', import.meta.url).pathname } };

export default defineConfig({
  test: {
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    teardownTimeout: 10_000,
    tags: [NIGHTLY],
    reporters: ['default', new TimeByFile()],
    projects: [
      {
        // Parts, without another program: `npm run check` runs these before each commit.
        test: {
          ...parts,
          name: 'unit',
          include: [beside('.test.ts')],
          exclude: [
            beside('.long.test.ts'),
            beside('.mocked.test.ts'),
            beside('.alone.test.ts'),
            OF_PAGES,
            '**/node_modules/**',
          ],
          isolate: false,
          experimental,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve,
        test: {
          ...parts,
          name: 'pages',
          include: [`${OF_PAGES}/*.test.ts`, `${OF_PAGES}/*.test.tsx`],
          exclude: [beside('.long.test.ts'), beside('.mocked.test.ts'), '**/node_modules/**'],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Parts that are tried with another module in the place of one of their own: each file loads them anew.
        resolve,
        test: { ...parts, name: 'mocked', include: [beside('.mocked.test.ts')], sequence: { groupOrder: 0 } },
      },
      {
        // Parts that add something to a list before what reads it is loaded: each file in a process of its own.
        test: {
          ...parts,
          name: 'alone',
          include: [beside('.alone.test.ts')],
          experimental,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Parts, with real speech engines, databases, browsers and processes, or minutes of simulation.
        test: {
          ...parts,
          name: 'long',
          include: [beside('.long.test.ts')],
          globalSetup: ['control/testing/shared-postgres.ts'],
          isolate: false,
          experimental,
          // More than half of the time they wait for databases, processes and timers.
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The whole service, most of the time with a real browser. Files that want nothing special of it share one; all
        // share what a first start does once. As many files run side by side as the cores of the machine carry: most of
        // them wait in part.
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: [
            'e2e/support/first-start-setup.ts',
            'e2e/support/shared-service-setup.ts',
            'e2e/support/uplink-setup.ts',
            'scripts/testing/core-scheduler.ts',
          ],
          setupFiles: ['scripts/testing/acquire-cores.ts', NOTE_TIME, 'e2e/support/explain-failure.ts'],
          isolate: false,
          experimental,
          testTimeout: CONVERSATION_MS,
          hookTimeout: CONVERSATION_MS,
          expect: { poll: POLL },
          // Enough that some run while others wait for their cores.
          maxWorkers: 8,
          maxConcurrency: 3,
          sequence: { groupOrder: 2, setupFiles: 'list' },
        },
      },
    ],
  },
});

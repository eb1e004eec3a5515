import { defineConfig } from 'vitest/config';
import { LongestFirst } from './e2e/support/longest-first.ts';
import { TEST_TIMEOUT_MS } from './engine/testing/test-timeout.ts';
import { TimeByFile } from './scripts/testing/time-by-file.ts';

/** A busy machine can starve one test of its time; a test that fails three times in a row has found something. */
const retry = process.env['CI'] === 'true' ? 2 : 0;

/**
 * What is slow by nature: outages that outlast somebody's patience, many calls on several machines, every one of many alike.
 * `npm run test:nightly` runs these tests. A shorter form of each is in every run.
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
const NOTE_TIME = 'scripts/testing/note-time-of-file.ts';

const NETWORK = ['e2e/network/**/*.test.ts'];
const ATTACKS = ['e2e/hostile/**/*.test.ts'];
/**
 * A browser for each guest of a meeting, a recognizer that has to keep up with people, or five services at once: each of
 * them needs two cores.
 */
const ALONE = [
  'e2e/meetings/**/*.test.ts',
  'e2e/recorded-people.test.ts',
  'e2e/public-python-sdk.test.ts',
  'e2e/dead-providers.test.ts',
  'e2e/network/several-machines.test.ts',
];

/** Where the tests of parts stand: beside the code. */
const beside = (ending: string): string =>
  `{runtime,models,actors,engine,control,meetings,service,clients,deploy,scripts,bench,web}/**/*${ending}`;

/**
 * Loading the same modules anew for each file took as long as half of the tests: `isolate: false` where no file puts
 * another module in the place of one. Tests of parts share the machine: more than two files at a time starve each other
 * on the smallest one.
 */
const parts = {
  setupFiles: [NOTE_TIME],
  maxWorkers: 2,
  testTimeout: TEST_MS,
  hookTimeout: TEST_MS,
  expect: { poll: POLL },
  retry,
};

/** Tests of the whole service: each file starts its own, and shares only what a first start does once. */
const service = {
  globalSetup: ['e2e/support/first-start-once.ts'],
  setupFiles: [NOTE_TIME, 'e2e/support/explain-failure.ts'],
  isolate: false,
  testTimeout: CONVERSATION_MS,
  hookTimeout: CONVERSATION_MS,
  expect: { poll: POLL },
  retry,
};

/**
 * Tests of the whole service that need a fraction of a core. With four files of five tests at a time, two cores had a load
 * of 22: services did not start in time, and recognizers did not keep up.
 */
const waiting = { ...service, maxWorkers: 2, maxConcurrency: 3, sequence: { groupOrder: 3 } };

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
        resolve,
        // Parts, without another program: `npm run check` runs these before each commit.
        test: {
          ...parts,
          name: 'unit',
          include: [beside('.test.ts'), beside('.test.tsx')],
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
        // Parts, with real speech engines, databases, browsers and processes, or minutes of simulation.
        test: {
          ...parts,
          name: 'long',
          include: [beside('.long.test.ts')],
          globalSetup: ['control/testing/shared-postgres.ts'],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The whole service, most of the time with a real browser. A conversation takes a third of a core and has pauses.
        test: {
          ...service,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: [...NETWORK, ...ATTACKS, ...ALONE],
          maxWorkers: 3,
          maxConcurrency: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // The whole service and clients in networks of their own, which fail. Most of the time is spent waiting.
        test: { ...waiting, name: 'network', include: NETWORK, exclude: ALONE },
      },
      {
        // The whole service and those who mean it ill, or a machine that fails. Most of the time is spent waiting.
        test: { ...waiting, name: 'attacks', include: ATTACKS },
      },
      {
        // The whole service in tests that starve others, and that fail when they are starved.
        test: {
          ...service,
          name: 'alone',
          include: ALONE,
          maxWorkers: 1,
          // Hostile pages of meetings need little.
          maxConcurrency: 2,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});

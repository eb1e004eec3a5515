import type { Refusals } from '../../errors/http-error.ts';

/** What only tests of personas are refused for. */
export const personaTestErrors = {
  testNotFound: [404, 'Test not found', 'The persona has no test of this id.'],
  runNotFound: [404, 'Test run not found', 'The persona has no run of this id, or not any more.'],
  runIsOver: [409, 'Test run is over', 'The run has passed, failed or been cancelled already.'],
  tooManyTests: [409, 'Too many tests', 'The persona has as many tests as it can have.'],
  nothingToTest: [409, 'Nothing to test', 'The persona has no tests, or its answers come from the client.'],
  noTranscript: [409, 'No transcript', 'Nothing of this session was kept that could be said again.'],
} as const satisfies Refusals;

import { expect, it } from 'vitest';
import { openMeetingConnector } from './open-connector.ts';

/** It said that Chromium was not installed, and whoever had misspelled its path installed it once more. */
it('a path without Chromium is named', async () => {
  const opened = await openMeetingConnector({
    dataDir: 'unused',
    chromium: '/nowhere/chromium',
    servers: [],
    allowedPrivateHosts: [],
    memoryMb: 1024,
    warn: () => {},
  });
  expect(opened).toEqual({
    missing: 'There is no program at /nowhere/chromium: correct PARLEY_CHROMIUM, or leave it unset.',
  });
});

import { describe, expect, it } from 'vitest';
import { readSettings } from '../../control/index.ts';
import { FakeMeetings } from '../../control/testing/fake-meetings.ts';
import type { MeetingConnectorOptions } from '../../meetings/index.ts';
import { openMeetings } from './meetings.ts';

const MISSING = { missing: 'Chromium is not installed (Debian: the package chromium).' };
const quiet = { warn() {} };

describe('meetings of a service', () => {
  it('are there when Chromium is, with the settings of the operator', async () => {
    const connector = new FakeMeetings();
    const asked: MeetingConnectorOptions[] = [];
    const settings = readSettings({
      PARLEY_MEETING_SERVERS: 'jitsi=https://meet.example.org',
      PARLEY_MEETING_MEMORY_MB: '900',
      PARLEY_CHROMIUM: '/opt/chromium',
    });
    const opened = await openMeetings(settings, '/data', quiet, async (options) => {
      asked.push(options);
      return { connector };
    });
    expect(opened).toEqual({ meetings: connector, meetingsUnavailable: null });
    expect(asked[0]).toMatchObject({
      dataDir: '/data',
      chromium: '/opt/chromium',
      servers: [{ provider: 'jitsi', origin: 'https://meet.example.org' }],
      memoryMb: 900,
    });
  });

  it('are off without Chromium, and the reason names the package and the command', async () => {
    const { meetings, meetingsUnavailable } = await openMeetings(readSettings({}), '/data', quiet, async () => MISSING);
    expect(meetings).toBeNull();
    expect(meetingsUnavailable?.why).toContain('the package chromium');
    expect(meetingsUnavailable?.why).toContain('bash scripts/start.sh --meetings');
    expect(meetingsUnavailable?.recognizes('meet.google.com/abc-defg-hij')).toBe(true);
    expect(meetingsUnavailable?.recognizes('https://example.com/')).toBe(false);
  });

  it('that the operator wants stop the start without Chromium', async () => {
    const settings = readSettings({ PARLEY_MEETINGS: 'on' });
    await expect(openMeetings(settings, '/data', quiet, async () => MISSING)).rejects.toThrow('the package chromium');
  });

  it('that the operator does not want are off, without a look for Chromium', async () => {
    const settings = readSettings({ PARLEY_MEETINGS: 'off' });
    const opened = await openMeetings(settings, '/data', quiet, () => Promise.reject(new Error('looked')));
    expect(opened).toMatchObject({
      meetings: null,
      meetingsUnavailable: { why: expect.stringContaining('PARLEY_MEETINGS') },
    });
  });
});

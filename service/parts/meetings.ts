import type { ControlPorts, Settings } from '../../control/index.ts';
import { StartError, type Logger } from '../../engine/index.ts';
import { openMeetingConnector, recognizeMeeting } from '../../meetings/index.ts';

/** One of the two is null. */
export type Meetings = Pick<ControlPorts, 'meetings' | 'meetingsUnavailable'>;

const ADVICE = 'Start the service with what it needs: bash scripts/start.sh --meetings';

/**
 * Opens what takes personas into meetings. @throws StartError when the operator wants meetings and something is missing
 * for them.
 */
export async function openMeetings(
  settings: Settings,
  dataDir: string,
  log: Pick<Logger, 'warn'>,
  open: typeof openMeetingConnector = openMeetingConnector,
): Promise<Meetings> {
  const servers = settings.PARLEY_MEETING_SERVERS;
  const off = (why: string): Meetings => ({
    meetings: null,
    meetingsUnavailable: { why, recognizes: (link) => recognizeMeeting(link, servers) !== null },
  });
  if (settings.PARLEY_ROLE === 'control') return off('Processes with an engine join meetings.');
  if (settings.PARLEY_MEETINGS === 'off') return off('The operator has turned meetings off (PARLEY_MEETINGS).');
  const opened = await open({
    dataDir,
    chromium: settings.PARLEY_CHROMIUM,
    servers,
    allowedPrivateHosts: settings.PARLEY_ALLOWED_PRIVATE_HOSTS,
    memoryMb: settings.PARLEY_MEETING_MEMORY_MB,
    warn: (message) => log.warn(message),
  });
  if ('connector' in opened) return { meetings: opened.connector, meetingsUnavailable: null };
  if (settings.PARLEY_MEETINGS === 'on') throw new StartError(`PARLEY_MEETINGS is "on". ${opened.missing} ${ADVICE}`);
  return off(`${opened.missing} ${ADVICE}`);
}

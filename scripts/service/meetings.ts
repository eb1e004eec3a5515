import { resolve } from 'node:path';
import type { ControlPorts, Settings } from '../../control/index.ts';
import { StartError, type Logger } from '../../engine/index.ts';
import { openMeetingConnector } from '../../meetings/index.ts';

const SWITCHED_OFF = 'Meetings are switched off in this deployment (PARLEY_MEETINGS=off).';

/** @throws StartError when the operator wants meetings and something that they need is missing. */
export async function openMeetings(
  settings: Settings,
  log: Pick<Logger, 'warn'>,
): Promise<Pick<ControlPorts, 'meetings' | 'whyNoMeetings'>> {
  if (settings.PARLEY_MEETINGS === 'off') return { meetings: null, whyNoMeetings: SWITCHED_OFF };
  const opened = await openMeetingConnector({
    dataDir: resolve(settings.PARLEY_DATA_DIR),
    chromium: settings.PARLEY_CHROMIUM,
    servers: settings.PARLEY_MEETING_SERVERS,
    allowedPrivateHosts: settings.PARLEY_ALLOWED_PRIVATE_HOSTS,
    memoryMb: settings.PARLEY_MEETING_MEMORY_MB,
    warn: (message) => log.warn(message),
  });
  if ('connector' in opened) return { meetings: opened.connector, whyNoMeetings: null };
  if (settings.PARLEY_MEETINGS === 'on') throw new StartError(`PARLEY_MEETINGS=on: ${opened.missing}`);
  return { meetings: null, whyNoMeetings: opened.missing };
}

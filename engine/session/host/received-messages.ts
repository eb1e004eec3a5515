import type { SessionEvent } from '../../../actors/events.ts';
import type { SessionConfig } from '../../../actors/session-config.ts';
import type { Logger } from '../../../runtime/log.ts';
import { parseClientMessage } from '../../signaling/index.ts';
import type { FloodControl } from './flood-control.ts';
import { createIgnoredMessages } from './ignored-messages.ts';

/** Takes what comes on the data channel: it becomes an event, or the client is told why it was ignored. */
export function createReceivedMessages(parts: {
  readonly config: Pick<SessionConfig, 'sessionId' | 'meeting'>;
  readonly flood: Pick<FloodControl, 'admits'>;
  readonly dispatch: (event: SessionEvent) => void;
  readonly warn: (code: string, text: string) => void;
  readonly log: Logger;
}): (text: string) => void {
  const { config, flood, dispatch, warn, log } = parts;
  const { sessionId } = config;
  const ignored = createIgnoredMessages({
    warn: (text) => warn('message_ignored', text),
    log: (problem) => log.info({ sessionId, problem }, 'a client message was ignored'),
  });
  return (text) => {
    const bytes = Buffer.byteLength(text);
    if (!flood.admits('data channel', bytes)) return;
    const parsed = parseClientMessage(text, { sessionId, inMeeting: config.meeting !== null });
    if (parsed.kind === 'event') {
      if (flood.admits(parsed.messageType, bytes)) dispatch(parsed.event);
    } else if (parsed.problem !== null) ignored(parsed.problem);
  };
}

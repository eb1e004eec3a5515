import type { SessionEvent } from '../../../actors/events.ts';
import type { AudioInEvent, MediaHandlers } from '../../ports.ts';

type Dispatch = (event: SessionEvent) => void;

/** What the connection reports, as events. @param startedAt engine time; events have the session's time. */
export function connectionEvents(
  dispatch: Dispatch,
  startedAt: number,
): Pick<MediaHandlers, 'unresponsive' | 'responsive' | 'quiet' | 'flowing' | 'path' | 'closed' | 'channelOpened'> {
  const upTo = (arrivedUpTo: number | null) => arrivedUpTo !== null && { arrivedUpTo: arrivedUpTo - startedAt };
  return {
    unresponsive: (arrivedUpTo) => dispatch({ type: 'peer.unresponsive', ...upTo(arrivedUpTo) }),
    responsive: () => dispatch({ type: 'peer.responsive' }),
    quiet: (arrivedUpTo) => dispatch({ type: 'peer.quiet', ...upTo(arrivedUpTo) }),
    flowing: (quietMs) => dispatch({ type: 'peer.flowing', quietMs }),
    path: (protocol) => dispatch({ type: 'peer.path', protocol }),
    closed: () => dispatch({ type: 'peer.closed' }),
    channelOpened: () => dispatch({ type: 'channel.opened' }),
  };
}

/** What audio-in reports, on the session's clock. @param startedAt engine time */
export function onSessionClock(event: AudioInEvent, startedAt: number): SessionEvent {
  return event.type === 'vad.window' ? { ...event, endsAt: event.endsAt - startedAt } : event;
}

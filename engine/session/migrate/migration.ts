import { systemTimers } from '../../../runtime/clock.ts';
import type { SessionSink } from '../../ports.ts';
import type { SessionMedia } from '../host/session-media.ts';
import type { SessionSignaling } from '../host/session-signaling.ts';
import type { JournalWriter } from '../journal/journal-writer.ts';
import { redirectClient } from './redirect-client.ts';

/** How a session leaves this process. */
export interface Migration {
  /**
   * Sends the client away, and leaves the session with all that has happened. Null: it has no journal.
   * @param gone called when nothing of the session is here any more, before its journal is left.
   */
  readonly handOver: ((gone: () => void) => Promise<void>) | null;
  /** What a client that comes back waits for, because it was sent away. Null: it is welcome here. */
  leave(): (() => Promise<void>) | null;
  /** Another process has taken the session over. */
  takenOver(): void;
}

/** @param parts.stop ends all that happens in the session. It returns false when that was so before. */
export function migration(parts: {
  readonly sessionId: string;
  readonly journal: JournalWriter | null;
  readonly signaling: SessionSignaling;
  readonly media: SessionMedia;
  readonly sink: Pick<SessionSink, 'left'>;
  readonly stop: () => boolean;
}): Migration {
  const { sessionId, journal, signaling, media, sink, stop } = parts;
  /** Since the client was told to come back elsewhere. */
  let departure: (() => Promise<void>) | null = null;
  return {
    handOver:
      journal &&
      (async (gone) => {
        const [returned, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const told = (): void => {
          signaling.sentAway(returned.resolve);
          departure = () => {
            returned.resolve();
            return left.promise;
          };
        };
        await redirectClient(media.connection, systemTimers, { told, returned: returned.promise });
        try {
          if (!stop()) return;
          gone();
          signaling.fallSilent();
          await Promise.all([journal.leave(), sink.left(sessionId)]);
          // Not earlier: clients come back at once, and would not find who has the session.
          signaling.leave();
          media.close();
        } finally {
          left.resolve();
        }
      }),
    leave: () => departure,
    takenOver() {
      if (!stop()) return;
      media.connection.revokeConsent({ refused() {}, reached() {} });
      journal?.drop();
      signaling.leave();
      media.close();
      void sink.left(sessionId);
    },
  };
}

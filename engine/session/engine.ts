import type { Engine, Face, AudioIn, SessionSink, Transport, AudioOut } from '../ports.ts';
import { CapacityError } from '../ports.ts';
import type { Capacity } from '../capacity/index.ts';
import { SessionPastError, type SessionJournals } from '../journal.ts';
import type { Logger } from '../log.ts';
import type { Recording } from '../recording/index.ts';
import type { Fetch } from '../net/index.ts';
import { createSignaling, type SessionLookup } from '../signaling/index.ts';
import { EndedSessions } from './ended-sessions.ts';
import { startSessionHost, type SessionHost } from './session-host.ts';

export interface EngineParts {
  readonly transport: Transport;
  readonly audioIn: AudioIn;
  readonly audioOut: AudioOut;
  readonly face: Face;
  readonly recording: Recording;
  readonly fetch: Fetch;
  readonly endOfTurnModelAvailable: boolean;
  /** Whether webhooks are told the trace of their turn. @defaultValue false */
  readonly traces?: boolean;
  readonly sink: SessionSink;
  /** Keeps what sessions need to go on in another process. @defaultValue nobody does */
  readonly journals?: SessionJournals | null;
  readonly log: Logger;
  /** Whether one more session may start beside so many. */
  readonly capacity: Pick<Capacity, 'state'>;
}

/** How long sessions have to end when the service stops: `endsession` needs 100 ms, the peer 150 ms. */
const SHUTDOWN_MS = 400;

/**
 * Runs sessions: connects them to the parts of the engine, finds them for signaling, forgets them when they are over.
 */
export function createEngine(parts: EngineParts): Engine {
  const { log } = parts;
  const live = new Map<string, SessionHost>();
  const ended = new EndedSessions();
  let state: 'open' | 'draining' | 'closing' = 'open';

  const lookup = (sessionId: string): SessionLookup | null => {
    const host = live.get(sessionId);
    if (host !== undefined) return { kind: 'live', session: host.signaling, onlyOrigin: host.onlyOrigin };
    const goodbye = ended.goodbye(sessionId);
    return goodbye === undefined ? null : { kind: 'ended', goodbye };
  };
  const signaling = createSignaling({ lookup, log });

  return {
    async createSession(config, resources) {
      if (state !== 'open') throw new CapacityError();
      const { refusal, places } = parts.capacity.state(live.size);
      if (refusal !== null) {
        log.warn({ reason: refusal, live: live.size, places }, 'a session was not taken');
        throw new CapacityError();
      }
      const host = startSessionHost({
        ...parts,
        config,
        resources,
        ended: (code, text) => {
          live.delete(config.sessionId);
          ended.add(config.sessionId, { code, text: text ?? 'Session was ended by the client.' });
          log.info({ sessionId: config.sessionId, live: live.size }, 'session ended');
        },
      });
      live.set(config.sessionId, host);
      log.info({ sessionId: config.sessionId, live: live.size }, 'session created');
      return { sessionId: config.sessionId, startedAt: host.startedAt };
    },
    async takeOver() {
      throw new SessionPastError('this engine cannot do it yet');
    },
    handOver: async () => false,
    stopSession(sessionId, reason) {
      const host = live.get(sessionId);
      host?.dispatch({ type: 'service.stop', reason });
      return host !== undefined;
    },
    talk(sessionId, content) {
      const host = live.get(sessionId);
      if (host === undefined) return 'not live';
      return host.talk(content) ? 'taken' : 'too much';
    },
    isLive: (sessionId) => live.has(sessionId),
    liveSessions(organizationId) {
      if (organizationId === undefined) return live.size;
      return [...live.values()].filter((host) => host.organizationId === organizationId).length;
    },
    status() {
      const { places, free, promise, thrift } = parts.capacity.state(live.size);
      const paths = parts.transport.paths();
      const room = state === 'open' ? { capacity: places, free } : { capacity: live.size, free: 0 };
      return { ready: state === 'open', activeSessions: live.size, ...room, promise, saving: thrift, paths };
    },
    attach: (server, elsewhere) => signaling.attach(server, elsewhere),
    drain() {
      if (state === 'open') state = 'draining';
    },
    async close() {
      state = 'closing';
      const hadSessions = live.size > 0;
      for (const host of live.values()) host.dispatch({ type: 'service.stop', reason: 'engine_shutdown' });
      if (hadSessions) await new Promise((resolve) => setTimeout(resolve, SHUTDOWN_MS));
      signaling.close();
      await Promise.all([
        parts.audioIn.close(),
        parts.audioOut.close(),
        parts.face.close(),
        parts.transport.close(),
        parts.recording.close(),
      ]);
    },
  };
}

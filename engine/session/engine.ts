import { CapacityError, type Engine } from '../ports.ts';
import type { Capacity } from '../capacity/index.ts';
import { createSignaling } from '../signaling/index.ts';
import { LiveSessions, type SessionHostParts } from './live-sessions.ts';
import { SessionMoves } from './migrate/session-moves.ts';

export interface EngineParts extends SessionHostParts {
  /** Whether one more session may start beside so many. */
  readonly capacity: Pick<Capacity, 'state'>;
}

/** How long sessions have to end when the service stops: `endsession` needs 100 ms, the peer 150 ms. */
const SHUTDOWN_MS = 400;

/**
 * Runs sessions: connects them to the parts of the engine, finds them for signaling, forgets them when they are over.
 */
export function createEngine(parts: EngineParts): Engine {
  const sessions = new LiveSessions(parts);
  const moves = new SessionMoves(sessions, parts);
  const signaling = createSignaling({ lookup: (sessionId) => sessions.lookup(sessionId), log: parts.log });
  let state: 'open' | 'draining' | 'closing' = 'open';
  const assertOpen = (): void => {
    if (state !== 'open') throw new CapacityError();
  };

  return {
    async createSession(config, resources) {
      // Before places are counted: other sessions may start meanwhile.
      await parts.face.fetch(config.avatar.engineKey);
      if (resources.room !== undefined) await sessions.loadRooms();
      assertOpen();
      assertPlace(parts, sessions.size);
      const { sessionId, startedAt } = sessions.start(config, resources);
      parts.log.info({ sessionId, live: sessions.size }, 'session created');
      return { sessionId, startedAt };
    },
    async expect(past) {
      assertOpen();
      await moves.expect(past);
    },
    async takeOver(past, resources, loggedLines = 0) {
      assertOpen();
      return moves.takeOver(past, resources, loggedLines);
    },
    handOver: (sessionId) => moves.handOver(sessionId),
    sessionTakenOver: (sessionId) => moves.sessionTakenOver(sessionId),
    ...callsTo(sessions),
    status: () => statusOf(parts, sessions.size, state === 'open'),
    attach: (server, elsewhere) => signaling.attach(server, elsewhere),
    drain() {
      if (state === 'open') state = 'draining';
    },
    async close() {
      state = 'closing';
      moves.close();
      await endAll(sessions);
      signaling.close();
      const { audioIn, audioOut, face, transport, recording } = parts;
      await Promise.all([audioIn, audioOut, face, transport, recording].map((part) => part.close()));
    },
  };
}

/** What is asked of a session that may be live here. */
function callsTo(
  sessions: LiveSessions,
): Pick<Engine, 'stopSession' | 'leaveRoom' | 'talk' | 'isLive' | 'liveSessions'> {
  return {
    stopSession(sessionId, reason) {
      const host = sessions.get(sessionId);
      host?.dispatch({ type: 'service.stop', reason });
      return host !== undefined;
    },
    leaveRoom(organizationId, room) {
      for (const host of sessions.inRoom(organizationId, room)) host.dispatch({ type: 'client.hangUp' });
    },
    talk(sessionId, content) {
      const host = sessions.get(sessionId);
      if (host === undefined) return 'not live';
      return host.talk(content) ? 'taken' : 'too much';
    },
    isLive: (sessionId) => sessions.has(sessionId),
    liveSessions: (organizationId) => (organizationId === undefined ? sessions.size : sessions.countOf(organizationId)),
  };
}

/** @throws CapacityError when the machine carries no further session beside `live` others. */
function assertPlace({ capacity, log }: Pick<EngineParts, 'capacity' | 'log'>, live: number): void {
  const { refusal, places, placesAlone } = capacity.state(live);
  if (refusal === null) return;
  log.warn({ reason: refusal, live, places }, 'a session was not taken');
  throw new CapacityError(live < placesAlone ? 'busy' : 'full');
}

function statusOf(
  { capacity, transport }: Pick<EngineParts, 'capacity' | 'transport'>,
  live: number,
  isOpen: boolean,
): ReturnType<Engine['status']> {
  const { places, placesAlone, free, promise, shedding } = capacity.state(live);
  const room = isOpen
    ? { capacity: places, capacityAlone: placesAlone, free }
    : { capacity: live, capacityAlone: live, free: 0 };
  return { ready: isOpen, activeSessions: live, ...room, promise, saving: shedding, paths: transport.paths() };
}

/** Resolves when the clients of all sessions have had the time to hear of the end. */
async function endAll(sessions: LiveSessions): Promise<void> {
  if (sessions.size === 0) return;
  for (const host of sessions.all()) host.dispatch({ type: 'service.stop', reason: 'engine_shutdown' });
  await new Promise((resolve) => setTimeout(resolve, SHUTDOWN_MS));
}

import type { SessionConfig, SessionResources } from '../../actors/session-config.ts';
import { systemTimers } from '../../runtime/clock.ts';
import type { Engine, Face, AudioIn, SessionSink, Transport, AudioOut } from '../ports.ts';
import { CapacityError } from '../ports.ts';
import type { Capacity } from '../capacity/index.ts';
import { SessionPastError, type SessionJournals, type SessionPast } from './journal/journal.ts';
import type { Logger } from '../../runtime/log.ts';
import type { Recording } from '../recording/index.ts';
import type { Fetch, PrivateHosts } from '../net/index.ts';
import type { visitRoom } from '../rooms/index.ts';
import { createSignaling, type SessionLookup } from '../signaling/index.ts';
import { EndedSessions } from './host/ended-sessions.ts';
import { ExpectedSessions } from './restore/expected-sessions.ts';
import { startSessionHost, type SessionHost, type SessionHostOptions } from './host/session-host.ts';

export interface EngineParts {
  readonly transport: Transport;
  readonly audioIn: AudioIn;
  readonly audioOut: AudioOut;
  readonly face: Face;
  readonly recording: Recording;
  readonly fetch: Fetch;
  /** Hosts that rooms may be on although they are not public. @defaultValue none */
  readonly privateHosts?: PrivateHosts;
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
  /** Sessions whose past is being read. */
  const arriving = new Map<string, SessionPast>();
  const expected = new ExpectedSessions({ ...parts, timers: systemTimers });
  let state: 'open' | 'draining' | 'closing' = 'open';
  /** LiveKit's protocol takes 80 ms to load, and few need it. */
  let rooms: { readonly visitRoom: typeof visitRoom } | null = null;

  const lookup = (sessionId: string): SessionLookup | null => {
    const host = live.get(sessionId);
    if (host !== undefined) {
      const { signaling: session, onlyOrigin } = host;
      const leave = host.leave();
      return leave === null ? { kind: 'live', session, onlyOrigin } : { kind: 'leaving', leave, onlyOrigin };
    }
    const goodbye = ended.goodbye(sessionId);
    return goodbye === undefined ? null : { kind: 'ended', goodbye };
  };
  const signaling = createSignaling({ lookup, log });

  function start(config: SessionConfig, resources: SessionResources, past?: SessionHostOptions['past']): SessionHost {
    const { sessionId } = config;
    // A session that was here before may have been handed over, and come back.
    ended.forget(sessionId);
    const host = startSessionHost({
      ...parts,
      config,
      resources,
      ...(past && { past }),
      visitRoom: rooms?.visitRoom,
      ended: (code, text) => {
        live.delete(sessionId);
        ended.add(sessionId, { code, text: text ?? 'Session was ended by the client.' });
        log.info({ sessionId, reason: code, live: live.size }, 'session ended');
      },
    });
    // One that was ending where it was before may be over by now.
    if (ended.goodbye(sessionId) === undefined) live.set(sessionId, host);
    return host;
  }

  return {
    async createSession(config, resources) {
      // Before places are counted: other sessions may start meanwhile.
      await parts.face.fetch(config.avatar.engineKey);
      if (resources.room !== undefined) rooms ??= await import('../rooms/index.ts');
      if (state !== 'open') throw new CapacityError();
      const { refusal, places } = parts.capacity.state(live.size);
      if (refusal !== null) {
        log.warn({ reason: refusal, live: live.size, places }, 'a session was not taken');
        throw new CapacityError();
      }
      const host = start(config, resources);
      log.info({ sessionId: config.sessionId, live: live.size }, 'session created');
      return { sessionId: config.sessionId, startedAt: host.startedAt };
    },
    async expect(past) {
      if (state !== 'open') throw new CapacityError();
      if (live.has(past.sessionId) || arriving.has(past.sessionId)) throw new SessionPastError('it is live here');
      await expected.expect(past);
    },
    async takeOver(past, resources, loggedLines = 0) {
      if (state !== 'open') throw new CapacityError();
      const { sessionId } = past;
      if (live.has(sessionId) || arriving.has(sessionId)) throw new SessionPastError('it is live here');
      arriving.set(sessionId, past);
      const { replayed, log: sessionLog } = await expected.take(past, loggedLines).catch((error: unknown) => {
        if (arriving.get(sessionId) === past) arriving.delete(sessionId);
        throw error;
      });
      if (arriving.get(sessionId) !== past) {
        replayed.actors.stop();
        throw new SessionPastError('another process has it');
      }
      arriving.delete(sessionId);
      const host = start(replayed.head.config, resources, { replayed, log: sessionLog });
      log.info({ sessionId, live: live.size }, 'session taken over');
      return { sessionId, startedAt: host.startedAt };
    },
    async handOver(sessionId) {
      const host = live.get(sessionId);
      if (host === undefined || host.handOver === null) return false;
      await host.handOver(() => {
        live.delete(sessionId);
        log.info({ sessionId, live: live.size }, 'session handed over');
      });
      return !live.has(sessionId) && ended.goodbye(sessionId) === undefined;
    },
    lose(sessionId) {
      arriving.delete(sessionId);
      const host = live.get(sessionId);
      live.delete(sessionId);
      host?.lose();
      if (host !== undefined) log.warn({ sessionId, live: live.size }, 'session lost to another process');
    },
    stopSession(sessionId, reason) {
      const host = live.get(sessionId);
      host?.dispatch({ type: 'service.stop', reason });
      return host !== undefined;
    },
    leaveRoom(organizationId, { url, room, identity }) {
      for (const host of live.values()) {
        const same = host.room?.url === url && host.room.room === room && host.room.identity === identity;
        if (same && host.organizationId === organizationId) host.dispatch({ type: 'client.hangUp' });
      }
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
      const { places, free, promise, shedding } = parts.capacity.state(live.size);
      const paths = parts.transport.paths();
      const room = state === 'open' ? { capacity: places, free } : { capacity: live.size, free: 0 };
      return { ready: state === 'open', activeSessions: live.size, ...room, promise, saving: shedding, paths };
    },
    attach: (server, elsewhere) => signaling.attach(server, elsewhere),
    drain() {
      if (state === 'open') state = 'draining';
    },
    async close() {
      state = 'closing';
      expected.close();
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

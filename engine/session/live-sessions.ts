import type { RoomAddress, SessionConfig, SessionResources } from '../../actors/session-config.ts';
import type { visitRoom } from '../rooms/index.ts';
import type { SessionLookup } from '../signaling/index.ts';
import { EndedSessions } from './host/ended-sessions.ts';
import { startSessionHost, type SessionHost, type SessionHostOptions } from './host/session-host.ts';

/** What all sessions of an engine have in common. */
export type SessionHostParts = Omit<SessionHostOptions, 'config' | 'resources' | 'past' | 'visitRoom' | 'ended'>;

/** LiveKit's protocol takes 80 to 300 ms to load, in one piece. A service does it before anybody talks. */
export const loadRooms = () => import('../rooms/index.ts');

/** The sessions of this engine: starts them, finds them, and knows for a while what became of them. */
export class LiveSessions {
  readonly #parts: SessionHostParts;
  readonly #live = new Map<string, SessionHost>();
  readonly #ended = new EndedSessions();
  #rooms: { readonly visitRoom: typeof visitRoom } | null = null;

  constructor(parts: SessionHostParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#live.size;
  }

  get(sessionId: string): SessionHost | undefined {
    return this.#live.get(sessionId);
  }

  has(sessionId: string): boolean {
    return this.#live.has(sessionId);
  }

  all(): Iterable<SessionHost> {
    return this.#live.values();
  }

  countOf(organizationId: string): number {
    return [...this.#live.values()].filter((host) => host.organizationId === organizationId).length;
  }

  /** Of an organization, those that are in this room as this participant. */
  inRoom(organizationId: string, { url, room, identity }: Pick<RoomAddress, 'url' | 'room' | 'identity'>) {
    return [...this.#live.values()].filter(
      (host) =>
        host.organizationId === organizationId &&
        host.room?.url === url &&
        host.room.room === room &&
        host.room.identity === identity,
    );
  }

  /** Called before a session starts that goes into a room. */
  async loadRooms(): Promise<void> {
    this.#rooms ??= await loadRooms();
  }

  /** @param past of a session that goes on here. @throws VoiceUnavailableError */
  start(config: SessionConfig, resources: SessionResources, past?: SessionHostOptions['past']): SessionHost {
    const { sessionId } = config;
    // A session that was here before may have been handed over, and come back.
    this.#ended.forget(sessionId);
    const host = startSessionHost({
      ...this.#parts,
      config,
      resources,
      ...(past && { past }),
      visitRoom: this.#rooms?.visitRoom,
      ended: (code, text) => {
        this.#live.delete(sessionId);
        this.#ended.add(sessionId, { code, text: text ?? 'Session was ended by the client.' });
        this.#parts.log.info({ sessionId, reason: code, live: this.size }, 'session ended');
      },
    });
    // One that was ending where it was before may be over by now.
    if (!this.hasEnded(sessionId)) this.#live.set(sessionId, host);
    return host;
  }

  /** It is elsewhere now, and has not ended. */
  forget(sessionId: string): void {
    this.#live.delete(sessionId);
  }

  hasEnded(sessionId: string): boolean {
    return this.#ended.goodbye(sessionId) !== undefined;
  }

  /** What a client finds that comes to this session. Null: there is none here. */
  lookup(sessionId: string): SessionLookup | null {
    const host = this.#live.get(sessionId);
    if (host !== undefined) {
      const { signaling: session, onlyOrigin, attachRealtime } = host;
      const leave = host.leave();
      return leave === null
        ? { kind: 'live', session, onlyOrigin, attachRealtime }
        : { kind: 'leaving', leave, onlyOrigin };
    }
    const goodbye = this.#ended.goodbye(sessionId);
    return goodbye === undefined ? null : { kind: 'ended', goodbye };
  }
}

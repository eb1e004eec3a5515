import {
  AvatarUnavailableError,
  CapacityError,
  type Engine,
  type SessionSink,
  VoiceUnavailableError,
} from '../../engine/ports.ts';
import { testConfig } from '../../actors/testing/session-config.ts';
import type { RestorableSession } from '../../engine/session/journal/journal.ts';
import type { SessionConfig, SessionResources } from '../../actors/session-config.ts';
import type { EndReason, SessionReportEntry } from '../../actors/report.ts';

/** An engine without media. It counts sessions, remembers its inputs, and reports what a test tells it. */
export class FakeEngine implements Engine {
  /** A text that every session refuses. */
  static readonly TOO_MUCH = 'too much';
  ready = true;
  capacity = 20;
  readonly #connected = new Set<string>();
  readonly live = new Map<string, { config: SessionConfig; resources: SessionResources }>();
  readonly spoken: { sessionId: string; content: string }[] = [];
  sink: SessionSink | null = null;
  /** Engine keys of avatars that it cannot have. */
  readonly unavailable = new Set<string>();
  /** TTS services that it does not have. */
  readonly missingVoices = new Set<string>();

  async createSession(config: SessionConfig, resources: SessionResources) {
    if (this.unavailable.has(config.avatar.engineKey))
      throw new AvatarUnavailableError(config.avatar.engineKey, 'missing');
    if (this.missingVoices.has(config.voice.provider)) throw new VoiceUnavailableError(config.voice.provider);
    if (this.live.size >= this.capacity) throw new CapacityError();
    this.live.set(config.sessionId, { config, resources });
    this.sink?.started({ sessionId: config.sessionId, organizationId: config.organizationId, startedAt: 0 });
    return { sessionId: config.sessionId, startedAt: 0 };
  }
  async expect(): Promise<void> {}
  takeOver({ sessionId }: RestorableSession, resources: SessionResources) {
    return this.createSession(testConfig({ sessionId }), resources);
  }
  sessionTakenOver(sessionId: string): void {
    this.live.delete(sessionId);
  }
  async handOver(sessionId: string): Promise<boolean> {
    return this.live.delete(sessionId);
  }
  /** As the engine does: whoever sits there goes. */
  leaveRoom(organizationId: string, { room, identity }: { room: string; identity: string }): void {
    for (const [sessionId, { config, resources }] of this.live) {
      const sits = resources.room?.room === room && resources.room.identity === identity;
      if (sits && config.organizationId === organizationId) this.end(sessionId, 1000, 'client_disconnected');
    }
  }

  stopSession(sessionId: string, reason: Parameters<Engine['stopSession']>[1]): boolean {
    if (!this.live.has(sessionId)) return false;
    this.end(sessionId, 1000, reason);
    return true;
  }
  talk(sessionId: string, content: string) {
    if (!this.live.has(sessionId)) return 'not live';
    if (content === FakeEngine.TOO_MUCH) return 'too much';
    this.spoken.push({ sessionId, content });
    return 'taken';
  }
  isLive(sessionId: string): boolean {
    return this.live.has(sessionId);
  }
  liveSessions(organizationId?: string): number {
    return [...this.live.values()].filter(
      ({ config }) => organizationId === undefined || config.organizationId === organizationId,
    ).length;
  }
  status() {
    return {
      ready: this.ready,
      activeSessions: this.live.size,
      capacity: this.capacity,
      capacityAlone: this.capacity,
      free: Math.max(0, this.capacity - this.live.size),
      promise: 'kept',
      saving: 'none',
      paths: { udp: this.live.size, tcp: 0, tcpConnections: 0 },
    } as const;
  }
  attach(): void {}
  drain(): void {
    this.ready = false;
  }
  async close(): Promise<void> {
    this.live.clear();
  }

  /** Reports an entry as the session's actors would. */
  report(sessionId: string, entry: SessionReportEntry): void {
    this.sink!.entry(sessionId, entry);
  }
  /** Its client has connected. */
  connect(sessionId: string): void {
    this.#connected.add(sessionId);
  }
  end(sessionId: string, at: number, reason: EndReason = 'stopped_by_api'): void {
    this.live.delete(sessionId);
    const connected = this.#connected.delete(sessionId);
    this.report(sessionId, {
      kind: 'end',
      end: { reason, message: 'Session was stopped.', exitStatus: 'CLOSED_BY_ENGINE', connected, at },
    });
    this.sink!.closed(sessionId);
  }
}

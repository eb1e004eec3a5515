import type { Logger } from '../../runtime/log.ts';
import type { RunningEngine } from './open-engine.ts';
import { CapacityError } from '../ports.ts';
import { createSignaling } from '../signaling/index.ts';

/**
 * Stands where a process has no engine: it has no sessions and takes none. Sockets of sessions elsewhere are passed on.
 */
export function absentEngine(log: Logger): RunningEngine {
  const signaling = createSignaling({ lookup: () => null, log });
  const nothing = async (): Promise<never> => {
    throw new Error('This process has no engine');
  };
  return {
    udpPort: 0,
    tcpPort: null,
    recognizedLanguages: 'any',
    async createSession() {
      throw new CapacityError();
    },
    expect: nothing,
    async takeOver() {
      throw new CapacityError();
    },
    handOver: async () => false,
    sessionTakenOver() {},
    stopSession: () => false,
    leaveRoom() {},
    talk: () => 'not live',
    isLive: () => false,
    liveSessions: () => 0,
    drain() {},
    status: () => ({
      ready: false,
      activeSessions: 0,
      capacity: 0,
      capacityAlone: 0,
      free: 0,
      promise: 'kept',
      saving: 'none',
      paths: { udp: 0, tcp: 0, tcpConnections: 0 },
    }),
    attach: (server, elsewhere) => signaling.attach(server, elsewhere),
    renderPoster: nothing,
    async drawAvatarAhead() {},
    undrawnAvatars: async () => [],
    renderAvatarVideo: nothing,
    renderIdleVideo: nothing,
    speakText: nothing,
    holdSpokenConversation: nothing,
    photoAvatars: { make: nothing, remove: nothing },
    forgetAvatar() {},
    async close() {
      signaling.close();
    },
  };
}

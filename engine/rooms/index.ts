import type { SessionEvent } from '../../actors/events.ts';
import type { RoomAddress } from '../../actors/session-config.ts';
import { systemTimers } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import { bitrateCeiling } from '../face/index.ts';
import type { PrivateHosts } from '../net/index.ts';
import type { AudioOutStream, MediaHandlers, PassthroughLimits, Transport } from '../ports.ts';
import { AgentPresence } from './agent-presence.ts';
import { AGENT_LIMITS, AgentVoice } from './agent-voice.ts';
import { RoomConnection } from './room-connection.ts';

export interface RoomOptions {
  readonly sessionId: string;
  readonly address: RoomAddress;
  readonly allowed: PrivateHosts;
  readonly width: number;
  readonly height: number;
  dispatch(event: SessionEvent): void;
  /** A sentence for the session's record. */
  warn(code: string, text: string): void;
  readonly log: Logger;
}

/** A persona in a room: in place of a client, the session has a LiveKit server and an agent. */
export interface RoomVisit {
  /** Opens the connection to the room, where sessions of clients open one to their client. */
  readonly transport: Pick<Transport, 'open'>;
  /** How speech of the agent is taken. */
  readonly limits: PassthroughLimits;
  /** Speech of the agent is said by this voice. */
  speaksWith(voice: Pick<AudioOutStream, 'passthrough' | 'passthroughEnd' | 'cut'>): void;
  voiceStarted(): void;
  voiceFinished(interrupted: boolean, playedMs: number): void;
  close(): void;
}

export function visitRoom(options: RoomOptions): RoomVisit {
  const { sessionId, address, dispatch, log } = options;
  let connection: RoomConnection | null = null;
  let voice: AgentVoice | null = null;
  const presence = new AgentPresence(address.agent, systemTimers, () => {
    log.info({ sessionId }, 'the agent has left the room');
    dispatch({ type: 'client.hangUp' });
  });

  function open(handlers: MediaHandlers, video: { ceiling?: number; quality?: 'auto' | 'high' }): RoomConnection {
    const { width, height } = options;
    connection = new RoomConnection({
      sessionId,
      address,
      allowed: options.allowed,
      handlers,
      log,
      video: {
        width,
        height,
        ceiling: video.ceiling ?? bitrateCeiling(width, height),
        quality: video.quality ?? 'auto',
      },
      room: {
        joined: (present) => presence.joined(present),
        participants: (here, gone) => presence.changed(here, gone),
        data: (bytes) => voice?.take(bytes),
        channelOpened: () => voice?.reachable(),
        over({ kind, text }) {
          log.info({ sessionId, problem: text }, 'the persona is out of the room');
          if (kind === 'left') return dispatch({ type: 'client.hangUp' });
          options.warn('room_unreachable', text);
          dispatch({ type: 'service.stop', reason: 'connection_lost' });
        },
      },
    });
    return connection;
  }

  return {
    limits: AGENT_LIMITS,
    transport: { open: (_sessionId, handlers, video = {}) => open(handlers, video) },
    speaksWith(said) {
      voice = new AgentVoice({
        me: address.identity,
        agent: address.agent,
        voice: said,
        send: (bytes) => connection?.sendData(bytes) ?? false,
        interrupted: () => dispatch({ type: 'client.interrupt' }),
        refused: (reason) => dispatch({ type: 'passthrough.refused', reason }),
        timers: systemTimers,
        log,
      });
    },
    voiceStarted: () => voice?.started(),
    voiceFinished: (interrupted, playedMs) => voice?.finished(interrupted, playedMs),
    close() {
      presence.close();
      voice?.close();
    },
  };
}

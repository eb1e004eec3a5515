import type { SessionEvent } from '../../actors/events.ts';
import type { RoomAddress } from '../../actors/session-config.ts';
import { systemTimers } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import { bitrateCeiling } from '../face/index.ts';
import type { PrivateHosts } from '../net/index.ts';
import type { AudioOutEvent, AudioOutStream, MediaHandlers, PassthroughLimits, Transport } from '../ports.ts';
import { AgentPresence } from './agent-presence.ts';
import { AGENT_LIMITS, AgentVoice } from './agent-voice.ts';
import { RoomConnection } from './room-connection.ts';
import type { LinkEnd } from './room-link.ts';

export interface RoomOptions {
  readonly sessionId: string;
  readonly address: RoomAddress;
  readonly allowed: PrivateHosts;
  readonly width: number;
  readonly height: number;
  readonly dispatch: (event: SessionEvent) => void;
  /** A sentence for the session's record. */
  readonly warn: (code: string, text: string) => void;
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
  /** What becomes of that speech. */
  reported(event: AudioOutEvent): void;
  close(): void;
}

export function visitRoom(options: RoomOptions): RoomVisit {
  return new AgentVisit(options);
}

class AgentVisit implements RoomVisit {
  readonly limits = AGENT_LIMITS;
  readonly transport: RoomVisit['transport'] = { open: (_id, handlers, video = {}) => this.#open(handlers, video) };
  readonly #options: RoomOptions;
  readonly #presence: AgentPresence;
  #connection: RoomConnection | null = null;
  #voice: AgentVoice | null = null;

  constructor(options: RoomOptions) {
    const { sessionId, address, dispatch, log } = options;
    this.#options = options;
    this.#presence = new AgentPresence(address.agent, systemTimers, () => {
      log.info({ sessionId }, 'the agent has left the room');
      dispatch({ type: 'client.hangUp' });
    });
  }

  speaksWith(voice: Pick<AudioOutStream, 'passthrough' | 'passthroughEnd' | 'cut'>): void {
    const { address, dispatch, log } = this.#options;
    this.#voice = new AgentVoice({
      me: address.identity,
      agent: address.agent,
      voice,
      send: (bytes) => this.#connection?.sendData(bytes) ?? false,
      interrupted: () => dispatch({ type: 'client.interrupt' }),
      refused: (reason) => dispatch({ type: 'passthrough.refused', reason }),
      timers: systemTimers,
      log,
    });
  }

  reported(event: AudioOutEvent): void {
    this.#voice?.reported(event);
  }

  close(): void {
    this.#presence.close();
    this.#voice?.close();
  }

  #open(handlers: MediaHandlers, video: { ceiling?: number; quality?: 'auto' | 'high' }): RoomConnection {
    const { sessionId, address, allowed, width, height, log } = this.#options;
    const { ceiling = bitrateCeiling(width, height), quality = 'auto' } = video;
    this.#connection = new RoomConnection({
      sessionId,
      address,
      allowed,
      handlers,
      log,
      video: { width, height, ceiling, quality },
      room: {
        joined: (present) => this.#presence.joined(present),
        participants: (here, gone) => this.#presence.changed(here, gone),
        data: (bytes) => this.#voice?.take(bytes),
        channelOpened: () => this.#voice?.reachable(),
        over: (end) => this.#over(end),
      },
    });
    return this.#connection;
  }

  /** The persona is out of the room for good. */
  #over({ kind, text }: LinkEnd): void {
    const { sessionId, dispatch, warn, log } = this.#options;
    log.info({ sessionId, problem: text }, 'the persona is out of the room');
    if (kind === 'left') return dispatch({ type: 'client.hangUp' });
    warn('room_unreachable', text);
    dispatch({ type: 'service.stop', reason: 'connection_lost' });
  }
}

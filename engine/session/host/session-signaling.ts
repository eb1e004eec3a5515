import type { EventOf, PassthroughRefusal, SessionEvent } from '../../../actors/events.ts';
import type { Logger } from '../../../runtime/log.ts';
import type {
  AgentAudioChunk,
  ClientSignal,
  Goodbye,
  ServerAction,
  SignalingSession,
  SignalingSocket,
} from '../../signaling/index.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import { decodeAgentAudio } from '../agent-audio.ts';
import type { FloodControl } from './flood-control.ts';
import { createRestartAnswers, type RestartAnswers } from './ice-restart-answers.ts';
import type { SessionMedia } from './session-media.ts';
import { WaitingSignals } from './waiting-signals.ts';

/**
 * The session's side of the signaling. The newest socket counts; an older one is closed. Messages wait while no client
 * can receive them. Clients drop what arrives before their own offer, and a client that only lost its socket makes no
 * offer. So a client counts as listening from its first message on a socket: its offer or its next heartbeat.
 */
export interface SessionSignaling extends SignalingSession {
  ready(): void;
  warn(text: string): void;
  talkInterrupted(correlationId: string): void;
  /** The client was told to make a new offer. Offers are not answered here any more. @param returned called at one. */
  sentAway(returned: () => void): void;
  /** The session goes on elsewhere, and nothing is taken here any more. */
  fallSilent(): void;
  /** The same; clients come back to it when their socket closes without a goodbye. */
  leave(): void;
  /** @param goodbye null when the client itself closed. */
  end(goodbye: Goodbye | null): void;
}

export interface SessionSignalingOptions {
  readonly sessionId: string;
  readonly media: SessionMedia;
  readonly dispatch: (event: SessionEvent) => void;
  readonly flood: FloodControl;
  /** Whether the client was told that the session is ready, by another process. @defaultValue 'starting' */
  readonly stage?: 'starting' | 'ready';
  readonly log: Logger;
}

export function createSessionSignaling(options: SessionSignalingOptions): SessionSignaling {
  return new ClientSignaling(options);
}

class ClientSignaling implements SessionSignaling {
  readonly #options: SessionSignalingOptions;
  readonly #waiting = new WaitingSignals();
  readonly #answers: RestartAnswers;
  /** Clients send 50 chunks a second: each reason why one was not taken is reported once. */
  readonly #refusedAudio = new Set<PassthroughRefusal>();
  #current: { readonly socket: SignalingSocket; listens: 'not yet' | 'yes' } | null = null;
  /** Agent audio that arrives before `sessionready` is dropped; clients are told this. */
  #stage: 'starting' | 'ready' | 'ended';
  /** Set since the client was told to make a new offer. */
  #returned: (() => void) | null = null;

  constructor(options: SessionSignalingOptions) {
    const { media } = options;
    this.#options = options;
    this.#stage = options.stage ?? 'starting';
    this.#answers = createRestartAnswers({ heardAt: () => media.connection.heardAt, timers: systemTimers });
  }

  opened(socket: SignalingSocket): void {
    this.#current?.socket.close(1000, 'replaced');
    this.#current = { socket, listens: 'not yet' };
    this.#options.dispatch({ type: 'socket.opened' });
  }

  closed(code: number, clean: boolean, socket: SignalingSocket): void {
    if (socket !== this.#current?.socket) return;
    this.#current = null;
    this.#options.dispatch({ type: 'socket.closed', code, clean });
  }

  signal(signal: ClientSignal, socket: SignalingSocket): void {
    // A message that an older socket still delivers (for example buffered candidates) is as valid as one from the
    // newest socket.
    if (this.#stage === 'ended') return;
    if (admitted(signal, this.#options.flood)) this.#take(signal, socket);
    if (socket === this.#current?.socket) this.#current.listens = 'yes';
    this.#flush();
  }

  ready(): void {
    this.#stage = 'ready';
    this.#tell('sessionready', {});
  }

  warn(text: string): void {
    this.#tell('warning', text);
  }

  talkInterrupted(correlationId: string): void {
    this.#tell('talkinputstreaminterrupted', { correlationId });
  }

  sentAway(returned: () => void): void {
    this.#returned = returned;
  }

  fallSilent(): void {
    this.#stage = 'ended';
    this.#answers.close();
  }

  leave(): void {
    this.fallSilent();
    this.#current?.socket.close(1012, 'Service restart');
  }

  end(goodbye: Goodbye | null): void {
    this.fallSilent();
    if (goodbye === null) this.#current?.socket.close(1000, 'ended');
    else this.#current?.socket.end(goodbye);
  }

  #take(signal: ClientSignal, socket: SignalingSocket): void {
    const { media, dispatch } = this.#options;
    switch (signal.actionType) {
      case 'offer':
        return this.#answer(signal.payload.connectionDescription.sdp, signal.payload.resume === true, socket);
      case 'icecandidate':
        return media.connection.addCandidate(signal.payload.candidate, signal.payload.sdpMid ?? null);
      case 'heartbeat':
        return;
      case 'endsession':
        return dispatch({ type: 'client.hangUp' });
      case 'talkstream':
        return dispatch(talkChunk(signal.payload));
      case 'agentaudioinput':
        return this.#stage === 'ready' ? this.#speak(signal.payload) : undefined;
      case 'agentaudioinputend':
        return media.audioOut.passthroughEnd();
    }
  }

  #answer(sdp: string, resume: boolean, socket: SignalingSocket): void {
    if (this.#returned !== null) return this.#returned();
    const { sessionId, media, dispatch, log } = this.#options;
    try {
      const { answer: answerSdp, kind } = media.connection.acceptOffer(sdp);
      this.#answers.give(kind, () => socket.send('answer', { type: 'answer', sdp: answerSdp }));
      media.offerAnswered();
      dispatch({ type: 'offer.received', kind, ...(resume && { resume }) });
    } catch (error) {
      log.warn({ sessionId, err: error }, 'an offer could not be answered');
      socket.send('warning', 'The offer could not be answered.');
    }
  }

  #speak(chunk: AgentAudioChunk): void {
    const { audioOut } = this.#options.media;
    const pcm = decodeAgentAudio(chunk);
    const verdict = pcm === null ? 'format' : audioOut.passthrough(pcm, chunk.sampleRate, chunk.sequenceNumber);
    if (verdict === 'taken' || this.#refusedAudio.has(verdict)) return;
    this.#refusedAudio.add(verdict);
    this.#options.dispatch({ type: 'passthrough.refused', reason: verdict });
  }

  #tell(action: ServerAction, payload: unknown): void {
    this.#waiting.push(action, payload);
    this.#flush();
  }

  #flush(): void {
    const newest = this.#current;
    if (this.#stage !== 'ended' && newest?.listens === 'yes')
      this.#waiting.flush((action, payload) => newest.socket.send(action, payload));
  }
}

function admitted(signal: ClientSignal, flood: FloodControl): boolean {
  switch (signal.actionType) {
    case 'offer':
      return flood.admits('offer', signal.payload.connectionDescription.sdp.length);
    case 'talkstream':
      return flood.admits('talkstream', Buffer.byteLength(signal.payload.content));
    case 'icecandidate':
    case 'agentaudioinputend':
      return flood.admits(signal.actionType, 0);
    // A heartbeat causes no work. The voice limits the audio that waits to be heard.
    case 'heartbeat':
    case 'endsession':
    case 'agentaudioinput':
      return true;
  }
}

type TalkStreamPayload = Extract<ClientSignal, { actionType: 'talkstream' }>['payload'];

function talkChunk(payload: TalkStreamPayload): EventOf<'client.talkChunk'> {
  const { content, startOfSpeech, endOfSpeech, correlationId, utteranceId } = payload;
  return {
    type: 'client.talkChunk',
    content,
    startOfSpeech: startOfSpeech ?? false,
    endOfSpeech: endOfSpeech ?? false,
    correlationId: correlationId ?? '',
    utteranceId: utteranceId ?? null,
  };
}

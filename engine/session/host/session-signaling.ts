import type { PassthroughRefusal, SessionEvent } from '../../../actors/events.ts';
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
import { createRestartAnswers } from './restart-answers.ts';
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

export function createSessionSignaling(options: {
  sessionId: string;
  media: SessionMedia;
  dispatch: (event: SessionEvent) => void;
  flood: FloodControl;
  /** Whether the client was told that the session is ready, by another process. @defaultValue 'starting' */
  stage?: 'starting' | 'ready';
  log: Logger;
}): SessionSignaling {
  const { sessionId, media, dispatch, flood, log } = options;
  let current: { readonly socket: SignalingSocket; listens: 'not yet' | 'yes' } | null = null;
  const waiting = new WaitingSignals();
  /** Agent audio that arrives before `sessionready` is dropped; clients are told this. */
  let stage: 'starting' | 'ready' | 'ended' = options.stage ?? 'starting';

  const answers = createRestartAnswers({ heardAt: () => media.connection.heardAt, timers: systemTimers });

  let returned: (() => void) | null = null;
  /** Clients send 50 chunks a second: each reason why one was not taken is reported once. */
  const refusedAudio = new Set<PassthroughRefusal>();

  function answer(sdp: string, resume: boolean, socket: SignalingSocket): void {
    if (returned !== null) return returned();
    try {
      const { answer: answerSdp, kind } = media.connection.acceptOffer(sdp);
      answers.give(kind, () => socket.send('answer', { type: 'answer', sdp: answerSdp }));
      media.offerAnswered();
      dispatch({ type: 'offer.received', kind, ...(resume && { resume }) });
    } catch (error) {
      log.warn({ sessionId, err: error }, 'an offer could not be answered');
      socket.send('warning', 'The offer could not be answered.');
    }
  }

  function admitted(signal: ClientSignal): boolean {
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

  function speak(chunk: AgentAudioChunk): void {
    const pcm = decodeAgentAudio(chunk);
    const verdict = pcm === null ? 'format' : media.audioOut.passthrough(pcm, chunk.sampleRate, chunk.sequenceNumber);
    if (verdict === 'taken' || refusedAudio.has(verdict)) return;
    refusedAudio.add(verdict);
    dispatch({ type: 'passthrough.refused', reason: verdict });
  }

  function take(signal: ClientSignal, socket: SignalingSocket): void {
    switch (signal.actionType) {
      case 'offer':
        return answer(signal.payload.connectionDescription.sdp, signal.payload.resume === true, socket);
      case 'icecandidate':
        return media.connection.addCandidate(signal.payload.candidate, signal.payload.sdpMid ?? null);
      case 'heartbeat':
        return;
      case 'endsession':
        return dispatch({ type: 'client.hangUp' });
      case 'talkstream': {
        const { content, startOfSpeech, endOfSpeech, correlationId, utteranceId } = signal.payload;
        return dispatch({
          type: 'client.talkChunk',
          content,
          startOfSpeech: startOfSpeech ?? false,
          endOfSpeech: endOfSpeech ?? false,
          correlationId: correlationId ?? '',
          utteranceId: utteranceId ?? null,
        });
      }
      case 'agentaudioinput':
        return stage === 'ready' ? speak(signal.payload) : undefined;
      case 'agentaudioinputend':
        return media.audioOut.passthroughEnd();
    }
  }

  function flush(): void {
    const newest = current;
    if (stage !== 'ended' && newest?.listens === 'yes')
      waiting.flush((action, payload) => newest.socket.send(action, payload));
  }

  function tell(action: ServerAction, payload: unknown): void {
    waiting.push(action, payload);
    flush();
  }

  function fallSilent(): void {
    stage = 'ended';
    answers.close();
  }

  return {
    opened(socket) {
      current?.socket.close(1000, 'replaced');
      current = { socket, listens: 'not yet' };
      dispatch({ type: 'socket.opened' });
    },
    closed(code, clean, socket) {
      if (socket !== current?.socket) return;
      current = null;
      dispatch({ type: 'socket.closed', code, clean });
    },
    signal(signal, socket) {
      // A message that an older socket still delivers (for example buffered candidates) is as valid as one from the
      // newest socket.
      if (stage === 'ended') return;
      if (admitted(signal)) take(signal, socket);
      if (socket === current?.socket) current.listens = 'yes';
      flush();
    },
    ready() {
      stage = 'ready';
      tell('sessionready', {});
    },
    warn: (text) => tell('warning', text),
    talkInterrupted: (correlationId) => tell('talkinputstreaminterrupted', { correlationId }),
    sentAway: (then) => void (returned = then),
    fallSilent,
    leave() {
      fallSilent();
      current?.socket.close(1012, 'Service restart');
    },
    end(goodbye) {
      fallSilent();
      if (goodbye === null) current?.socket.close(1000, 'ended');
      else current?.socket.end(goodbye);
    },
  };
}

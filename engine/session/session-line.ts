import type { SessionEvent } from '../../actors/events.ts';
import type { Logger } from '../log.ts';
import type { ClientSignal, SignallingSession, SignallingSocket } from '../signalling/index.ts';
import { systemTimers } from '../clock.ts';
import { decodeAgentAudio } from './agent-audio.ts';
import { createRestartAnswers } from './restart-answers.ts';
import type { SessionMedia } from './session-media.ts';

/** The session's end of the signalling: the newest socket is the line, whichever came before it is hung up. */
export interface SessionLine extends SignallingSession {
  ready(): void;
  warn(text: string): void;
  talkInterrupted(correlationId: string): void;
  /** @param text for `endsession`; null when the client itself hung up. */
  end(text: string | null): void;
}

export function createSessionLine(options: {
  sessionId: string;
  media: SessionMedia;
  dispatch: (event: SessionEvent) => void;
  log: Logger;
}): SessionLine {
  const { sessionId, media, dispatch, log } = options;
  let current: SignallingSocket | null = null;
  /** Agent audio that comes before `sessionready` is dropped, as clients are told. */
  let stage: 'starting' | 'ready' | 'ended' = 'starting';

  const answers = createRestartAnswers({ heardAt: () => media.connection.heardAt, timers: systemTimers });

  function answer(sdp: string, socket: SignallingSocket): void {
    try {
      const { answer: answerSdp, kind } = media.connection.acceptOffer(sdp);
      answers.give(kind, () => socket.send('answer', { type: 'answer', sdp: answerSdp }));
      media.offerAnswered();
      dispatch({ type: 'offer.received', kind });
    } catch (error) {
      log.warn({ sessionId, err: error }, 'an offer could not be answered');
      socket.send('warning', 'The offer could not be answered.');
    }
  }

  function take(signal: ClientSignal, socket: SignallingSocket): void {
    switch (signal.actionType) {
      case 'offer': return answer(signal.payload.connectionDescription.sdp, socket);
      case 'icecandidate': return media.connection.addCandidate(signal.payload.candidate, signal.payload.sdpMid ?? null);
      case 'heartbeat': return;
      case 'endsession': return dispatch({ type: 'client.hangUp' });
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
      case 'agentaudioinput': {
        if (stage !== 'ready') return;
        const { audioData, channels, sampleRate, sequenceNumber } = signal.payload;
        if (!media.voice.passthrough(decodeAgentAudio(audioData, channels), sampleRate, sequenceNumber)) dispatch({ type: 'passthrough.refused' });
        return;
      }
      case 'agentaudioinputend': return media.voice.passthroughEnd();
    }
  }

  return {
    opened(socket) {
      current?.close(1000, 'replaced');
      current = socket;
      dispatch({ type: 'socket.opened' });
    },
    closed(code, clean, socket) {
      if (socket !== current) return;
      current = null;
      dispatch({ type: 'socket.closed', code, clean });
    },
    signal(signal, socket) {
      // What an older socket still delivers (buffered candidates, for one) is as good as the newest one's.
      if (stage !== 'ended') take(signal, socket);
    },
    ready() {
      stage = 'ready';
      current?.send('sessionready', {});
    },
    warn: (text) => current?.send('warning', text),
    talkInterrupted: (correlationId) => current?.send('talkinputstreaminterrupted', { correlationId }),
    end(text) {
      stage = 'ended';
      answers.close();
      if (text === null) current?.close(1000, 'ended');
      else current?.end(text);
    },
  };
}

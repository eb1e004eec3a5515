import type { Amounts, LlmToolCall, RetryKind, TimedUnit } from '../models/ports.ts';
import type { ToolDefinition } from './session-config.ts';
import type { VadWindow } from './vad/vad-window.ts';

/**
 * The catalogue of everything that enters a session's actor tree. The engine sends these events, and the flight
 * recorder records them. A replay feeds the same events to the same machines and gets the same commands back
 * (`commands.ts`). Audio and video frames never appear here. `at…` fields are ms on the session's clock.
 */
export type SessionEvent =
  // ── connection ──
  /** The signaling socket is open. */
  | { readonly type: 'socket.opened' }
  /**
   * The signaling socket is closed. `code`: WebSocket close code; `clean`: the client closed it. After 1000 or 1001 and
   * silence, the client has left.
   */
  | { readonly type: 'socket.closed'; readonly code: number; readonly clean: boolean }
  /**
   * An offer arrived. `restart`: the same peer connection with new ICE credentials; `replacement`: a new peer
   * connection for a live session. `resume`: the client may return after a reload of its page, which closes its peer;
   * it hangs up with a message.
   */
  | { readonly type: 'offer.received'; readonly kind: 'first' | 'restart' | 'replacement'; readonly resume?: true }
  /**
   * DTLS is connected. After `replacement`, the client has lost all its state. `renewed`: the same client with a new
   * server peer.
   */
  | { readonly type: 'peer.connected'; readonly kind: 'first' | 'renewed' | 'replacement' }
  /**
   * The client does not acknowledge packets in time, so what is sent now may not arrive. `arrivedUpTo`: everything sent
   * until then has arrived; absent: not known.
   */
  | { readonly type: 'peer.unresponsive'; readonly arrivedUpTo?: number }
  /** The client acknowledges packets again, or Parley no longer waits for it. */
  | { readonly type: 'peer.responsive' }
  /** No packet from the client for the front's silence limit. `arrivedUpTo`: as of `peer.unresponsive`. */
  | { readonly type: 'peer.quiet'; readonly arrivedUpTo?: number }
  /** Packets flow again after `peer.quiet`. */
  | { readonly type: 'peer.flowing'; readonly quietMs: number }
  /** From now on, packets to the client go by UDP or by TCP. TCP: its network blocks UDP. */
  | { readonly type: 'peer.path'; readonly protocol: 'udp' | 'tcp' }
  /** The client closed its peer connection (DTLS close alert or SCTP abort). */
  | { readonly type: 'peer.closed' }
  /** The data channel is open: messages can be sent. */
  | { readonly type: 'channel.opened' }
  /** Models are loaded, the avatar is prepared: input is accepted. */
  | { readonly type: 'pipeline.ready' }
  /** The first video packet was sent, or a client without video is connected. Starts the maximum-length countdown. */
  | { readonly type: 'media.started' }

  // ── the user's audio: VAD, STT, end of turn ──
  /** The VAD has judged one window of the user's audio. `endsAt` is on the session's clock. */
  | ({ readonly type: 'vad.window' } & VadWindow)
  /**
   * The words of the utterance so far. A later event replaces it. `behind`: the last words come soon after the voice
   * stops.
   */
  | { readonly type: 'stt.partial'; readonly text: string; readonly place?: 'behind' }
  /**
   * Answer to `stt.finish`: the recognized text. Empty: no words. `confidence`: the recognizer's confidence, 0…1, if it
   * reports one.
   */
  | {
      readonly type: 'stt.final';
      readonly text: string;
      readonly language: string | null;
      readonly confidence?: number;
    }
  /** The recognizer failed for this utterance. `message` is for the log. */
  | { readonly type: 'stt.failed'; readonly message: string }
  /** No recognizer supports the session's language (ISO 639-1), so transcripts will be wrong. */
  | { readonly type: 'stt.languageUnavailable'; readonly language: string }
  /** Answer to `endOfTurn.predict`, or a hint of the recognizer: the probability that the turn is over, 0…1. */
  | { readonly type: 'endOfTurn.predicted'; readonly probability: number }
  /** The noise filter is unavailable; the session continues without it. */
  | { readonly type: 'enhancement.unavailable' }

  // ── speech: the persona's audio. One segment = one sentence or clause. ──
  /** TTS has returned the first audio of the segment. */
  | { readonly type: 'speech.firstAudio'; readonly segmentId: string }
  /** Times of the segment's words as they become known; `durationMs` is final on the last one (`complete`). */
  | {
      readonly type: 'speech.timing';
      readonly segmentId: string;
      readonly words: readonly TimedUnit[];
      readonly durationMs: number;
      readonly complete: boolean;
    }
  /** The segment's first sample was sent. */
  | { readonly type: 'speech.started'; readonly segmentId: string }
  /** After a gap, the segment's audio continues from this position. */
  | { readonly type: 'speech.resumed'; readonly segmentId: string; readonly positionMs: number }
  /** The segment's last sample was sent. */
  | { readonly type: 'speech.finished'; readonly segmentId: string }
  /** Answer to `speech.cut`: how much of the segment that was playing had been sent. Null when nothing was playing. */
  | { readonly type: 'speech.cut'; readonly segmentId: string | null; readonly playedMs: number }
  /** TTS failed for the segment. `message` is for the client. */
  | { readonly type: 'speech.failed'; readonly segmentId: string; readonly message: string }
  /** Playback of audio that the client supplies itself (passthrough) begins. */
  | { readonly type: 'passthrough.started' }
  /**
   * Playback of passthrough audio has ended. `interrupted`: it was cut off. `playedMs`: how much of the sequence was
   * sent; absent in older logs.
   */
  | { readonly type: 'passthrough.finished'; readonly interrupted: boolean; readonly playedMs?: number }
  /** The client sent audio that this session refuses. Reported once per reason, which is absent in older logs. */
  | { readonly type: 'passthrough.refused'; readonly reason?: PassthroughRefusal }

  // ── LLM ──
  /** A piece of the answer. `spoken`: the model speaks it itself; an empty text: its audio begins before its words. */
  | { readonly type: 'llm.text'; readonly requestId: string; readonly text: string; readonly spoken?: true }
  /** A piece of the LLM's reasoning. Never spoken. */
  | { readonly type: 'llm.reasoning'; readonly requestId: string; readonly text: string }
  /** The LLM calls a tool. The arguments are not validated yet. */
  | { readonly type: 'llm.toolCall'; readonly requestId: string; readonly call: LlmToolCall }
  /** An agent has something to say without a request. The next request gets it. */
  | { readonly type: 'llm.speaks' }
  /** The answer is complete. */
  | { readonly type: 'llm.done'; readonly requestId: string }
  /**
   * The answer failed or broke off. `message` is for the client. `askAgain`: what a retry may give; absent: nothing.
   */
  | {
      readonly type: 'llm.failed';
      readonly requestId: string;
      readonly message: string;
      readonly askAgain?: RetryKind;
    }

  /**
   * One of several recognizers, LLMs or voices gives a result. `place`: its place in the operator's order, 0 is the
   * preferred one.
   */
  | {
      readonly type: 'provider.used';
      readonly service: 'stt' | 'llm' | 'tts';
      readonly provider: string;
      readonly place: number;
    }

  /**
   * A provider has done billable work, even if its result is not used: a dropped answer counts as well.
   */
  | {
      readonly type: 'provider.metered';
      readonly service: 'stt' | 'llm' | 'tts';
      readonly provider: string;
      readonly place: number;
      readonly amounts: Amounts;
    }

  // ── tools that run on the server ──
  /** Answer to `tool.run`. `output` is for the LLM, `result` for the client. */
  | {
      readonly type: 'tool.succeeded';
      readonly callId: string;
      readonly output: string;
      readonly result: unknown;
      readonly documentsAccessed?: readonly string[];
    }
  /** Answer to `tool.run`. `message` is for the LLM and the client. */
  | { readonly type: 'tool.failed'; readonly callId: string; readonly message: string }

  // ── the meeting that the persona is in ──
  /** All participants of the meeting except the persona, whenever the list changes. */
  | { readonly type: 'meeting.participants'; readonly participants: readonly MeetingParticipant[] }
  /**
   * The audio of a participant becomes loud, or has been quiet for some 300 ms. Words and times come from the mix of
   * all participants.
   */
  | { readonly type: 'meeting.speaking'; readonly participantId: string; readonly speaking: boolean }

  // ── what the client sends (already parsed and bounded in size at the edge) ──
  /** The user typed a message. */
  | { readonly type: 'client.text'; readonly content: string }
  /** The application wants the persona to stop speaking. */
  | { readonly type: 'client.interrupt' }
  /** Background information for the LLM. It does not answer. */
  | { readonly type: 'client.context'; readonly content: string }
  /** Instructions of an OpenAI Realtime client, and the tools that it runs itself. */
  | {
      readonly type: 'client.instructs';
      readonly instructions: string;
      readonly tools: readonly Extract<ToolDefinition, { kind: 'client' }>[];
    }
  /** A director's cue, for now or for a later time. `problem`: why it is invalid; null: it is valid. */
  | {
      readonly type: 'client.cue';
      readonly tag: string;
      readonly inSeconds: number | null;
      readonly atSeconds: number | null;
      readonly problem: string | null;
    }
  /** The result of a client tool. `error`: it failed. */
  | {
      readonly type: 'client.toolResult';
      readonly toolCallId: string;
      readonly result: unknown;
      readonly error: string | null;
    }
  /** Changed settings. `data` is not validated yet: the settings actor accepts or rejects it as a whole. */
  | { readonly type: 'client.personaConfig'; readonly data: unknown }
  /** Text that the persona speaks word for word. */
  | { readonly type: 'client.talk'; readonly content: string }
  /** A piece of a talk stream. */
  | {
      readonly type: 'client.talkChunk';
      readonly content: string;
      readonly startOfSpeech: boolean;
      readonly endOfSpeech: boolean;
      readonly correlationId: string;
      readonly utteranceId: string | null;
    }
  /** The client ends the session: `endsession` on the socket. */
  | { readonly type: 'client.hangUp' }

  // ── the service ──
  /**
   * Another process continues the session; the client reconnects there with its next offer. `arrivedUpTo`: everything
   * sent until then has arrived; absent: the client was not connected.
   */
  | { readonly type: 'session.takenOver'; readonly arrivedUpTo?: number }
  /** The service ends the session. */
  | {
      readonly type: 'service.stop';
      readonly reason:
        | 'stopped_by_api'
        | 'share_link_withdrawn'
        | 'engine_shutdown'
        | 'usage_limit'
        | 'meeting_ended'
        | 'user_inactivity'
        | 'end_call'
        | 'max_session_length'
        | 'connection_lost'
        | 'engine_error';
    };

/** Another participant of the meeting. The name is one line of at most 100 characters; empty: not known. */
export interface MeetingParticipant {
  readonly id: string;
  readonly name: string;
}

/** `disabled`: passthrough is not enabled; `format`: unsupported audio format; `full`: too much audio is waiting. */
export type PassthroughRefusal = 'disabled' | 'format' | 'full';

export type SessionEventType = SessionEvent['type'];
export type EventOf<T extends SessionEventType> = Extract<SessionEvent, { type: T }>;

/** One line of the flight recorder. */
export interface RecordedEvent {
  readonly at: number;
  readonly event: SessionEvent;
}

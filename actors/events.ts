import type { Amounts, LlmToolCall, RetryKind, TimedUnit } from '../models/ports.ts';
import type { ToolDefinition } from './session-config.ts';
import type { VadWindow } from './vad/vad-window.ts';

/**
 * Everything that enters a session's actor tree: one catalogue. The engine makes these; the flight recorder writes
 * them down; a replay feeds the same ones to the same machines and gets the same commands back (`commands.ts`).
 * Audio and video frames never appear here. `at…` fields are ms on the session's clock.
 */
export type SessionEvent =
  // ── connection ──
  /** The signaling socket is open. */
  | { readonly type: 'socket.opened' }
  /**
   * The signaling socket is closed. `code`: of WebSocket; `clean`: the client said so. With 1000 or 1001 and silence
   * after it, the client has left.
   */
  | { readonly type: 'socket.closed'; readonly code: number; readonly clean: boolean }
  /**
   * An offer arrived. `restart`: same peer connection, new ICE credentials; `replacement`: a new one onto a live
   * session. `resume`: the client comes back after a reload of its page, which closes its peer; it hangs up by a
   * message.
   */
  | { readonly type: 'offer.received'; readonly kind: 'first' | 'restart' | 'replacement'; readonly resume?: true }
  /**
   * DTLS is up. After `replacement` the client has lost all state of its own. `renewed`: same client, fresh server
   * peer.
   */
  | { readonly type: 'peer.connected'; readonly kind: 'first' | 'renewed' | 'replacement' }
  /**
   * The client does not answer what it always answers at once: what is sent now may not arrive. `arrivedUpTo`: what was
   * sent until then has arrived; left out: nobody knows.
   */
  | { readonly type: 'peer.unresponsive'; readonly arrivedUpTo?: number }
  /** The client answers again, or is not waited for any longer. */
  | { readonly type: 'peer.responsive' }
  /** No packet from the client for the front's silence limit. `arrivedUpTo`: as of `peer.unresponsive`. */
  | { readonly type: 'peer.quiet'; readonly arrivedUpTo?: number }
  /** Packets flow again after `peer.quiet`. */
  | { readonly type: 'peer.flowing'; readonly quietMs: number }
  /** Packets to the client go by UDP or by TCP from now on. TCP: its network blocks UDP. */
  | { readonly type: 'peer.path'; readonly protocol: 'udp' | 'tcp' }
  /** The client closed its peer connection (DTLS close alert or SCTP abort). */
  | { readonly type: 'peer.closed' }
  /** The data channel is open: messages can be sent. */
  | { readonly type: 'channel.opened' }
  /** Models are loaded, the avatar is prepared: input is accepted. */
  | { readonly type: 'pipeline.ready' }
  /** First video packet left, or a client that takes no video is connected. Starts the maximum-length countdown. */
  | { readonly type: 'media.started' }

  // ── the user's audio: VAD, STT, end of turn ──
  /** The VAD has judged one window of the user's audio. `endsAt` is on the session's clock. */
  | ({ readonly type: 'vad.window' } & VadWindow)
  /**
   * What is understood so far of the utterance. A later one replaces it. `behind`: its last words come soon after the
   * voice stops.
   */
  | { readonly type: 'stt.partial'; readonly text: string; readonly place?: 'behind' }
  /**
   * Answer to `stt.finish`: what was understood. Empty text: nothing was. `confidence`: how sure the recognizer is of
   * the words, 0…1, if it says so.
   */
  | {
      readonly type: 'stt.final';
      readonly text: string;
      readonly language: string | null;
      readonly confidence?: number;
    }
  /** The recognizer gave up on the utterance. `message` is fit for the log. */
  | { readonly type: 'stt.failed'; readonly message: string }
  /** No recognizer understands the language of the session (ISO 639-1): what is heard will be wrong. */
  | { readonly type: 'stt.languageUnavailable'; readonly language: string }
  /** Answer to `endOfTurn.predict`, or a hint of the recognizer: how likely the turn is over, 0…1. */
  | { readonly type: 'endOfTurn.predicted'; readonly probability: number }
  /** The noise filter could not be used; the session goes on without. */
  | { readonly type: 'enhancement.unavailable' }

  // ── speech: the persona's audio. One segment = one sentence or clause. ──
  /** TTS has given the first sound of the segment. */
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
  /** After a gap its sound goes on, from this place. */
  | { readonly type: 'speech.resumed'; readonly segmentId: string; readonly positionMs: number }
  /** The segment's last sample was sent. */
  | { readonly type: 'speech.finished'; readonly segmentId: string }
  /** Answer to `speech.cut`: how much of the segment that was playing had been sent. Null when nothing was playing. */
  | { readonly type: 'speech.cut'; readonly segmentId: string | null; readonly playedMs: number }
  /** TTS could not say the segment. `message` is fit for the client. */
  | { readonly type: 'speech.failed'; readonly segmentId: string; readonly message: string }
  /** Audio that the client supplies itself (passthrough) begins to be heard. */
  | { readonly type: 'passthrough.started' }
  /**
   * Passthrough audio is not heard any more. `interrupted`: it was cut off. `playedMs`: how much of the sequence was
   * sent; older logs have none.
   */
  | { readonly type: 'passthrough.finished'; readonly interrupted: boolean; readonly playedMs?: number }
  /** The client sent audio that this session does not take. Reported once for each reason; older logs have none. */
  | { readonly type: 'passthrough.refused'; readonly reason?: PassthroughRefusal }

  // ── LLM ──
  /** A piece of the answer. `spoken`: the model says it itself; an empty text: its sound begins before its words. */
  | { readonly type: 'llm.text'; readonly requestId: string; readonly text: string; readonly spoken?: true }
  /** A piece of what the LLM thinks before it answers. Never spoken. */
  | { readonly type: 'llm.reasoning'; readonly requestId: string; readonly text: string }
  /** The LLM wants a tool to be run. Its arguments are unchecked. */
  | { readonly type: 'llm.toolCall'; readonly requestId: string; readonly call: LlmToolCall }
  /** An agent has something to say that nobody asked for. The next request gets it. */
  | { readonly type: 'llm.speaks' }
  /** The answer is complete. */
  | { readonly type: 'llm.done'; readonly requestId: string }
  /**
   * There is no answer, or no more of it. `message` is fit for the client. `askAgain`: what that may bring; absent:
   * nothing.
   */
  | {
      readonly type: 'llm.failed';
      readonly requestId: string;
      readonly message: string;
      readonly askAgain?: RetryKind;
    }

  /**
   * A recognizer, LLM or voice of several gives something. `place`: in the operator's order, 0 is the preferred one.
   */
  | {
      readonly type: 'provider.used';
      readonly service: 'stt' | 'llm' | 'tts';
      readonly provider: string;
      readonly place: number;
    }

  /**
   * A provider has done something that is paid for, whether or not anything comes of it: an answer that nobody wants any
   * more counts as well.
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
  /** Who is in the meeting, without the persona: the whole list, whenever it changes. */
  | { readonly type: 'meeting.participants'; readonly participants: readonly MeetingParticipant[] }
  /**
   * A participant's sound becomes loud, or has been quiet for some 300 ms. Words and times come from the mix of all.
   */
  | { readonly type: 'meeting.speaking'; readonly participantId: string; readonly speaking: boolean }

  // ── what the client sends (already parsed and bounded in size at the edge) ──
  /** The user typed a message. */
  | { readonly type: 'client.text'; readonly content: string }
  /** The application wants the persona to stop speaking. */
  | { readonly type: 'client.interrupt' }
  /** Background that the LLM shall know, without an answer to it. */
  | { readonly type: 'client.context'; readonly content: string }
  /** The application behind a Realtime front tells what the persona is to do, and which tools it runs itself. */
  | {
      readonly type: 'client.instructs';
      readonly instructions: string;
      readonly tools: readonly Extract<ToolDefinition, { kind: 'client' }>[];
    }
  /** A director's cue: at once, or at its time. `problem`: why it cannot be read; null: it can. */
  | {
      readonly type: 'client.cue';
      readonly tag: string;
      readonly inSeconds: number | null;
      readonly atSeconds: number | null;
      readonly problem: string | null;
    }
  /** What a client tool has given. `error`: it failed. */
  | {
      readonly type: 'client.toolResult';
      readonly toolCallId: string;
      readonly result: unknown;
      readonly error: string | null;
    }
  /** Settings to be changed. `data` is still unchecked: the settings actor accepts or rejects it whole. */
  | { readonly type: 'client.personaConfig'; readonly data: unknown }
  /** Text that the persona shall say as it is. */
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
   * Another process goes on with the session; the client comes there with its next offer. `arrivedUpTo`: what was sent
   * until then has arrived; left out: the client was not there.
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

/** Somebody else in the meeting. The name is one line of at most 100 characters; empty: it is not known. */
export interface MeetingParticipant {
  readonly id: string;
  readonly name: string;
}

/** Passthrough is not enabled; audio of this format cannot be spoken; too much waits to be spoken already. */
export type PassthroughRefusal = 'disabled' | 'format' | 'full';

export type SessionEventType = SessionEvent['type'];
export type EventOf<T extends SessionEventType> = Extract<SessionEvent, { type: T }>;

/** One line of the flight recorder. */
export interface RecordedEvent {
  readonly at: number;
  readonly event: SessionEvent;
}

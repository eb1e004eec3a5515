import type { LlmMessage, ToolSpec, VoiceTuning } from '../models/ports.ts';
import type { ServerMessage } from './messages.ts';
import type { EndReason, SessionReportEntry } from './report.ts';

/**
 * The catalogue of everything that a session's actors request from the engine, the other half of `events.ts`. A command
 * is sent and forgotten; its result returns as an event. So the whole tree is a function from events to commands.
 */
export type SessionCommand =
  // ── wire ──
  /** To the data channel, through the outbox: delivered once, in order, across reconnects. */
  | { readonly type: 'message.send'; readonly message: ServerMessage }
  | { readonly type: 'signal.ready' }
  /** `code`: its name in the report of the session. */
  | { readonly type: 'signal.warning'; readonly code: string; readonly text: string }
  | { readonly type: 'signal.talkInterrupted'; readonly correlationId: string }
  /** Sends `endsession` (when text is not null), then closes the socket and the peer. Always the last command. */
  | { readonly type: 'session.close'; readonly text: string | null; readonly reason: EndReason }

  // ── incoming audio: STT, end of turn ──
  /** End the utterance: one `stt.final` follows. */
  | { readonly type: 'stt.finish' }
  /** Forget the utterance: no `stt.final`. */
  | { readonly type: 'stt.reset' }
  | { readonly type: 'audioIn.configure'; readonly language?: string | null; readonly enhancementLevel?: number }
  /** Ask the optional end-of-turn model; `endOfTurn.predicted` follows if there is one. */
  | { readonly type: 'endOfTurn.predict' }

  // ── speech ──
  /** Synthesize a segment and play it after those before it. `pauseMs` of silence follow it. */
  | {
      readonly type: 'speech.say';
      readonly segmentId: string;
      readonly text: string;
      readonly language: string;
      readonly pauseMs: number;
      /** The model speaks it itself, and its text has the words that are known so far. */
      readonly spoken?: true;
    }
  /**
   * The answer probably begins with this text. Its audio waits for `speech.say` with the same text. Any other `say`,
   * `prepare` or `cut` drops it.
   */
  | { readonly type: 'speech.prepare'; readonly text: string; readonly language: string }
  /** Lower the voice (about −20 dB within 20 ms) while deciding whether this is an interruption. */
  | { readonly type: 'speech.duck' }
  | { readonly type: 'speech.unduck' }
  /** Drop what is queued and stop at once; `speech.cut` follows. Also purges passthrough audio. */
  | { readonly type: 'speech.cut' }
  | { readonly type: 'speech.configure'; readonly tuning: VoiceTuning }

  // ── face ──
  | { readonly type: 'face.show'; readonly mood: 'idle' | 'listening' | 'thinking' | 'speaking' }
  | { readonly type: 'face.cue'; readonly tag: string | null }

  // ── LLM ──
  | {
      readonly type: 'llm.request';
      readonly requestId: string;
      readonly messages: readonly LlmMessage[];
      readonly tools: readonly ToolSpec[];
      readonly correlationId: string;
      readonly language: string | null;
      /** An empty answer is allowed. */
      readonly mayBeEmpty?: true;
    }
  | { readonly type: 'llm.cancel'; readonly requestId: string }

  // ── tools ──
  /**
   * A webhook or knowledge tool; `tool.succeeded` or `tool.failed` follows. Client and system tools never come here.
   */
  | {
      readonly type: 'tool.run';
      readonly callId: string;
      readonly toolName: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly correlationId: string;
    }

  // ── record ──
  /** Data to store: a transcript row, a turn's timings, a tool call, the end. */
  | { readonly type: 'report'; readonly entry: SessionReportEntry };

export type SessionCommandType = SessionCommand['type'];

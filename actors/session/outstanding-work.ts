import type { SessionCommand } from '../commands.ts';
import type { EventOf, SessionEvent } from '../events.ts';

type CommandOf<T extends SessionCommand['type']> = Extract<SessionCommand, { type: T }>;

/**
 * What a session has asked of its engine and not been answered yet, and how it has set the engine's parts: what another
 * engine that goes on with the session has to know. Fed with every event and command of the session, in their order.
 */
export class OutstandingWork {
  /** By request id: whether anything of the answer has come. */
  readonly #questions = new Map<string, 'nothing yet' | 'begun'>();
  readonly #tools = new Map<string, CommandOf<'tool.run'>>();
  #playing: { readonly segmentId: string; readonly startedAt: number } | null = null;
  /** When the speech was to be cut, for a cut that was not answered. */
  #cutAt: number | null = null;
  #utterance: 'none' | 'heard' | 'final awaited' = 'none';
  #passthrough: 'off' | 'on' = 'off';
  #duck: 'full' | 'lowered' = 'full';
  #audioIn: Omit<CommandOf<'audioIn.configure'>, 'type'> = {};
  #tuning: CommandOf<'speech.configure'>['tuning'] | null = null;
  #mood: CommandOf<'face.show'>['mood'] | null = null;
  #cue: string | null | undefined;
  #seen = { ready: false, prepared: false, media: false };
  /** Messages to the client so far. */
  messages = 0;

  event(event: SessionEvent, at: number): void {
    switch (event.type) {
      case 'llm.text':
      case 'llm.reasoning':
      case 'llm.toolCall':
        if (this.#questions.has(event.requestId)) this.#questions.set(event.requestId, 'begun');
        return;
      case 'llm.done':
      case 'llm.failed':
        this.#questions.delete(event.requestId);
        return;
      case 'tool.succeeded':
      case 'tool.failed':
        this.#tools.delete(event.callId);
        return;
      case 'speech.started':
        this.#playing = { segmentId: event.segmentId, startedAt: at };
        return;
      case 'speech.finished':
      case 'speech.failed':
        if (this.#playing?.segmentId === event.segmentId) this.#playing = null;
        return;
      case 'speech.cut':
        this.#playing = null;
        this.#cutAt = null;
        return;
      case 'stt.partial':
        if (this.#utterance === 'none' && event.text !== '') this.#utterance = 'heard';
        return;
      case 'stt.final':
      case 'stt.failed':
        this.#utterance = 'none';
        return;
      case 'passthrough.started':
        this.#passthrough = 'on';
        return;
      case 'passthrough.finished':
        this.#passthrough = 'off';
        return;
      case 'pipeline.ready':
        this.#seen.prepared = true;
        return;
      case 'media.started':
        this.#seen.media = true;
        return;
      default:
        return;
    }
  }

  command(command: SessionCommand, at: number): void {
    switch (command.type) {
      case 'llm.request':
        this.#questions.set(command.requestId, 'nothing yet');
        return;
      case 'llm.cancel':
        this.#questions.delete(command.requestId);
        return;
      case 'tool.run':
        this.#tools.set(command.callId, command);
        return;
      case 'speech.cut':
        this.#cutAt ??= at;
        return;
      case 'speech.duck':
        this.#duck = 'lowered';
        return;
      case 'speech.unduck':
        this.#duck = 'full';
        return;
      case 'speech.configure':
        this.#tuning = command.tuning;
        return;
      case 'stt.finish':
        this.#utterance = 'final awaited';
        return;
      case 'stt.reset':
        this.#utterance = 'none';
        return;
      case 'audioIn.configure': {
        const { type: _, ...options } = command;
        this.#audioIn = { ...this.#audioIn, ...options };
        return;
      }
      case 'face.show':
        this.#mood = command.mood;
        return;
      case 'face.cue':
        this.#cue = command.tag;
        return;
      case 'signal.ready':
        this.#seen.ready = true;
        return;
      case 'message.send':
        this.messages += 1;
        return;
      default:
        return;
    }
  }

  /** Whether the client was told that the session is ready, the face was prepared, and a frame had left. */
  get seen(): { readonly ready: boolean; readonly prepared: boolean; readonly media: boolean } {
    return this.#seen;
  }

  /** Commands that bring new parts of an engine to where the old ones were. */
  settings(): readonly SessionCommand[] {
    return [
      ...(Object.keys(this.#audioIn).length > 0 ? [{ type: 'audioIn.configure', ...this.#audioIn } as const] : []),
      ...(this.#tuning === null ? [] : [{ type: 'speech.configure', tuning: this.#tuning } as const]),
      ...(this.#duck === 'full' ? [] : [{ type: 'speech.duck' } as const]),
      ...(this.#mood === null ? [] : [{ type: 'face.show', mood: this.#mood } as const]),
      ...(this.#cue === undefined ? [] : [{ type: 'face.cue', tag: this.#cue } as const]),
    ];
  }

  /**
   * The answer to a cut of speech that died with its engine. @param at when that was, ms on the session's clock.
   */
  cutAt(at: number): EventOf<'speech.cut'> {
    const until = Math.min(at, this.#cutAt ?? at);
    return this.#playing === null
      ? { type: 'speech.cut', segmentId: null, playedMs: 0 }
      : {
          type: 'speech.cut',
          segmentId: this.#playing.segmentId,
          playedMs: Math.max(0, until - this.#playing.startedAt),
        };
  }

  get isCutAwaited(): boolean {
    return this.#cutAt !== null;
  }

  /** What has to be dispatched because nobody else answers any more. */
  failures(): readonly SessionEvent[] {
    return [
      ...(this.#passthrough === 'on' ? [{ type: 'passthrough.finished', interrupted: true } as const] : []),
      ...(this.#utterance === 'final awaited' ? [LOST_UTTERANCE] : []),
      ...[...this.#questions].map(
        ([requestId, answer]) =>
          ({
            type: 'llm.failed',
            requestId,
            message: MOVED,
            askAgain: answer === 'begun' ? 'for the rest' : 'for an answer',
          }) as const,
      ),
    ];
  }

  /** Words were understood that a new recognizer knows nothing of: its final text would be without them. */
  get isUtteranceLost(): boolean {
    return this.#utterance === 'heard';
  }

  /** Tools that were running: what came of them is not known. */
  tools(): readonly CommandOf<'tool.run'>[] {
    return [...this.#tools.values()];
  }
}

/** Fit for the client. */
const MOVED = 'The service went on in another process.';

/** The answer to `stt.finish` where the utterance was lost: the words so far are all that is known of it. */
export const LOST_UTTERANCE: EventOf<'stt.failed'> = { type: 'stt.failed', message: MOVED };

/** For the LLM and the client. The call may have done its work: it is not made twice. */
export const TOOL_RESULT_UNKNOWN =
  'The result is not known: the service went on in another process while the tool was running. It may have done its work.';

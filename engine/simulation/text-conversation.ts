import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import { createSession, type Session } from '../../actors/session/create-session.ts';
import { parseIsoTime } from '../../actors/kernel/iso-time.ts';
import { seededIds } from '../../actors/kernel/seeded-ids.ts';
import { SteppingClock } from '../../actors/kernel/stepping-clock.ts';
import type { SessionEnd, ToolCallRecord, TranscriptMessage, TurnRecord } from '../../actors/report.ts';
import type { SessionConfig } from '../../actors/session-config.ts';
import type { LanguageModel } from '../../models/ports.ts';
import { SimulatedLlm } from './simulated-llm.ts';
import { SimulatedVoice } from './simulated-voice.ts';

/** What a tool answers in a simulated conversation. */
export type MockedAnswer = { readonly output: string } | { readonly error: string };

export interface SimulatedUser {
  /** What the user says next; null: nothing more, the user hangs up. */
  next(said: readonly TranscriptMessage[]): Promise<string | null>;
}

export interface TextConversationOptions {
  readonly config: SessionConfig;
  readonly llm: LanguageModel;
  readonly user: SimulatedUser;
  /** Answers for every tool but those of the system. Never rejects. */
  readonly runTool: (name: string, args: Readonly<Record<string, unknown>>) => Promise<MockedAnswer>;
  readonly signal: AbortSignal;
}

export interface TextConversation {
  readonly messages: readonly TranscriptMessage[];
  readonly turns: readonly TurnRecord[];
  readonly toolCalls: readonly ToolCallRecord[];
  readonly end: SessionEnd | null;
  /** On the simulated clock. */
  readonly durationMs: number;
}

/** The same in every run: ids and times are part of what an LLM is asked. */
const STARTED_AT = '2026-01-01T09:00:00Z';
const SEED = 'a simulated conversation: nobody guesses its ids, because nobody else is in it';
const STEP_MS = 20;
/** The persona has nothing more to say when nothing has happened for this time. Shorter than every silence prompt. */
const QUIET_MS = 400;
/** A tool that answers from a test takes as long as a quick service. */
const TOOL_MS = 300;
/** Longer conversations go round in circles. */
const LONGEST_MS = 3_600_000;

/**
 * Holds a whole conversation in text with the real actors of a session, an LLM, and a user who types. Time is simulated:
 * it stands still while the LLM is asked, so a conversation of minutes takes milliseconds.
 */
export async function holdTextConversation(options: TextConversationOptions): Promise<TextConversation> {
  const conversation = new Conversation(options);
  return conversation.hold();
}

class Conversation {
  readonly #options: TextConversationOptions;
  readonly #clock = new SteppingClock();
  readonly #session: Session;
  readonly #voice: SimulatedVoice;
  readonly #llm: SimulatedLlm;
  /** What is being waited for while the clock stands still. */
  readonly #work = new Set<Promise<void>>();
  readonly #messages: TranscriptMessage[] = [];
  readonly #turns: TurnRecord[] = [];
  readonly #toolCalls = new Map<string, ToolCallRecord>();
  #end: SessionEnd | null = null;
  #state: 'open' | 'closed' = 'open';
  /** Tools that were answered and whose answer is still on its way. */
  #answers = 0;
  #lastActivity = 0;

  constructor(options: TextConversationOptions) {
    this.#options = options;
    const { config, llm, signal } = options;
    const dispatch = (event: SessionEvent): void => this.#dispatch(event);
    this.#voice = new SimulatedVoice(this.#clock, dispatch);
    this.#llm = new SimulatedLlm({ llm, sessionId: config.sessionId, clock: this.#clock, dispatch, signal });
    this.#session = createSession({
      config,
      clock: this.#clock,
      ids: seededIds(SEED),
      startedAtWall: parseIsoTime(STARTED_AT),
      endOfTurnModelAvailable: false,
      perform: (command) => this.#perform(command),
    });
  }

  async hold(): Promise<TextConversation> {
    for (const event of CONNECTED) this.#dispatch(event);
    await this.#untilQuiet();
    while (this.#isOpen) {
      const words = await this.#options.user.next(this.#messages);
      if (words === null) {
        this.#dispatch({ type: 'client.hangUp' });
        break;
      }
      this.#dispatch({ type: 'client.text', content: words });
      await this.#untilQuiet();
    }
    await this.#untilQuiet();
    this.#session.stop();
    return {
      messages: this.#messages,
      turns: this.#turns,
      toolCalls: [...this.#toolCalls.values()],
      end: this.#end,
      durationMs: this.#clock.now(),
    };
  }

  get #isOpen(): boolean {
    return this.#state === 'open' && !this.#options.signal.aborted && this.#clock.now() < LONGEST_MS;
  }

  /** Lets time pass until the persona has said what it has to say, or the session is over. */
  async #untilQuiet(): Promise<void> {
    this.#lastActivity = this.#clock.now();
    while (this.#isOpen) {
      // Other sessions of this process are due meanwhile.
      await nextTurn();
      if (this.#work.size > 0) {
        await Promise.race(this.#work);
        continue;
      }
      this.#clock.advance(STEP_MS);
      if (!this.#voice.isQuiet || !this.#llm.isQuiet || this.#answers > 0) this.#lastActivity = this.#clock.now();
      if (this.#work.size === 0 && this.#clock.now() - this.#lastActivity >= QUIET_MS) return;
    }
  }

  #dispatch(event: SessionEvent): void {
    this.#lastActivity = this.#clock.now();
    this.#session.dispatch(event);
  }

  #perform(command: SessionCommand): void {
    switch (command.type) {
      case 'llm.request':
        return this.#while(this.#llm.ask(command));
      case 'llm.cancel':
        return this.#llm.cancel(command.requestId);
      case 'speech.say':
        return this.#voice.say(command.segmentId, command.text, command.pauseMs);
      case 'speech.cut':
        return this.#voice.cut();
      case 'stt.finish':
        return this.#dispatch({ type: 'stt.final', text: '', language: null });
      case 'tool.run':
        return this.#runTool(command.callId, command.toolName, command.args);
      case 'message.send':
        return this.#runClientTool(command.message);
      case 'report':
        return this.#note(command.entry);
      case 'session.close':
        this.#state = 'closed';
        return;
      default:
        return;
    }
  }

  #runTool(callId: string, name: string, args: Readonly<Record<string, unknown>>): void {
    this.#answered(name, args, (answer) =>
      'error' in answer
        ? { type: 'tool.failed', callId, message: answer.error }
        : { type: 'tool.succeeded', callId, output: answer.output, result: answer.output },
    );
  }

  #runClientTool(message: Extract<SessionCommand, { type: 'message.send' }>['message']): void {
    if (message.messageType !== 'toolCallStarted' || message.data.tool_type !== 'client') return;
    const { tool_call_id: toolCallId, tool_name: name, arguments: args } = message.data;
    this.#answered(name, args as Readonly<Record<string, unknown>>, (answer) => ({
      type: 'client.toolResult',
      toolCallId,
      result: 'output' in answer ? answer.output : null,
      error: 'error' in answer ? answer.error : null,
    }));
  }

  #answered(
    name: string,
    args: Readonly<Record<string, unknown>>,
    eventOf: (answer: MockedAnswer) => SessionEvent,
  ): void {
    this.#answers += 1;
    const running = this.#options.runTool(name, args).then((answer) => {
      this.#clock.setTimeout(() => {
        this.#answers -= 1;
        this.#dispatch(eventOf(answer));
      }, TOOL_MS);
    });
    this.#while(running);
  }

  #while(work: Promise<void>): void {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }

  #note(entry: Extract<SessionCommand, { type: 'report' }>['entry']): void {
    if (entry.kind === 'message') this.#keepMessage(entry.message);
    else if (entry.kind === 'turn') this.#turns.push(entry.turn);
    else if (entry.kind === 'toolCall') this.#toolCalls.set(entry.call.callId, entry.call);
    else if (entry.kind === 'end') this.#end = entry.end;
  }

  /** A message is reported again as more of it is heard. */
  #keepMessage(message: TranscriptMessage): void {
    const known = this.#messages.findIndex(
      ({ messageId, role }) => messageId === message.messageId && role === message.role,
    );
    if (known < 0) this.#messages.push(message);
    else this.#messages[known] = message;
  }
}

/** Everything of a client that is there at once. */
const CONNECTED: readonly SessionEvent[] = [
  { type: 'socket.opened' },
  { type: 'offer.received', kind: 'first' },
  { type: 'pipeline.ready' },
  { type: 'peer.connected', kind: 'first' },
  { type: 'channel.opened' },
  { type: 'media.started' },
];

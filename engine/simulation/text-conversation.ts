import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import { createSession, type Session } from '../../actors/session/create-session.ts';
import { parseIsoTime } from '../../actors/kernel/iso-time.ts';
import { seededIds } from '../../actors/kernel/seeded-ids.ts';
import { SteppingClock } from '../../actors/kernel/stepping-clock.ts';
import type { TranscriptMessage } from '../../actors/report.ts';
import type { SessionConfig } from '../../actors/session-config.ts';
import type { LanguageModel } from '../../models/ports.ts';
import { ConversationRecord, type HeldConversation } from './conversation-record.ts';
import { MockedTools, type RunTool } from './mocked-tools.ts';
import { SimulatedLlm } from './simulated-llm.ts';
import { SimulatedVoice } from './simulated-voice.ts';

export interface SimulatedUser {
  /** What the user says next; null: nothing more, the user hangs up. */
  next(said: readonly TranscriptMessage[]): Promise<string | null>;
}

export interface TextConversationOptions {
  readonly config: SessionConfig;
  readonly llm: LanguageModel;
  readonly user: SimulatedUser;
  readonly runTool: RunTool;
  readonly signal: AbortSignal;
}

/** The same in every run: ids and times are part of what an LLM is asked. */
const STARTED_AT = '2026-01-01T09:00:00Z';
const SEED = 'a simulated conversation: nobody guesses its ids, because nobody else is in it';
const STEP_MS = 20;
/** The persona has nothing more to say when nothing has happened for this time. Shorter than every silence prompt. */
const QUIET_MS = 400;
/** Longer conversations go round in circles. */
const MAX_MS = 3_600_000;

/**
 * Holds a whole conversation in text with the real actors of a session, an LLM, and a user who types. Time is simulated:
 * it stands still while the LLM is asked, so a conversation of minutes takes milliseconds.
 */
export async function holdTextConversation(options: TextConversationOptions): Promise<HeldConversation> {
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
  readonly #record = new ConversationRecord();
  readonly #tools: MockedTools;
  #state: 'open' | 'closed' = 'open';
  #lastActivity = 0;

  constructor(options: TextConversationOptions) {
    this.#options = options;
    const { config, llm, runTool, signal } = options;
    const dispatch = (event: SessionEvent): void => this.#dispatch(event);
    this.#voice = new SimulatedVoice(this.#clock, dispatch);
    this.#tools = new MockedTools(runTool, this.#clock, dispatch);
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

  async hold(): Promise<HeldConversation> {
    for (const event of CONNECTED) this.#dispatch(event);
    await this.#untilQuiet();
    while (this.#isOpen) {
      const words = await this.#options.user.next(this.#record.messages);
      if (words === null) {
        this.#dispatch({ type: 'client.hangUp' });
        break;
      }
      this.#dispatch({ type: 'client.text', content: words });
      await this.#untilQuiet();
    }
    await this.#untilQuiet();
    this.#session.stop();
    return this.#record.over(this.#clock.now());
  }

  get #isOpen(): boolean {
    return this.#state === 'open' && !this.#options.signal.aborted && this.#clock.now() < MAX_MS;
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
      if (!this.#voice.isQuiet || !this.#llm.isQuiet || !this.#tools.isQuiet) this.#lastActivity = this.#clock.now();
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
        return this.#while(this.#tools.run(command));
      case 'message.send':
        return this.#while(this.#tools.ask(command.message));
      case 'report':
        return this.#record.note(command.entry);
      case 'session.close':
        this.#state = 'closed';
        return;
      default:
        return;
    }
  }

  #while(work: Promise<void> | null): void {
    if (work === null) return;
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
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

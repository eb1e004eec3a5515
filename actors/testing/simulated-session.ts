import { parseIsoTime } from '../kernel/iso-time.ts';
import { LOST_UTTERANCE, OutstandingWork, TOOL_RESULT_UNKNOWN } from '../session/outstanding-work.ts';
import { createSession, type Session } from '../session/create-session.ts';
import type { IdSource } from '../kernel/clock.ts';
import type { SessionCommand, SessionCommandType } from '../commands.ts';
import type { RecordedEvent, SessionEvent } from '../events.ts';
import type { ServerMessage, SpeechText } from '../messages.ts';
import type { SessionReportEntry } from '../report.ts';
import type { SessionConfig } from '../session-config.ts';
import { FakeEngine, type EngineDelays } from './fake-engine.ts';
import { SteppingClock } from '../kernel/stepping-clock.ts';
import { testConfig } from './session-config.ts';

/** Ids that can be read: 00000000-0000-4000-8000-00000000000n. */
export function countingIds(): IdSource {
  let next = 0;
  return {
    uuid: () => {
      next += 1;
      return `00000000-0000-4000-8000-${next.toString(16).padStart(12, '0')}`;
    },
    secret: () => 'c0de',
  };
}

/** A message type may be one of several that share a shape. */
type MessageOf<
  T extends ServerMessage['messageType'],
  M extends ServerMessage = ServerMessage,
> = M extends ServerMessage ? (T extends M['messageType'] ? M : never) : never;

export interface PerformedCommand {
  readonly at: number;
  readonly command: SessionCommand;
}

interface SpeakOptions {
  readonly partials?: boolean;
  readonly levelDb?: number;
  /** From a word's end to the partial text that has it. */
  readonly delayMs?: number;
}

const WINDOW_MS = 32;
/** Speech in a quiet room, and the room. */
const VOICE_DB = -25;
const ROOM_DB = -70;

/** A whole session on a simulated clock, with a fake engine and a user who can be scripted. */
export class SimulatedSession {
  readonly clock = new SteppingClock();
  readonly commands: PerformedCommand[] = [];
  readonly recorded: RecordedEvent[] = [];
  readonly session: Session;
  readonly engine: FakeEngine;
  readonly config: SessionConfig;
  #microphone: 'off' | 'on' = 'off';
  /** By how much the sound comes later than usual. */
  audioLateMs = 0;
  /** Sound that has been captured and is still on its way; null while nothing holds it up. */
  #heldUp: SessionEvent[] | null = null;
  #voice: { until: number; probability: number; levelDb: number } | null = null;

  constructor(
    options: {
      config?: Partial<SessionConfig>;
      delays?: Partial<EngineDelays>;
      endOfTurnModelAvailable?: boolean;
      ids?: IdSource;
      /** A session of another engine that this one goes on with: all events until its end. */
      past?: {
        readonly recorded: readonly RecordedEvent[];
        readonly endedAt: number;
        readonly answer: FakeEngine['answer'];
      };
    } = {},
  ) {
    this.config = testConfig(options.config);
    const engine = new FakeEngine(this.clock, (event) => this.dispatch(event), options.delays);
    this.engine = engine;
    const outstanding = new OutstandingWork();
    let lostSpeech: SessionEvent | null = null;
    let utterance: 'none' | 'lost' = 'none';
    let stage: 'past' | 'present' = options.past === undefined ? 'present' : 'past';
    this.session = createSession({
      config: this.config,
      clock: this.clock,
      ids: options.ids ?? countingIds(),
      startedAtWall: parseIsoTime('2026-01-01T00:00:00Z'),
      endOfTurnModelAvailable: options.endOfTurnModelAvailable ?? false,
      record: (recorded) => {
        this.recorded.push(recorded);
        outstanding.event(recorded.event, recorded.at);
      },
      perform: (command) => {
        this.commands.push({ at: this.clock.now(), command });
        if (stage === 'past') outstanding.command(command, this.clock.now());
        else if (command.type === 'speech.cut' && lostSpeech !== null) this.dispatch(lostSpeech);
        else if (command.type === 'stt.finish' && utterance === 'lost') {
          utterance = 'none';
          this.dispatch(LOST_UTTERANCE);
        } else engine.perform(command);
      },
    });
    if (options.past === undefined) return;
    for (const { at, event } of options.past.recorded) {
      this.clock.advanceTo(at);
      this.dispatch(event);
    }
    this.clock.advanceTo(options.past.endedAt);
    stage = 'present';
    this.engine.answer = options.past.answer;
    if (outstanding.isUtteranceLost) utterance = 'lost';
    const [failures, tools] = [outstanding.failures(), outstanding.tools()];
    lostSpeech = outstanding.cutAt(options.past.endedAt);
    if (outstanding.isCutAwaited) this.dispatch(lostSpeech);
    this.dispatch({ type: 'session.takenOver', arrivedUpTo: options.past.endedAt });
    lostSpeech = null;
    for (const event of failures) this.dispatch(event);
    for (const { callId } of tools) this.dispatch({ type: 'tool.failed', callId, message: TOOL_RESULT_UNKNOWN });
  }

  /** Its engine dies now, and another one goes on with it. The client is not there yet. */
  takenOver(answer: FakeEngine['answer'] = this.engine.answer): SimulatedSession {
    return new SimulatedSession({
      config: this.config,
      past: { recorded: [...this.recorded], endedAt: this.clock.now(), answer },
    });
  }

  /** The client's offer was answered by a fresh peer. */
  comeBack(): this {
    this.dispatch({ type: 'offer.received', kind: 'restart' });
    this.dispatch({ type: 'peer.connected', kind: 'renewed' });
    this.dispatch({ type: 'channel.opened' });
    return this.unmute();
  }

  dispatch(event: SessionEvent): void {
    this.session.dispatch(event);
  }

  /** Up to `sessionready`, with the microphone on. */
  connect(): this {
    this.dispatch({ type: 'socket.opened' });
    this.dispatch({ type: 'offer.received', kind: 'first' });
    this.dispatch({ type: 'pipeline.ready' });
    this.dispatch({ type: 'peer.connected', kind: 'first' });
    this.dispatch({ type: 'channel.opened' });
    this.dispatch({ type: 'media.started' });
    this.#microphone = 'on';
    this.#nextWindow();
    return this;
  }

  /** Time passes. */
  wait(ms: number): this {
    this.clock.advance(ms);
    return this;
  }

  /**
   * The user speaks for a while; the words come as partial text while they are spoken, each shortly after its end.
   * Returns when the voice ends.
   */
  speak(text: string, ms: number = text.length * 65, options: SpeakOptions = {}): this {
    return this.beginToSpeak(text, ms, options).wait(ms);
  }

  /** The same, but returns at once. */
  beginToSpeak(text: string, ms: number, options: SpeakOptions = {}): this {
    this.#voice = { until: this.clock.now() + ms, probability: 0.95, levelDb: options.levelDb ?? VOICE_DB };
    const words = text.split(/\s+/).filter((word) => word !== '');
    words.forEach((word, index) => {
      const spokenAfter = (ms * (index + 1)) / words.length;
      // The recognizer's utterance goes on until it is asked for the final text.
      this.clock.setTimeout(() => this.engine.hear(word), spokenAfter);
      this.clock.setTimeout(
        () => {
          if (options.partials !== false && this.engine.finalText !== '')
            this.dispatch({ type: 'stt.partial', text: this.engine.finalText });
        },
        spokenAfter + (options.delayMs ?? 80),
      );
    });
    return this;
  }

  /** The network holds the user's audio up for a while, then it comes all at once. */
  holdUpAudio(ms: number): this {
    this.#heldUp = [];
    this.wait(ms);
    this.#deliver();
    return this;
  }

  /** The session's thread does nothing for a while; the sound of that time is read soon afterwards. */
  stall(ms: number, readingMs = 30): this {
    this.#heldUp = [];
    this.clock.stall(ms);
    this.wait(readingMs);
    this.#deliver();
    return this;
  }

  #deliver(): void {
    for (const event of this.#heldUp?.splice(0) ?? []) this.dispatch(event);
    this.#heldUp = null;
  }

  /** A cough: a short sound that the voice detector takes for a voice, and no words. */
  cough(ms = 250): this {
    this.#voice = { until: this.clock.now() + ms, probability: 0.7, levelDb: VOICE_DB };
    return this.wait(ms);
  }

  type(content: string): this {
    this.dispatch({ type: 'client.text', content });
    return this;
  }

  /** Microphone sound stops coming. */
  mute(): this {
    this.#microphone = 'off';
    return this;
  }

  unmute(): this {
    if (this.#microphone === 'off') {
      this.#microphone = 'on';
      this.#nextWindow();
    }
    return this;
  }

  #nextWindow(endsAt = this.clock.now() + WINDOW_MS): void {
    this.clock.setTimeout(() => {
      if (this.#microphone === 'off') return;
      const voiced = this.#voice !== null && endsAt <= this.#voice.until + WINDOW_MS / 2;
      const window = {
        type: 'vad.window',
        probability: voiced ? (this.#voice?.probability ?? 0) : 0.02,
        levelDb: voiced ? (this.#voice?.levelDb ?? 0) : ROOM_DB,
        endsAt,
      } as const;
      if (this.#heldUp !== null) this.#heldUp.push(window);
      else if (this.audioLateMs === 0) this.dispatch(window);
      else this.clock.setTimeout(() => this.dispatch(window), this.audioLateMs);
      this.#nextWindow(endsAt + WINDOW_MS);
    }, endsAt - this.clock.now());
  }

  performed<T extends SessionCommandType>(type: T): Extract<SessionCommand, { type: T }>[] {
    return this.commands
      .filter((entry) => entry.command.type === type)
      .map((entry) => entry.command as Extract<SessionCommand, { type: T }>);
  }

  timesOf(type: SessionCommandType): number[] {
    return this.commands.filter((entry) => entry.command.type === type).map((entry) => entry.at);
  }

  messages<T extends ServerMessage['messageType']>(type: T): MessageOf<T>[] {
    return this.performed('message.send')
      .map((command) => command.message)
      .filter((message) => message.messageType === type) as MessageOf<T>[];
  }

  reports<T extends SessionReportEntry['kind']>(kind: T): Extract<SessionReportEntry, { kind: T }>[] {
    return this.performed('report')
      .map((command) => command.entry)
      .filter((entry) => entry.kind === kind) as Extract<SessionReportEntry, { kind: T }>[];
  }

  /**
   * The conversation as the client's own history shows it: one line per message, `|` marks one that was interrupted.
   */
  transcript(): string[] {
    const order: string[] = [];
    const texts = new Map<string, { role: string; text: string; interrupted: boolean }>();
    for (const { data } of this.messages('speechText')) {
      const key = `${data.role}::${data.message_id}`;
      if (!texts.has(key)) order.push(key);
      const known = texts.get(key) ?? { role: data.role, text: '', interrupted: false };
      texts.set(key, {
        role: data.role,
        text: known.text + data.content,
        interrupted: known.interrupted || data.interrupted,
      });
    }
    return order.map((key) => {
      const entry = texts.get(key);
      return `${entry?.role}: ${entry?.text}${entry?.interrupted === true ? '|' : ''}`;
    });
  }

  speechChunks(): SpeechText[] {
    return this.messages('speechText').map((message) => message.data);
  }
}

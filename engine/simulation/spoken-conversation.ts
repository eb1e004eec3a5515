import { createSession, type Session } from '../../actors/index.ts';
import type { SessionCommand } from '../../actors/commands.ts';
import type { SessionEvent } from '../../actors/events.ts';
import { seededIds } from '../../actors/kernel/seeded-ids.ts';
import type { SessionReportEntry } from '../../actors/report.ts';
import type { SessionConfig } from '../../actors/session-config.ts';
import type { LanguageModel } from '../../models/ports.ts';
import { engineNow, systemTimers } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import { FINAL_TIMEOUT_MS } from '../audio-in/stt/recognition-session.ts';
import type { AudioIn, AudioInStream, AudioOut, AudioOutStream } from '../ports.ts';
import { llmReports } from '../session/host/llm-reports.ts';
import { createLlmRunner, type LlmRunner } from '../session/host/llm-runner.ts';
import { onSessionClock } from '../session/host/reported-events.ts';
import { createSessionClock } from '../session/host/session-clock.ts';
import { ConversationRecord, type HeldConversation } from './conversation-record.ts';
import { Microphone } from './microphone.ts';
import { MockedTools, type RunTool } from './mocked-tools.ts';
import { PendingWork } from './pending-work.ts';
import type { RoomNoise } from './room-noise.ts';
import type { SimulatedUser } from './text-conversation.ts';
import { speakLine, type UserVoice } from './user-voice.ts';

/** The user begins a line while the persona still answers the one before. */
export interface Interruption {
  /** Counted from 1. */
  readonly line: number;
  /** How long the persona has been talking by then, ms. */
  readonly afterMs: number;
}

/** How a user sounds. */
export interface UserSound {
  readonly noise: RoomNoise;
  /** How much louder the voice is than the noise, dB. */
  readonly voiceToNoiseDb: number;
  readonly interruptions: readonly Interruption[];
}

export interface SpokenConversationOptions {
  readonly config: SessionConfig;
  readonly llm: LanguageModel;
  readonly user: SimulatedUser;
  readonly sound: UserSound;
  readonly runTool: RunTool;
  readonly signal: AbortSignal;
}

/** What of the engine a conversation is held with: the same parts as a call's. */
export interface SpokenConversationParts {
  readonly audioIn: AudioIn;
  readonly audioOut: AudioOut;
  readonly endOfTurnModelAvailable: boolean;
  readonly voice: UserVoice;
  readonly log: Logger;
}

const SEED = 'a spoken conversation of a test: nobody guesses its ids, because nobody else is in it';
/** The persona has nothing more to say when nothing has happened for this time. Shorter than every silence prompt. */
const QUIET_MS = 800;
/** Who gets no answer for this time says the next line. */
const ANSWER_WITHIN_MS = 15_000;
/** Nothing can be said of a persona that did not get the words. */
const WORDS_LOST = 'The recognizer did not keep up: the machine is too busy for a test in sound. Run it again later.';
/** Longer conversations go round in circles, and a machine has calls to hold. */
const MAX_MS = 10 * 60_000;

/**
 * Holds a whole conversation in sound: the user's lines are spoken into a microphone with noise, and understood by the
 * noise filter, the VAD and the recognizer of calls. The persona answers with its own voice. It takes as long as a call
 * does.
 * @throws Error with a message fit for the customer, or the signal's reason.
 */
export async function holdSpokenConversation(
  options: SpokenConversationOptions,
  parts: SpokenConversationParts,
): Promise<HeldConversation> {
  const conversation = new SpokenConversation(options, parts);
  try {
    return await conversation.hold();
  } finally {
    conversation.close();
  }
}

class SpokenConversation {
  readonly #options: SpokenConversationOptions;
  readonly #parts: SpokenConversationParts;
  readonly #startedAt = engineNow();
  readonly #clock = createSessionClock(this.#startedAt);
  readonly #record = new ConversationRecord();
  readonly #work = new PendingWork();
  readonly #opened = new DisposableStack();
  readonly #tools: MockedTools;
  readonly #llm: LlmRunner;
  readonly #microphone: Microphone;
  readonly #audioIn: AudioInStream;
  readonly #audioOut: AudioOutStream;
  /** Unset while it starts: the engine may answer its first commands before `createSession` returns. */
  #session: Session | undefined;
  #state: 'open' | 'closed' = 'open';
  #words: 'kept' | 'lost' = 'kept';
  /** When the words of utterances were asked for that are not known yet, oldest first. */
  readonly #awaitedSince: number[] = [];
  /** When the last line was over. Null: there was none. */
  #askedAt: number | null = null;

  constructor(options: SpokenConversationOptions, parts: SpokenConversationParts) {
    this.#options = options;
    this.#parts = parts;
    const { config, llm, sound, runTool } = options;
    const { dispatch } = this;
    const reports = llmReports({ sessionId: config.sessionId, log: parts.log, warn: () => {} });
    this.#tools = new MockedTools(runTool, this.#clock, dispatch);
    this.#llm = createLlmRunner({ sessionId: config.sessionId, llm, dispatch, ...reports });
    this.#opened.defer(() => this.#llm.close());
    // First: it throws where its voice is not configured.
    this.#audioOut = this.#opened.adopt(this.#openAudioOut(), (stream) => stream.close());
    this.#audioIn = this.#opened.adopt(this.#openAudioIn(), (stream) => stream.close());
    const send = (packet: Parameters<AudioInStream['packet']>[0]): void => this.#audioIn.packet(packet);
    this.#microphone = this.#opened.adopt(new Microphone(sound.noise, sound.voiceToNoiseDb, send), (microphone) =>
      microphone.close(),
    );
  }

  close(): void {
    this.#session?.stop();
    this.#opened.dispose();
  }

  async hold(): Promise<HeldConversation> {
    this.#session = createSession({
      config: this.#options.config,
      clock: this.#clock,
      ids: seededIds(SEED),
      startedAtWall: this.#startedAt,
      endOfTurnModelAvailable: this.#parts.endOfTurnModelAvailable,
      perform: (command) => this.#perform(command),
    });
    await this.#connect();
    for (let line = 1; this.#isOpen; line += 1) {
      const interruption = this.#options.sound.interruptions.find((one) => one.line === line);
      if (interruption === undefined) await this.#untilAnswered();
      const words = await this.#whileHeard(this.#options.user.next(this.#record.messages));
      if (words === null) {
        this.dispatch({ type: 'client.hangUp' });
        break;
      }
      await this.#say(words, interruption?.afterMs ?? null);
    }
    await this.#until(() => this.#work.quietMs() > QUIET_MS);
    return this.#record.over(this.#clock.now());
  }

  readonly dispatch = (event: SessionEvent): void => {
    this.#work.event(event);
    if (event.type === 'stt.final') this.#noteWords();
    if (this.#state === 'open') this.#session?.dispatch(event);
  };

  get #isOpen(): boolean {
    return this.#state === 'open' && this.#clock.now() < MAX_MS;
  }

  async #connect(): Promise<void> {
    this.dispatch({ type: 'socket.opened' });
    this.dispatch({ type: 'offer.received', kind: 'first' });
    await this.#parts.audioIn.recognizing?.();
    this.dispatch({ type: 'pipeline.ready' });
    this.#audioOut.start();
    this.dispatch({ type: 'peer.connected', kind: 'first' });
    this.dispatch({ type: 'channel.opened' });
    this.dispatch({ type: 'media.started' });
  }

  /** @param interruptsMs when the persona has been talking for this time; null: at once. */
  async #say(words: string, interruptsMs: number | null): Promise<void> {
    const { voice } = this.#parts;
    const spoken = await this.#whileHeard(speakLine(voice, words, systemTimers, this.#options.signal));
    if (interruptsMs !== null) await this.#untilAnswered(interruptsMs);
    this.#work.beginAnswer();
    this.#microphone.say(spoken);
    await this.#until(() => !this.#microphone.isSpeaking);
    this.#askedAt = this.#clock.now();
  }

  /** @param spokenMs or until so much of the answer was heard. @defaultValue all of it */
  async #untilAnswered(spokenMs = Infinity): Promise<void> {
    await this.#until(() => {
      const isWaiting = this.#askedAt !== null && !this.#work.isAnswering;
      if (isWaiting) return this.#clock.now() - this.#askedAt! > ANSWER_WITHIN_MS;
      return this.#work.quietMs() > QUIET_MS || this.#work.spokenMs() >= spokenMs;
    });
  }

  /** The microphone is open while something else is waited for. */
  async #whileHeard<T>(result: Promise<T>): Promise<T> {
    let state: 'pending' | 'settled' = 'pending';
    const settled = (): void => void (state = 'settled');
    result.then(settled, settled);
    await this.#until(() => state === 'settled');
    return result;
  }

  /** Lets time pass until something is the case, or the session is over. */
  async #until(isReached: () => boolean): Promise<void> {
    while (this.#isOpen && !isReached()) {
      await this.#microphone.tick(this.#options.signal);
      if (this.#words === 'lost') throw new Error(WORDS_LOST);
    }
  }

  #openAudioIn(): AudioInStream {
    const { config } = this.#options;
    return this.#parts.audioIn.open({
      sessionId: config.sessionId,
      language: config.languageCode,
      preferred: config.transcription?.recognizer ?? null,
      enhancementLevel: config.voiceDetection.speechEnhancementLevel,
      handlers: { report: (event) => this.dispatch(onSessionClock(event, this.#startedAt)) },
    });
  }

  #openAudioOut(): AudioOutStream {
    const { config } = this.#options;
    return this.#parts.audioOut.open({
      sessionId: config.sessionId,
      provider: config.voice.provider,
      providerVoiceId: config.voice.providerVoiceId,
      tuning: config.voice.tuning,
      language: config.languageCode ?? 'en',
      passthrough: false,
      handlers: { report: this.dispatch, ...NOBODY_LISTENS },
    });
  }

  #perform(command: SessionCommand): void {
    this.#work.command(command);
    const { type } = command;
    if (type === 'llm.request') this.#llm.ask(command);
    else if (type === 'llm.cancel') this.#llm.cancel(command.requestId);
    else if (type === 'tool.run') void this.#work.during(this.#tools.run(command));
    else if (type === 'message.send') void this.#work.during(this.#tools.ask(command.message));
    else if (type === 'report') this.#note(command.entry);
    else if (type === 'session.close') this.#state = 'closed';
    else this.#performSound(command);
  }

  /** The engine gives words up that come later. */
  #noteWords(): void {
    const since = this.#awaitedSince.shift();
    if (since !== undefined && this.#clock.now() - since >= FINAL_TIMEOUT_MS) this.#words = 'lost';
  }

  #note(entry: SessionReportEntry): void {
    this.#record.note(entry);
    if (entry.kind === 'message' && entry.message.role === 'user') this.#work.understood();
  }

  #performSound(command: SessionCommand): void {
    const [heard, spoken] = [this.#audioIn, this.#audioOut];
    const { type } = command;
    if (type === 'stt.finish') {
      this.#awaitedSince.push(this.#clock.now());
      heard.finish();
    }
    if (type === 'stt.reset') heard.reset();
    else if (type === 'endOfTurn.predict') heard.askEndOfTurn();
    else if (type === 'audioIn.configure') heard.configure(command);
    else if (type === 'speech.say') spoken.say(command);
    else if (type === 'speech.prepare') spoken.prepare(command);
    else if (type === 'speech.duck') spoken.duck();
    else if (type === 'speech.unduck') spoken.unduck();
    else if (type === 'speech.cut') spoken.cut();
    else if (type === 'speech.configure') spoken.configure(command.tuning);
  }
}

const NOBODY_LISTENS = {
  frame() {},
  mouth() {},
  mouthStopped() {},
};

import type { Dial } from '../../http/service-socket.ts';
import type { LanguageModel, LlmEvent, LlmRequest, ProviderError, SpeechModelHandlers } from '../../ports.ts';
import type { Timers } from '../../../runtime/clock.ts';
import { Answers } from '../answers.ts';
import { ReconnectingConnection } from '../reconnecting-connection.ts';
import type { RealtimeAddress } from '../realtime-address.ts';
import { realtimeError } from '../realtime-errors.ts';
import { RealtimeSynthesizer } from '../realtime-synthesizer.ts';
import { AgentConnection, type AgentEvent } from './agent-connection.ts';
import { AgentRecognizer } from './agent-recognizer.ts';
import {
  conversationSoFar,
  greetsAgain,
  contextualUpdate,
  heardOnly,
  toolResults,
  typedWords,
} from './agent-context.ts';
import { AgentSpeech } from './agent-speech.ts';

/** An agent calls tools of its own before it answers. */
const ANSWER_MS = 20_000;
/** An answer to what the user said is asked for once Parley has understood it, too. */
const UNASKED_MS = 3_000;
/** After an interruption the agent says what it believes that was heard. */
const CORRECTION_MS = 1_500;
/** Calls without a result. */
const MAX_CALLS = 64;
/** Of what the user said since the last request, UTF-16 units. */
const MAX_HEARD = 64 * 1024;
/** Longest time that a farewell takes. */
const FAREWELL_MS = 20_000;

export interface AgentSessionOptions {
  readonly provider: string;
  readonly address: RealtimeAddress;
  readonly initiation: Readonly<Record<string, unknown>>;
  readonly dial?: Dial | undefined;
  readonly timers: Timers;
  readonly handlers: SpeechModelHandlers;
}

/**
 * A conversation with an agent of ElevenLabs. The agent hears, decides about turns and answers by itself; what it says
 * waits here until the session asks for it. It cannot be made to forget: where it believes something else than was
 * heard, it is told.
 */
export class AgentSession {
  readonly recognizer: AgentRecognizer;
  readonly voice: RealtimeSynthesizer;
  readonly llm: LanguageModel;
  readonly #options: AgentSessionOptions;
  readonly #answers = new Answers();
  /** Of recent answers. */
  #speeches: AgentSpeech[] = [];
  #connection: ReconnectingConnection | null = null;
  #agent: AgentConnection | null = null;
  #current: AgentSpeech | null = null;
  /** Who spoke last, for the agent. */
  #lastWas: 'user' | 'agent' = 'agent';
  /** A greeting is not said again to somebody who was greeted. */
  #greets: 'yes' | 'no';
  /**
   * `first words`: of an agent that has begun anew, none has come. `repeated`: what comes is its greeting, which is not
   * heard.
   */
  #utterance: 'first words' | 'words' | 'repeated' = 'words';
  #memory: 'told' | 'untold' = 'told';
  #messages: LlmRequest['messages'] = [];
  /** What the user said since the last request, as the agent understood it. */
  #heardWords = '';
  readonly #calls = new Set<string>();
  #waiter: ((speech: AgentSpeech) => void) | null = null;
  #hungUp = false;
  readonly #timeouts = new Set<unknown>();

  constructor(options: AgentSessionOptions) {
    this.#options = options;
    const { provider, timers, handlers } = options;
    this.#greets = handlers.goesOn === true ? 'no' : 'yes';
    this.#memory = handlers.goesOn === true ? 'untold' : 'told';
    if (handlers.goesOn === true) this.#utterance = 'first words';
    this.recognizer = new AgentRecognizer({ provider, timers, send: (pcm) => this.#agent?.sendSound(pcm) ?? false });
    this.voice = new RealtimeSynthesizer({
      provider,
      answers: this.#answers,
      setSpeed() {},
      read: async () => {
        throw realtimeError(provider, 'bad-request');
      },
    });
    this.llm = { name: provider, stream: (request, signal) => this.#ask(request, signal) };
  }

  /** The user is there: the agent begins to talk. */
  present(): void {
    if (this.#connection !== null) return;
    this.#connection = new ReconnectingConnection({
      ...this.#options,
      event() {},
      connect: ({ ended, ...options }) => {
        const agent: AgentConnection = new AgentConnection({
          ...options,
          ended,
          initiation: this.#options.initiation,
          event: (event) => this.#agent === agent && this.#event(event),
          sound: (pcm) => this.#agent === agent && this.#sound(pcm),
          hungUp: () => this.#end(),
        });
        return (this.#agent = agent);
      },
      began: () => this.#began(),
      lost: (error) => this.#lost(error),
    });
  }

  /** Background that the agent shall know. */
  context(text: string): void {
    this.#tell(text);
  }

  heard(segmentId: string): void {
    this.voice.heard(segmentId);
    if (this.#hungUp && !this.#answers.isBusy) this.#leave();
  }

  cut(segmentId: string | null, playedMs: number): void {
    this.voice.cut(segmentId, playedMs);
    if (this.#hungUp) return this.#leave();
    const cut = this.#speeches.filter(({ answer }) => this.#answers.cut.includes(answer));
    for (const speech of cut) this.#later(CORRECTION_MS, () => this.#correct(speech));
  }

  close(): void {
    for (const timer of this.#timeouts) this.#options.timers.clearTimeout(timer);
    this.#current?.end();
    this.#connection?.close();
    void this.recognizer.close();
    this.#answers.failAll(realtimeError(this.#options.provider, 'aborted'));
    this.#answers.close();
  }

  async *#ask(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmEvent> {
    this.present();
    await this.#connection!.ready();
    if (signal.aborted) return;
    const told = this.#inform(request);
    const speech = this.#unasked() ?? (request.mayBeEmpty === true && !told ? null : await this.#next(signal));
    if (speech === null) return yield { type: 'done', finishReason: 'stop' };
    const { answer } = speech;
    answer.kind = 'asked';
    this.#correctAll();
    request.used?.({ provider: this.#options.provider, place: 0 });
    // What it costs is not known: an agent is paid by the minute, and its LLM apart.
    request.metered?.({ provider: this.#options.provider, place: 0, amounts: { requests: 1 } });
    for (const { tag, atMs } of speech.takeCues()) this.#options.handlers.cue?.(tag, atMs);
    yield* answer.read(signal);
    if (signal.aborted && !answer.speech.isBegun) answer.speech.fate = 'settled';
  }

  /** Tells the agent what it did not hear. @returns whether it answers to that. */
  #inform({ messages }: LlmRequest): boolean {
    this.#messages = messages;
    if (this.#memory === 'untold') this.#tellAll();
    const results = toolResults(messages, this.#calls);
    for (const result of results) {
      this.#calls.delete(result.tool_call_id);
      this.#agent?.send({ ...result });
    }
    const typed = typedWords(messages, this.#heardWords);
    this.#heardWords = '';
    if (typed !== null) {
      this.#greets = 'yes';
      this.#giveUp();
      this.#correctAll();
      this.#agent?.send({ type: 'user_message', text: typed });
    }
    return typed !== null || results.length > 0;
  }

  #unasked(): AgentSpeech | null {
    const { ahead } = this.#answers;
    return this.#speeches.find(({ answer }) => answer === ahead) ?? null;
  }

  /** @returns what the agent says next; null: it says nothing. */
  #next(signal: AbortSignal): Promise<AgentSpeech | null> {
    const next = Promise.withResolvers<AgentSpeech | null>();
    this.#waiter = next.resolve;
    const leave = (): void => next.resolve(null);
    const timer = this.#later(ANSWER_MS, leave);
    signal.addEventListener('abort', leave, { once: true });
    return next.promise.finally(() => {
      signal.removeEventListener('abort', leave);
      this.#options.timers.clearTimeout(timer);
      this.#timeouts.delete(timer);
      if (this.#waiter === next.resolve) this.#waiter = null;
    });
  }

  #event(event: AgentEvent): void {
    switch (event.type) {
      case 'tentative_user_transcript':
        return this.recognizer.hears(event.tentative_user_transcription_event.user_transcript);
      case 'user_transcript':
        return this.#userSaid(event.user_transcription_event.user_transcript);
      case 'agent_response':
        return this.#says(event.agent_response_event.agent_response);
      case 'agent_response_complete':
        this.#current?.end();
        return;
      case 'agent_response_correction': {
        const speech = this.#speeches.at(-1);
        if (speech !== undefined) speech.believed = event.agent_response_correction_event.corrected_agent_response;
        return;
      }
      case 'interruption':
        this.#giveUp();
        return this.#options.handlers.voice('on');
      case 'client_tool_call': {
        const { tool_call_id: id, tool_name: name, parameters } = event.client_tool_call;
        this.#calls.add(id);
        if (this.#calls.size > MAX_CALLS) throw new RangeError('The agent calls too many tools at once.');
        const speech = this.#going() ?? this.#begin();
        speech.answer.push({ type: 'tool-call', call: { id, name, arguments: JSON.stringify(parameters ?? {}) } });
        speech.end();
        this.#current = null;
      }
    }
  }

  #userSaid(text: string): void {
    this.#greets = 'yes';
    this.#lastWas = 'user';
    this.#heardWords = `${this.#heardWords} ${text}`.slice(-MAX_HEARD);
    this.recognizer.understood(text);
  }

  #says(text: string): void {
    const isGreeting = this.#utterance === 'first words' && greetsAgain(text, this.#messages);
    this.#utterance = this.#greets === 'no' || isGreeting ? 'repeated' : 'words';
    if (this.#utterance === 'repeated') return;
    const going = this.#going();
    // It goes on by itself, for example after a tool of its own.
    const speech = going !== null && (!going.hasWords || this.#lastWas === 'agent') ? going : this.#begin();
    this.#lastWas = 'agent';
    speech.says(text);
    if (speech.answer.kind === 'asked')
      for (const { tag, atMs } of speech.takeCues()) this.#options.handlers.cue?.(tag, atMs);
  }

  #sound(pcm: Int16Array): void {
    if (this.#greets === 'no' || this.#utterance === 'repeated') return;
    const going = this.#going();
    (going !== null && !(this.#lastWas === 'user' && going.isPlayed) ? going : this.#begin()).sounds(pcm);
  }

  #going(): AgentSpeech | null {
    return this.#current === null || this.#current.answer.isOver ? null : this.#current;
  }

  #begin(): AgentSpeech {
    this.#current?.end();
    const speech = new AgentSpeech(this.#answers.add('ahead'), this.#options.timers);
    this.#current = speech;
    this.#speeches = [...this.#speeches.slice(-3), speech];
    if (this.#waiter !== null) this.#waiter(speech);
    else if (this.#lastWas === 'user') this.#later(UNASKED_MS, () => this.#offer(speech));
    else this.#offer(speech);
    return speech;
  }

  /** What was begun is not said on; what nobody asked for is not said at all. */
  #giveUp(): void {
    if (this.#current?.answer.kind === 'ahead')
      this.#current.answer.fail(realtimeError(this.#options.provider, 'aborted'));
    this.#current?.stop();
    this.#current = null;
  }

  /** The session is told that the agent has something to say. */
  #offer({ answer }: AgentSpeech): void {
    if (answer.kind === 'ahead' && answer.error === null) this.#options.handlers.speaks?.();
  }

  /** What was stopped is not said on any more: the agent has something else to say. */
  #correctAll(): void {
    for (const speech of this.#speeches) this.#correct(speech);
  }

  /** The agent believes that more was heard, or less. */
  #correct(speech: AgentSpeech): void {
    const { answer, believed } = speech;
    if (answer.speech.fate !== 'cut') return;
    answer.speech.fate = 'settled';
    const update = heardOnly(speech.heard(), believed);
    if (update !== null) this.#tell(update);
  }

  #tell(text: string): void {
    this.#agent?.send(contextualUpdate(text));
  }

  /** @param last what was heard after the last request. */
  #tellAll(last = ''): void {
    this.#memory = 'told';
    const update = conversationSoFar(this.#messages, last);
    if (update !== null) this.#tell(update);
  }

  #began(): void {
    const last = this.#speeches.findLast(({ answer }) => answer.kind === 'asked');
    if (this.#memory === 'untold' && this.#messages.length > 0) this.#tellAll(last?.heard());
    this.recognizer.connected();
  }

  /** Another conversation begins then: the agent remembers nothing. */
  #lost(error: ProviderError): void {
    if (this.#messages.length > 0 || this.#speeches.length > 0) this.#greets = 'no';
    this.#memory = 'untold';
    this.#utterance = 'first words';
    this.#heardWords = '';
    this.#calls.clear();
    this.#giveUp();
    this.#options.handlers.lost(error);
  }

  /** The agent has ended the call. What it said is heard first. */
  #end(): void {
    this.#hungUp = true;
    this.#current?.end();
    if (!this.#answers.isBusy && this.#unasked() === null) return this.#leave();
    this.#later(FAREWELL_MS, () => this.#leave());
  }

  #leave(): void {
    this.#options.handlers.hungUp?.();
  }

  #later(ms: number, run: () => void): unknown {
    const timer = this.#options.timers.setTimeout(() => {
      this.#timeouts.delete(timer);
      run();
    }, ms);
    this.#timeouts.add(timer);
    return timer;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Dial } from '../http/service-socket.ts';
import { DEFAULT_DEADLINES, withDeadlines } from '../llm/deadlines.ts';
import { WireToolNames } from '../llm/wire-tool-names.ts';
import { fitTools } from '../llm/request/tool-schema.ts';
import type { Amounts, LanguageModel, LlmEvent, LlmRequest, ProviderError, SpeechModelHandlers } from '../ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { Answer, AnswerKind } from './answer.ts';
import { Answers } from './answers.ts';
import {
  createItem,
  createReading,
  createResponse,
  sessionUpdate,
  type ClientEvent,
  type ModelSession,
} from './client-events.ts';
import type { Change } from './conversation-items.ts';
import { ReconnectingConnection, type ReconnectingConnectionOptions } from './reconnecting-connection.ts';
import { ModelConversation } from './model-conversation.ts';
import type { RealtimeAddress } from './realtime-address.ts';
import { RealtimeRecognizer } from './realtime-recognizer.ts';
import { errorOfEvent, realtimeError } from './realtime-errors.ts';
import { SPEECH_RATE } from './response-speech.ts';
import { RealtimeSynthesizer } from './realtime-synthesizer.ts';
import type { ServerEvent } from './server-events.ts';
import type { SpeechModelSettings } from './settings.ts';

/** An answer that was cancelled is over within milliseconds. After this, the next one is asked for all the same. */
const CANCEL_MS = 3_000;

export interface RealtimeSessionOptions {
  readonly provider: string;
  readonly address: RealtimeAddress;
  readonly settings: SpeechModelSettings;
  readonly output: ModelSession['output'];
  /** @defaultValue OpenAI's protocol, which takes sound of 24 kHz */
  readonly other?: Pick<ReconnectingConnectionOptions, 'connect'> & { readonly rate: 16_000 };
  readonly dial?: Dial | undefined;
  readonly timers: Timers;
  readonly handlers: SpeechModelHandlers;
}

/** A conversation of one session with a Realtime model, on one connection after the other. */
export class RealtimeSession {
  readonly recognizer: RealtimeRecognizer;
  readonly voice: RealtimeSynthesizer;
  readonly llm: LanguageModel;
  readonly #options: RealtimeSessionOptions;
  readonly #answers = new Answers();
  readonly #conversation = new ModelConversation();
  readonly #turnsBy: 'parley' | 'model';
  readonly #connection: ReconnectingConnection;
  #wanted: ModelSession;
  /** The last `session.update` of this connection, as text. */
  #updated = '';
  #names = new WireToolNames([]);

  constructor(options: RealtimeSessionOptions) {
    this.#options = options;
    const { provider, output, settings } = options;
    this.#turnsBy = settings.turns === 'parley' ? 'parley' : 'model';
    this.#wanted = { instructions: '', tools: [], language: null, keyTerms: [], speed: null, output };
    this.recognizer = new RealtimeRecognizer({
      provider,
      timers: options.timers,
      turnsBy: this.#turnsBy,
      rate: options.other?.rate ?? SPEECH_RATE,
      send: (event) => this.#connection.send(event),
      committed: () => this.#askAhead(),
      configure: ({ language, keyTerms }) => this.#want({ language, keyTerms }),
    });
    this.voice = new RealtimeSynthesizer({
      provider,
      answers: this.#answers,
      setSpeed: (speed) => this.#want({ speed }),
      read: (text, signal) => this.#read(text, signal),
    });
    this.llm = {
      name: provider,
      stream: (request, signal) =>
        withDeadlines(provider, DEFAULT_DEADLINES, signal, (inner) => this.#ask(request, inner)),
    };
    this.#connection = new ReconnectingConnection({
      ...options,
      connect: options.other?.connect,
      event: (event) => this.#event(event),
      began: () => this.#began(),
      lost: (error) => this.#lost(error),
    });
  }

  /** The voice was stopped: see `RealtimeSynthesizer.cut`. */
  cut(segmentId: string | null, playedMs: number): void {
    this.voice.cut(segmentId, playedMs);
    // The server answers by itself, so it has to know at once.
    if (this.#turnsBy === 'model') this.#truncate();
  }

  close(): void {
    this.#connection.close();
    this.#answers.failAll(realtimeError(this.#options.provider, 'aborted'));
    this.#answers.close();
  }

  async *#ask(request: LlmRequest, signal: AbortSignal): AsyncGenerator<LlmEvent> {
    await this.#connection.ready();
    if (signal.aborted) return;
    this.#wantForRequest(request);
    const answer = this.#claimAhead(request) ?? (await this.#next(request, signal));
    if (answer === null) return;
    request.used?.({ provider: this.#options.provider, place: 0 });
    try {
      yield* answer.read(signal);
    } finally {
      this.#cancel(answer);
      if (signal.aborted && !answer.speech.isBegun) answer.speech.fate = 'settled';
    }
  }

  /** What the server began by itself, if it knew then all that the request says. */
  #claimAhead({ messages }: LlmRequest): Answer | null {
    const { ahead } = this.#answers;
    if (ahead === null || this.#update() !== this.#updated || this.#answers.cut.length > 0) return null;
    if (this.#conversation.changesFor(messages, ahead.itemId).length > 0) return null;
    ahead.kind = 'asked';
    return ahead;
  }

  async #next({ messages }: LlmRequest, signal: AbortSignal): Promise<Answer | null> {
    for (const running of this.#answers.running) this.#cancel(running);
    await Promise.race([Promise.all(this.#answers.running.map(async (answer) => answer.over())), pause(CANCEL_MS)]);
    // They are over as well when the connection was lost.
    await this.#connection.ready();
    if (signal.aborted) return null;
    this.#sendUpdate();
    this.#truncate();
    const changes = this.#conversation.changesFor(messages, null);
    for (const change of changes) this.#send(this.#eventOf(change));
    this.#conversation.changed(changes);
    return this.#begin('asked');
  }

  #begin(kind: AnswerKind): Answer {
    const answer = this.#answers.add(kind);
    this.#request(answer, createResponse(answer.tag));
    return answer;
  }

  /** What cannot be asked for is not waited for. */
  #request(answer: Answer, event: ClientEvent): void {
    if (!this.#connection.send(event)) answer.fail(realtimeError(this.#options.provider, 'connect'));
  }

  /**
   * The model begins to answer while the user's words are still being written down. What it says is only used if the
   * session asks for just that; nothing is asked while it is unclear what the user has heard.
   */
  #askAhead(): void {
    if (this.#updated === '' || this.#update() !== this.#updated || this.#answers.isBusy) return;
    if (this.#answers.running.length > 0 || this.#wanted.instructions === '') return;
    this.#begin('ahead');
  }

  async #read(text: string, signal: AbortSignal): Promise<Answer> {
    await this.#connection.ready();
    if (signal.aborted) throw realtimeError(this.#options.provider, 'aborted');
    this.#sendUpdate();
    const answer = this.#answers.add('reading');
    this.#request(answer, createReading(answer.tag, text));
    return answer;
  }

  #cancel(answer: Answer): void {
    if (answer.isOver) return;
    // One that has not begun is over when the server has begun and cancelled it.
    const { responseId } = answer;
    this.#send({ type: 'response.cancel', ...(responseId !== null && { response_id: responseId }) });
  }

  /** The model is told how much of its answers was heard. */
  #truncate(): void {
    for (const { speech, itemId } of this.#answers.cut) {
      const heardMs = Math.floor(speech.heardMs);
      speech.fate = 'settled';
      if (itemId === null || !this.#conversation.has(itemId) || heardMs >= Math.floor(speech.durationMs)) continue;
      // Of what was not heard at all, nothing stays.
      if (heardMs === 0) this.#delete(itemId);
      else this.#send({ type: 'conversation.item.truncate', item_id: itemId, content_index: 0, audio_end_ms: heardMs });
    }
  }

  #delete(id: string): void {
    this.#send({ type: 'conversation.item.delete', item_id: id });
    this.#conversation.deleted(id);
  }

  #eventOf(change: Change): ClientEvent {
    if (change.do === 'delete') return { type: 'conversation.item.delete', item_id: change.id };
    const { id, after, item } = change;
    return createItem(id, after, { ...item, name: this.#names.toWire(item.name) });
  }

  #want(part: Partial<ModelSession>): void {
    this.#wanted = { ...this.#wanted, ...part };
  }

  #wantForRequest({ messages, tools }: LlmRequest): void {
    const [first] = messages;
    const fitted = fitTools(tools, 'usual').tools;
    this.#names = new WireToolNames(fitted);
    this.#want({
      instructions: first?.role === 'system' ? first.content : '',
      tools: fitted.map((tool) => ({ ...tool, name: this.#names.toWire(tool.name) })),
    });
  }

  #update(): string {
    return JSON.stringify(sessionUpdate(this.#wanted, this.#options.settings));
  }

  #sendUpdate(): void {
    const update = this.#update();
    if (update === this.#updated) return;
    this.#updated = update;
    this.#send(sessionUpdate(this.#wanted, this.#options.settings));
  }

  #send(event: ClientEvent): void {
    this.#connection.send(event);
  }

  /** A new connection remembers nothing: it is told the whole conversation with the next request. */
  #began(): void {
    this.#updated = '';
    this.#conversation.forget();
    this.#sendUpdate();
    this.recognizer.connected();
  }

  #lost(error: ProviderError): void {
    this.#answers.failAll(error);
    this.recognizer.disconnected();
    this.#options.handlers.lost(error);
  }

  #event(event: ServerEvent): void {
    switch (event.type) {
      case 'ready':
        return;
      case 'error':
        return this.#error(event);
      case 'voice':
        if (event.voice === 'on') this.recognizer.voiceBegan();
        return this.#options.handlers.voice(event.voice);
      case 'committed':
        return this.recognizer.taken(event.itemId);
      case 'item':
        return this.#conversation.added(event.item, event.after);
      case 'deleted':
        return this.#conversation.deleted(event.itemId);
      case 'user-words':
        return this.recognizer.words(event.itemId, event.text);
      case 'user-text':
        if (event.text !== null) this.#conversation.understood(event.itemId, event.text);
        return this.recognizer.understood(event.itemId, event.text);
      case 'response':
        this.#answers.begun(event.responseId, event.tag);
        // Servers of other protocols tell it by themselves.
        return this.#options.other === undefined ? this.#meter({ requests: 1 }) : undefined;
      case 'usage':
        return this.#meter(event.amounts);
      case 'response-done':
        this.#meterAnswer(event);
        return this.#answered(event);
      default:
        return this.#answered(event);
    }
  }

  #answered(event: Extract<ServerEvent, { readonly responseId: string }>): void {
    const answer = this.#answers.of(event.responseId);
    if (answer === null) return;
    switch (event.type) {
      case 'answer-item':
        answer.itemId = event.itemId;
        return;
      case 'text':
        answer.itemId = event.itemId;
        if (event.as === 'sound') answer.says(event.text);
        else answer.push({ type: 'text', text: event.text });
        return this.#conversation.says(event.itemId, event.text);
      case 'audio':
        answer.itemId = event.itemId;
        answer.speech.addAudio(samplesOf(event.base64));
        return answer.sounds();
      case 'call': {
        this.#conversation.calls(event.call);
        const { callId, name, arguments: args } = event.call;
        return answer.push({
          type: 'tool-call',
          call: { id: callId, name: this.#names.fromWire(name), arguments: args },
        });
      }
      case 'response-done':
        return this.#done(answer, event);
    }
  }

  #done(answer: Answer, { status, reason }: Extract<ServerEvent, { type: 'response-done' }>): void {
    if (status === 'failed') answer.fail(errorOfEvent(this.#options.provider, reason));
    else answer.done(status === 'incomplete' && reason === 'max_output_tokens' ? 'length' : 'stop');
  }

  #meterAnswer({ status, tokens }: Extract<ServerEvent, { type: 'response-done' }>): void {
    if (tokens !== null) this.#meter({ ...tokens.tokens, ...(tokens.isComplete && { reportedRequests: 1 }) });
    // What was refused costs nothing.
    else if (status === 'failed' && this.#options.other === undefined) this.#meter({ reportedRequests: 1 });
  }

  #meter(amounts: Amounts): void {
    this.#options.handlers.metered?.({ provider: this.#options.provider, place: 0, amounts });
  }

  #error({ code, eventId }: Extract<ServerEvent, { type: 'error' }>): void {
    if (code === 'input_audio_buffer_commit_empty') return this.recognizer.refused();
    // It had just ended by itself.
    if (code === 'response_cancel_not_active') return;
    const error = errorOfEvent(this.#options.provider, code);
    const answer = eventId === null ? null : this.#answers.withTag(eventId);
    if (answer === null) this.#options.handlers.lost(error);
    else answer.fail(error);
  }
}

function samplesOf(base64: string): Int16Array {
  const bytes = Buffer.from(base64, 'base64');
  const samples = new Int16Array(bytes.length >> 1);
  new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.byteLength));
  return samples;
}

import type { ClientEvent } from '../client-events.ts';
import type { RealtimeConnectionOptions } from '../realtime-connection.ts';
import { realtimeError } from '../realtime-errors.ts';
import type { ServerEvent, ServerItem } from '../server-events.ts';
import { GeminiLink } from './gemini-link.ts';
import { functionResponse, GeminiConversation, turnsOf } from './gemini-conversation.ts';
import type { GeminiContent, GeminiMessage } from './gemini-messages.ts';
import { setupOf, type SetupOptions } from './gemini-setup.ts';
import { knownItem, type GeminiResumption } from './gemini-resumption.ts';
import { GeminiTurn } from './gemini-turn.ts';
import { GeminiUsage } from './gemini-usage.ts';

/** 24 kHz, 16 bits. */
const BYTES_PER_MS = 48;
/** Calls that the model took back. */
const MAX_CANCELLED = 1_000;

export interface GeminiConnectionOptions extends RealtimeConnectionOptions {
  readonly setup: SetupOptions;
  /** Shared by the connections of one session. */
  readonly resumption: GeminiResumption;
}

/**
 * A Gemini Live server, as a session of a speech model talks with it. The model can only be told more, never that it
 * remembers something else: then the connection begins anew with the conversation as it was.
 */
export class GeminiConnection {
  readonly #options: GeminiConnectionOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #memory = new GeminiConversation();
  #state: 'opening' | 'open' | 'over' = 'opening';
  #link: GeminiLink;
  #setup: Readonly<Record<string, unknown>> | null = null;
  /** What the present link is set to. */
  #setTo = '';
  /** The service takes this link away soon. */
  #goesAway = false;
  /** Whether the present link goes on with a session, and the service has not said so yet. */
  #resuming = false;
  /** The user's sound that is being sent. */
  #activity: 'none' | 'open' = 'none';
  #turn = new GeminiTurn('', () => {});
  readonly #usage = new GeminiUsage((amounts) => this.#emit({ type: 'usage', amounts }));
  readonly #cancelledCalls = new Set<string>();

  constructor(options: GeminiConnectionOptions) {
    this.#options = options;
    this.#ready.promise.catch(() => {});
    this.#link = this.#open();
  }

  async ready(): Promise<void> {
    await this.#ready.promise;
  }

  /** @returns whether it takes events now. */
  send(event: ClientEvent): boolean {
    if (this.#state !== 'open') return false;
    this.#do(event);
    return true;
  }

  close(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#turn.close();
    this.#ready.reject(realtimeError(this.#options.provider, 'aborted'));
    this.#link.close();
  }

  #do(event: ClientEvent): void {
    switch (event.type) {
      case 'session.update':
        // It cannot be changed on a connection, and the first one does not know the prompt so far: it is sent when
        // needed.
        if (this.#setup === null) this.#resumeConversation();
        this.#setup = setupOf(event, this.#options.setup);
        return;
      case 'input_audio_buffer.append':
        return this.#append(String(event['audio']));
      case 'input_audio_buffer.commit':
        return this.#commit();
      case 'input_audio_buffer.clear':
        // What was heard cannot be unheard.
        if (this.#activity === 'open') this.#memory.isStale = true;
        this.#activity = 'none';
        return;
      case 'conversation.item.create':
        return this.#memory.create(event);
      case 'conversation.item.delete':
        return this.#memory.delete(String(event['item_id']));
      case 'conversation.item.truncate': {
        const id = String(event['item_id']);
        const ms = (this.#options.resumption.sounds.get(id) ?? 0) / BYTES_PER_MS;
        return this.#memory.truncate(id, ms === 0 ? 0 : Math.min(1, Number(event['audio_end_ms']) / ms));
      }
      case 'response.create':
        return this.#respond(event);
      case 'response.cancel':
        this.#memory.isStale = true;
        return this.#turn.end('cancelled');
    }
  }

  #append(audio: string): void {
    if (this.#activity === 'none') {
      this.#prepare();
      this.#activity = 'open';
      this.#link.send({ realtimeInput: { activityStart: {} } });
    }
    this.#link.send({ realtimeInput: { audio: { data: audio, mimeType: 'audio/pcm;rate=16000' } } });
  }

  /** The model answers by itself then; its answer waits until it is asked for. */
  #commit(): void {
    this.#activity = 'none';
    this.#link.send({ realtimeInput: { activityEnd: {} } });
    const item = this.#item('user');
    this.#newTurn(item.id);
    this.#memory.knows({ id: item.id, kind: 'user', text: '', callId: '', name: '' });
    this.#emit({ type: 'committed', itemId: item.id });
    this.#emit({ type: 'item', item, after: null });
  }

  #respond(event: ClientEvent): void {
    const tag = String(event['event_id']);
    const { conversation } = (event['response'] ?? {}) as { readonly conversation?: string };
    // It cannot speak beside the conversation.
    if (conversation === 'none') return this.#emit({ type: 'error', code: 'not_supported', message: '', eventId: tag });
    if (!this.#link.hasSetup) this.#begin();
    if (this.#isToMove && !this.#turn.isWaiting) this.#move();
    const untold = this.#memory.untold();
    if (this.#isToBeginAnew || (untold.length > 0 && this.#turn.isWaiting)) {
      this.#beginAnew();
      this.#newTurn('');
      this.#link.send({ clientContent: { turns: [], turnComplete: true } });
    } else if (untold.length > 0 && untold.every(({ kind }) => kind === 'result')) {
      this.#newTurn('');
      const functionResponses = untold.filter(({ callId }) => !this.#cancelledCalls.has(callId)).map(functionResponse);
      this.#link.send({ toolResponse: { functionResponses } });
    } else if (untold.length > 0 || !this.#turn.isWaiting) {
      this.#newTurn('');
      this.#link.send({ clientContent: { turns: turnsOf(untold), turnComplete: true } });
    }
    this.#memory.told();
    this.#turn.ask(tag);
  }

  /** Whatever is sent now, the model is set up for it and remembers what was said. */
  #prepare(): void {
    if (!this.#link.hasSetup) this.#begin();
    else if (this.#isToBeginAnew) this.#beginAnew();
    else if (this.#isToMove) this.#move();
  }

  /** Of what an earlier connection was told, the model knows this. */
  #resumeConversation(): void {
    const { known } = this.#options.resumption;
    this.#memory.resume(known);
    for (const item of known) this.#emit(knownItem(item));
  }

  get #isToMove(): boolean {
    return this.#goesAway && !this.#isToBeginAnew;
  }

  /** To another connection, before this one is taken away: the service moves the session, if it has given a handle. */
  #move(): void {
    const { resumption } = this.#options;
    if (resumption.handle === null) return this.#beginAnew();
    this.#memory.resume(resumption.known);
    this.#link.close();
    this.#link = this.#open();
    this.#begin();
  }

  get #isToBeginAnew(): boolean {
    return this.#memory.isStale || JSON.stringify(this.#setup) !== this.#setTo;
  }

  /** With the conversation as it was, as far as it is text. */
  #beginAnew(): void {
    this.#options.resumption.drop();
    this.#link.close();
    this.#link = this.#open();
    this.#begin();
    const turns = turnsOf(this.#memory.all());
    if (turns.length > 0) this.#link.send({ clientContent: { turns, turnComplete: false } });
    this.#memory.told();
  }

  #begin(): void {
    const { handle } = this.#options.resumption;
    this.#setTo = JSON.stringify(this.#setup);
    this.#goesAway = false;
    this.#resuming = handle !== null;
    this.#link.setup({ ...this.#setup, sessionResumption: handle === null ? {} : { handle } });
  }

  #open(): GeminiLink {
    const { provider, address, dial, timers } = this.#options;
    const link: GeminiLink = new GeminiLink({
      provider,
      address,
      dial,
      timers,
      opened: () => this.#opened(),
      message: (message) => {
        if (this.#link === link) this.#message(message);
      },
      ended: (error) => {
        if (this.#link !== link || this.#state === 'over') return;
        if (this.#resuming || this.#memory.isStale) this.#options.resumption.drop();
        this.close();
        this.#ready.reject(error);
        this.#options.ended(error);
      },
    });
    return link;
  }

  #opened(): void {
    if (this.#state !== 'opening') return;
    this.#state = 'open';
    this.#ready.resolve();
  }

  #message(message: GeminiMessage): void {
    const { serverContent, toolCall, toolCallCancellation, goAway, sessionResumptionUpdate: update } = message;
    if (message.setupComplete !== undefined) this.#resuming = false;
    this.#usage.take(message);
    if (serverContent !== undefined) this.#content(serverContent);
    if (toolCall !== undefined) {
      for (const { id, name, args } of toolCall.functionCalls) this.#call(id, name, JSON.stringify(args));
      this.#turn.end('completed');
    }
    for (const id of toolCallCancellation?.ids ?? []) this.#cancelledCalls.add(id);
    if (this.#cancelledCalls.size > MAX_CANCELLED) throw new RangeError('The server cancels too many calls.');
    // The next request begins on a new connection, before this one is taken away.
    if (goAway !== undefined) this.#goesAway = true;
    if (update?.resumable === true && (update.newHandle ?? '') !== '' && !this.#memory.isStale)
      this.#options.resumption.keep(update.newHandle!, this.#memory.known());
  }

  #content(content: GeminiContent): void {
    const heard = content.inputTranscription?.text ?? '';
    if (heard !== '') this.#turn.heard(heard);
    const said = content.outputTranscription?.text ?? '';
    if (said !== '') {
      const itemId = this.#spoken();
      this.#memory.says(itemId, said);
      this.#turn.push((responseId) => ({ type: 'text', as: 'sound', responseId, itemId, text: said }));
    }
    for (const { inlineData } of content.modelTurn?.parts ?? []) {
      if (!inlineData?.mimeType.startsWith('audio/')) continue;
      const itemId = this.#spoken();
      const base64 = inlineData.data;
      const { sounds } = this.#options.resumption;
      sounds.set(itemId, (sounds.get(itemId) ?? 0) + Math.floor((base64.length * 3) / 4));
      this.#turn.push((responseId) => ({ type: 'audio', responseId, itemId, base64 }));
    }
    if (content.interrupted === true) this.#turn.end('cancelled');
    if (content.turnComplete === true) this.#turn.end('completed');
  }

  /** @returns the message that the model says now. */
  #spoken(): string {
    if (this.#turn.messageId !== null) return this.#turn.messageId;
    const item = this.#item('assistant');
    this.#turn.messageId = item.id;
    this.#memory.knows({ id: item.id, kind: 'assistant', text: '', callId: '', name: '' });
    this.#turn.push(() => ({ type: 'item', item, after: null }));
    return item.id;
  }

  #call(callId: string, name: string, args: string): void {
    const id = this.#id();
    this.#memory.knows({ id, kind: 'call', text: args, callId, name });
    const call: ServerItem = { id, kind: 'function_call', role: null, callId, name, arguments: args };
    this.#turn.push((responseId) => ({ type: 'call', responseId, call }));
  }

  #newTurn(userItem: string): void {
    this.#turn.close();
    this.#usage.begin();
    this.#turn = new GeminiTurn(userItem, (event) => this.#turnEvent(event), this.#options.timers);
  }

  #turnEvent(event: ServerEvent): void {
    if (event.type === 'user-text' && event.text !== null) this.#memory.says(event.itemId, event.text);
    this.#emit(event);
  }

  #emit(event: ServerEvent): void {
    if (this.#state === 'open') this.#options.event(event);
  }

  #item(role: 'user' | 'assistant'): ServerItem {
    return { id: this.#id(), kind: 'message', role, callId: '', name: '', arguments: '' };
  }

  #id(): string {
    const { resumption } = this.#options;
    resumption.items += 1;
    return `gemini_${resumption.items}`;
  }
}

import type { SessionEvent } from '../../actors/events.ts';
import { readClientEvent, type ClientEvent, type EventProblem } from './client-events.ts';
import type { ConversationLog } from './conversation-log.ts';
import { clientTools, DEFAULT_SETTINGS, updated, type RealtimeSettings } from './realtime-settings.ts';
import type { Microphone } from './microphone.ts';
import type { PersonaSide } from './persona-side.ts';
import type { ResponseWriter } from './response-writer.ts';
import { errorEvent, type ServerEvent } from './server-events.ts';

/** Texts that wait for an answer to be asked for: more than anybody writes in a turn, and 2 MB of the longest. */
const MAX_TEXTS = 64;
/** Servers of the interface refuse to take less as a message. */
const MIN_MS = 100;

export interface ClientSideOptions {
  readonly send: (event: ServerEvent) => void;
  readonly log: ConversationLog;
  readonly writer: ResponseWriter;
  readonly persona: PersonaSide;
  readonly microphone: () => Microphone | null;
  /** A message of the data-channel protocol, with all its checks and limits. */
  readonly message: (message: Readonly<Record<string, unknown>>) => void;
  readonly dispatch: (event: SessionEvent) => void;
  /** `fixed`: a visitor has only a token, and cannot change what the persona does. */
  readonly behavior: 'of the client' | 'fixed';
  /** What the persona says first, if it is asked to speak first. */
  readonly greeting: string | null;
  readonly describe: (settings: RealtimeSettings) => unknown;
}

/** Does what a Realtime client wants. */
export class ClientSide {
  settings: RealtimeSettings = DEFAULT_SETTINGS;
  readonly #options: ClientSideOptions;
  /** Texts that were added, and that no answer was asked to. */
  #texts: string[] = [];
  #greeting: string | null;

  constructor(options: ClientSideOptions) {
    this.#options = options;
    this.#greeting = options.greeting;
  }

  receive(raw: string): void {
    const read = readClientEvent(raw);
    if (read.ok) this.#do(read.event);
    else this.#options.send(errorEvent(read.problem));
  }

  #do(event: ClientEvent): void {
    const { send, message } = this.#options;
    switch (event.type) {
      case 'session.update':
        return this.#update(event);
      case 'input_audio_buffer.append':
        return this.#append(event);
      case 'input_audio_buffer.commit':
        return this.#commit(event);
      case 'input_audio_buffer.clear':
        this.#options.microphone()?.clear();
        return send({ type: 'input_audio_buffer.cleared' });
      case 'conversation.item.create':
        return this.#create(event);
      case 'conversation.item.truncate':
        return this.#truncate(event);
      case 'conversation.item.retrieve':
        return this.#retrieve(event);
      case 'response.create':
        return this.#respond(event);
      case 'response.cancel':
        if (!this.#options.persona.isAnswering) return this.#refuse(event, NOTHING_TO_CANCEL);
        return message({ message_type: 'interrupt' });
      case 'output_audio_buffer.clear':
        message({ message_type: 'interrupt' });
        return send({ type: 'output_audio_buffer.cleared' });
    }
  }

  #update(event: Extract<ClientEvent, { type: 'session.update' }>): void {
    const { send, dispatch, behavior, describe } = this.#options;
    const { instructions, tools, ...rest } = event.session;
    const behaves = instructions !== undefined || tools !== undefined;
    const refused = behaves && behavior === 'fixed';
    if (refused) this.#refuse(event, FIXED);
    this.settings = updated(this.settings, refused ? rest : event.session);
    if (this.settings.turnDetection !== null) this.#options.microphone()?.release();
    if (behaves && !refused) {
      const { instructions: wanted } = this.settings;
      dispatch({ type: 'client.instructs', instructions: wanted, tools: clientTools(this.settings) });
    }
    send({ type: 'session.updated', session: describe(this.settings) });
  }

  #append(event: Extract<ClientEvent, { type: 'input_audio_buffer.append' }>): void {
    const { input, turnDetection } = this.settings;
    const sound = Buffer.from(event.audio, 'base64');
    const taken = this.#options.microphone()?.append(sound, input, turnDetection === null) ?? true;
    if (!taken) this.#refuse(event, FULL);
  }

  #commit(event: Extract<ClientEvent, { type: 'input_audio_buffer.commit' }>): void {
    // With a VAD the turn ends by itself.
    if (this.settings.turnDetection !== null) return;
    const microphone = this.#options.microphone();
    if ((microphone?.heldMs ?? 0) < MIN_MS) return this.#refuse(event, EMPTY);
    microphone!.release();
    this.#options.persona.asked();
  }

  #create(event: Extract<ClientEvent, { type: 'conversation.item.create' }>): void {
    const { log, message, persona } = this.#options;
    const { item } = event;
    if (item.type === 'function_call_output') {
      const { call_id: callId, output } = item;
      log.whole({ type: 'function_call_output', call_id: callId, output }, item.id ?? undefined);
      message({ message_type: 'tool_result', tool_call_id: callId, result: output });
      return persona.asked();
    }
    if (item.role === 'user' && this.#texts.length === MAX_TEXTS) return this.#refuse(event, UNANSWERED);
    const text = item.content.map((part) => part.text).join('\n');
    const content = item.content.map((part) => ({ type: 'input_text', text: part.text }));
    log.whole({ type: 'message', role: item.role, content }, item.id ?? undefined);
    if (item.role === 'system') message({ message_type: 'context', content: text });
    else this.#texts.push(text);
  }

  #truncate({ item_id: id, content_index: index, audio_end_ms: endMs }: Truncate): void {
    const { writer, message, send } = this.#options;
    // The client does not play the rest, so the persona does not go on.
    if (writer.messageId === id) message({ message_type: 'interrupt' });
    send({ type: 'conversation.item.truncated', item_id: id, content_index: index ?? 0, audio_end_ms: endMs });
  }

  #retrieve(event: Extract<ClientEvent, { type: 'conversation.item.retrieve' }>): void {
    const { send, log } = this.#options;
    const item = log.item(event.item_id);
    if (item === null) this.#refuse(event, NO_ITEM);
    else send({ type: 'conversation.item.retrieved', item });
  }

  #respond(event: Extract<ClientEvent, { type: 'response.create' }>): void {
    const { message, persona, dispatch } = this.#options;
    const instructions = event.response?.['instructions'];
    if (typeof instructions === 'string' && instructions !== '')
      message({ message_type: 'context', content: instructions });
    const content = this.#texts.splice(0).join('\n');
    if (content !== '') {
      persona.asked();
      return message({ message_type: 'speech', content });
    }
    // A persona answers what it has heard, and results of functions, by itself.
    if (persona.isAnswering) return;
    if (this.#greeting === null) return this.#refuse(event, NOTHING_TO_ANSWER);
    dispatch({ type: 'client.talk', content: this.#greeting });
    this.#greeting = null;
  }

  #refuse(event: ClientEvent, [code, message]: Reason): void {
    const problem: EventProblem = { code, message, param: null, eventId: event.event_id ?? null };
    this.#options.send(errorEvent(problem));
  }
}

type Truncate = Extract<ClientEvent, { type: 'conversation.item.truncate' }>;
type Reason = readonly [code: string, message: string];

const NOTHING_TO_CANCEL: Reason = ['response_cancel_not_active', 'There is no active response.'];
const NOTHING_TO_ANSWER: Reason = [
  'nothing_to_answer',
  'There is nothing to answer: the persona speaks first only if it has a first message.',
];
const NO_ITEM: Reason = ['item_not_found', 'There is no such item, or it is long ago.'];
const FIXED: Reason = [
  'not_allowed',
  'With a session token, the persona’s instructions and tools are fixed: they are left as they are.',
];
const FULL: Reason = [
  'input_audio_buffer_full',
  'Two minutes of sound wait already: send it no faster than it is spoken.',
];
const UNANSWERED: Reason = [
  'too_many_items',
  `${MAX_TEXTS} texts wait already: ask for an answer with response.create.`,
];
const EMPTY: Reason = ['input_audio_buffer_commit_empty', 'The buffer has less than 100 ms of sound.'];

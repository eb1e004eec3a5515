import type { ConversationLog, WrittenItem } from './conversation-log.ts';
import { newId, type ServerEvent } from './server-events.ts';

export type ResponseEnd = 'completed' | 'cancelled';

interface OpenMessage {
  readonly id: string;
  readonly index: number;
  readonly before: string | null;
  transcript: string;
}

interface OpenResponse {
  readonly id: string;
  readonly output: WrittenItem[];
  message: OpenMessage | null;
}

/** Writes what the persona says and calls as responses of the interface: at most one at a time. */
export class ResponseWriter {
  readonly #send: (event: ServerEvent) => void;
  readonly #log: ConversationLog;
  #open: OpenResponse | null = null;

  constructor(send: (event: ServerEvent) => void, log: ConversationLog) {
    this.#send = send;
    this.#log = log;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Whether the persona is heard in it. */
  get isHeard(): boolean {
    return this.#open?.message != null;
  }

  /** Id of the message that is heard. */
  get messageId(): string | null {
    return this.#open?.message?.id ?? null;
  }

  /** More sound. @param base64 in the client's format. */
  sound(base64: string): void {
    this.#send({ type: 'response.output_audio.delta', ...this.#place(), delta: base64 });
  }

  words(delta: string): void {
    const place = this.#place();
    this.#open!.message!.transcript += delta;
    this.#send({ type: 'response.output_audio_transcript.delta', ...place, delta });
  }

  /** A function of the client is called: its response is over with that. */
  call({ callId, name, args }: { readonly callId: string; readonly name: string; readonly args: string }): void {
    const open = this.#begin();
    this.#endMessage('completed');
    const item = { id: newId('item'), object: 'realtime.item', type: 'function_call', call_id: callId, name };
    const index = open.output.length;
    const before = this.#log.last;
    const place = { response_id: open.id, item_id: item.id, output_index: index, call_id: callId };
    const empty = { ...item, status: 'in_progress', arguments: '' };
    this.#send({ type: 'response.output_item.added', response_id: open.id, output_index: index, item: empty });
    this.#log.added(empty);
    this.#send({ type: 'response.function_call_arguments.delta', ...place, delta: args });
    this.#send({ type: 'response.function_call_arguments.done', ...place, name, arguments: args });
    const done = { ...item, status: 'completed', arguments: args };
    open.output.push(done);
    this.#send({ type: 'response.output_item.done', response_id: open.id, output_index: index, item: done });
    this.#log.done(done, before);
    this.end('completed');
  }

  /** @param end `cancelled`: the user has interrupted. Without an open response nothing happens. */
  end(end: ResponseEnd): void {
    const open = this.#open;
    if (open === null) return;
    this.#endMessage(end);
    this.#open = null;
    const details = end === 'cancelled' ? { type: 'cancelled', reason: 'turn_detected' } : null;
    this.#send({ type: 'response.done', response: written(open, end, details) });
  }

  #begin(): OpenResponse {
    if (this.#open !== null) return this.#open;
    this.#open = { id: newId('resp'), output: [], message: null };
    this.#send({ type: 'response.created', response: written(this.#open, 'in_progress', null) });
    return this.#open;
  }

  /** Of the message's sound and words; begins it if it has not begun. */
  #place() {
    const open = this.#begin();
    open.message ??= this.#beginMessage(open);
    const { id, index } = open.message;
    return { response_id: open.id, item_id: id, output_index: index, content_index: 0 };
  }

  #beginMessage(open: OpenResponse): OpenMessage {
    const message = { id: newId('item'), index: open.output.length, before: this.#log.last, transcript: '' };
    const item = messageItem(message, 'in_progress', []);
    const place = { response_id: open.id, output_index: message.index };
    this.#send({ type: 'response.output_item.added', ...place, item });
    this.#log.added(item);
    const part = { type: 'audio', transcript: '' };
    this.#send({ type: 'response.content_part.added', ...place, item_id: message.id, content_index: 0, part });
    return message;
  }

  #endMessage(end: ResponseEnd): void {
    const open = this.#open;
    if (open?.message == null) return;
    const { message } = open;
    const place = this.#place();
    const { transcript } = message;
    this.#send({ type: 'response.output_audio.done', ...place });
    this.#send({ type: 'response.output_audio_transcript.done', ...place, transcript });
    this.#send({ type: 'response.content_part.done', ...place, part: { type: 'audio', transcript } });
    const status = end === 'cancelled' ? 'incomplete' : 'completed';
    const item = messageItem(message, status, [{ type: 'output_audio', transcript }]);
    open.output.push(item);
    open.message = null;
    const { response_id: id, output_index: index } = place;
    this.#send({ type: 'response.output_item.done', response_id: id, output_index: index, item });
    this.#log.done(item, message.before);
  }
}

function messageItem({ id }: OpenMessage, status: string, content: readonly unknown[]): WrittenItem {
  return { id, object: 'realtime.item', type: 'message', status, role: 'assistant', content };
}

function written({ id, output }: OpenResponse, status: string, details: unknown) {
  return { object: 'realtime.response', id, status, status_details: details, output, output_modalities: ['audio'] };
}

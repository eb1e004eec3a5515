import type { WebSocket } from 'ws';
import { BETA_NAMES } from './beta-names.ts';
import { runInOrder } from './run-in-order.ts';
import { spokenWords, type SpokenWord } from './spoken-tones.ts';

/** What the model says next: words, a call of a tool, a failure with a code, or nothing at all. */
export type ScriptedAnswer =
  | string
  | { readonly call: { readonly name: string; readonly args: object }; readonly text?: string }
  | { readonly fail: string }
  | { readonly silent: true };

export interface RealtimeServerOptions {
  /** @param view what the model remembers. */
  answer: (view: { readonly items: readonly ServerItem[]; readonly instructions: string }) => ScriptedAnswer;
  /** What the user says, one after the other: the transcription gives these. */
  hears?: string[];
  /** @defaultValue 5 */
  transcriptionMs?: number;
  /** From the request to the first piece. @defaultValue 5 */
  thinkMs?: number;
  /** How much faster than it is heard the sound comes. @defaultValue 20 */
  pace?: number;
  /** From the beginning of the message to its first word. @defaultValue 0 */
  beforeWordsMs?: number;
  /** @defaultValue 'released' */
  names?: 'released' | 'beta';
  /** Whether it says that the session begins. @defaultValue true */
  greets?: boolean;
  /** @defaultValue 'the-key' */
  key?: string;
  /** What each answer costs, as it is told when it is done. @defaultValue nothing is told */
  usage?: object;
}

/** An item as the server keeps it. */
export interface ServerItem {
  readonly id: string;
  readonly type: 'message' | 'function_call' | 'function_call_output';
  readonly role?: 'user' | 'assistant' | 'system';
  /** The words of a message; after a truncation those that were heard. Arguments or output of calls. */
  text: string;
  readonly call_id?: string;
  readonly name?: string;
  words?: readonly SpokenWord[];
}

interface Running {
  readonly id: string;
  readonly outside: boolean;
  /** Nothing more comes of it. */
  stop: () => void;
}

type Json = Readonly<Record<string, unknown>>;

interface TurnDetection {
  readonly type: string;
  readonly create_response?: boolean;
  readonly interrupt_response?: boolean;
}

/** What a session is set to, as far as the server looks at it. */
export interface PeerSession {
  readonly type?: string;
  readonly instructions?: string;
  readonly output_modalities?: readonly string[];
  readonly tools?: readonly Json[];
  readonly audio?: {
    readonly input?: {
      readonly turn_detection?: TurnDetection | null;
      readonly transcription?: { readonly prompt?: string };
    };
    readonly output?: Json;
  };
}

/** An event of the client, before it is checked. */
export interface ClientMessage {
  readonly type: string;
  readonly event_id?: string;
  readonly session?: PeerSession;
  readonly audio?: string;
  readonly item?: GivenItem;
  readonly item_id?: string;
  readonly previous_item_id?: string;
  readonly audio_end_ms?: number;
  readonly response?: {
    readonly conversation?: string;
    readonly metadata?: Json;
    readonly instructions?: string;
  };
}

interface GivenItem extends Omit<ServerItem, 'text'> {
  readonly content?: readonly { readonly text?: string }[];
  readonly arguments?: string;
  readonly output?: string;
}

const SAMPLES_PER_MS = 24;
const LOUD = 600;
const VAD_SILENCE_MS = 400;

/** One connection of the scripted server. */
export class RealtimePeer {
  /** Every event of the client, in order; audio without its samples. */
  readonly received: ClientMessage[] = [];
  items: ServerItem[] = [];
  session: PeerSession = {};
  readonly #socket: WebSocket;
  readonly #options: RealtimeServerOptions;
  #count = 0;
  #audioMs = 0;
  #running: Running | null = null;
  #vad: { voice: 'on' | 'off'; silentMs: number } = { voice: 'off', silentMs: 0 };

  constructor(socket: WebSocket, options: RealtimeServerOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (data) => this.#receive(JSON.parse(String(data)) as ClientMessage));
    socket.on('close', () => this.#stop());
    socket.on('error', () => {});
    if (options.greets !== false)
      this.send({ type: 'session.created', session: { type: 'realtime', id: this.#id('sess') } });
  }

  /** What the model remembers of what was said, in words. */
  get remembers(): string[] {
    return this.items.map(({ type, role, text }) => `${type === 'message' ? role : type}: ${text}`);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  ofType(type: string): ClientMessage[] {
    return this.received.filter((event) => event.type === type);
  }

  send(event: { readonly type: string } & Json): void {
    const type = this.#options.names === 'beta' ? (BETA_NAMES[event.type] ?? event.type) : event.type;
    this.#socket.send(JSON.stringify({ event_id: this.#id('event'), ...event, type }));
  }

  sendRaw(text: string): void {
    this.#socket.send(text);
  }

  /** Closes the connection. */
  hangUp(): void {
    this.#socket.close(1001);
  }

  /** Drops the connection without a word. */
  cut(): void {
    this.#socket.terminate();
  }

  #receive(event: ClientMessage): void {
    this.received.push(event.type === 'input_audio_buffer.append' ? { type: event.type } : event);
    const handler = this.#handlers[event.type];
    if (handler === undefined) return this.#error(event, 'invalid_value', `Invalid value: '${event.type}'.`);
    handler(event);
  }

  readonly #handlers: Readonly<Record<string, (event: ClientMessage) => void>> = {
    'session.update': (event) => {
      if (event.session?.type !== 'realtime') return this.#error(event, 'missing_required_parameter', 'session.type');
      this.session = { ...this.session, ...event.session };
      this.send({ type: 'session.updated', session: this.session });
    },
    'input_audio_buffer.append': (event) => this.#append(Buffer.from(event.audio ?? '', 'base64')),
    'input_audio_buffer.clear': () => {
      this.#audioMs = 0;
      this.send({ type: 'input_audio_buffer.cleared' });
    },
    'input_audio_buffer.commit': (event) => {
      if (this.#audioMs < 100) return this.#error(event, 'input_audio_buffer_commit_empty', 'The buffer is too small.');
      this.#commit();
    },
    'conversation.item.create': (event) => this.#create(event),
    'conversation.item.delete': (event) => {
      if (!this.#find(event.item_id)) return this.#error(event, 'item_delete_invalid_item_id', 'No such item.');
      this.items = this.items.filter(({ id }) => id !== event.item_id);
      this.send({ type: 'conversation.item.deleted', item_id: event.item_id });
    },
    'conversation.item.truncate': (event) => this.#truncate(event),
    'response.create': (event) => this.#respond(event),
    'response.cancel': (event) => {
      if (this.#running === null)
        return this.#error(event, 'response_cancel_not_active', 'There is no active response.');
      this.#finish('cancelled', { type: 'cancelled', reason: 'client_cancelled' });
    },
  };

  #error(event: ClientMessage, code: string, message: string): void {
    const about = event.event_id ?? null;
    this.send({ type: 'error', error: { type: 'invalid_request_error', code, message, param: null, event_id: about } });
  }

  #append(bytes: Buffer): void {
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
    const ms = samples.length / SAMPLES_PER_MS;
    this.#audioMs += ms;
    const detection = this.session.audio?.input?.turn_detection;
    if (detection == null) return;
    const isLoud = samples.some((sample) => Math.abs(sample) > LOUD);
    this.#vad.silentMs = isLoud ? 0 : this.#vad.silentMs + ms;
    if (isLoud && this.#vad.voice === 'off') {
      this.#vad.voice = 'on';
      this.send({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0, item_id: this.#id('item') });
      if (detection.interrupt_response !== false && this.#running !== null)
        this.#finish('cancelled', { type: 'cancelled', reason: 'turn_detected' });
    }
    if (this.#vad.voice !== 'on' || this.#vad.silentMs < VAD_SILENCE_MS) return;
    this.#vad.voice = 'off';
    this.send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: 0, item_id: '' });
    this.#commit();
    if (detection.create_response !== false) this.#respond({ type: 'response.create' });
  }

  #commit(): void {
    this.#audioMs = 0;
    const item: ServerItem = { id: this.#id('item'), type: 'message', role: 'user', text: '' };
    const before = this.items.at(-1)?.id ?? null;
    this.send({ type: 'input_audio_buffer.committed', item_id: item.id, previous_item_id: before });
    this.items.push(item);
    this.#added(item, before, [{ type: 'input_audio', transcript: null }]);
    const transcript = this.#options.hears?.shift() ?? '';
    item.text = transcript;
    const about = { item_id: item.id, content_index: 0 };
    const type = 'conversation.item.input_audio_transcription';
    setTimeout(() => {
      if (transcript !== '') this.send({ type: `${type}.delta`, ...about, delta: transcript });
      this.send({ type: `${type}.completed`, ...about, transcript });
    }, this.#options.transcriptionMs ?? 5);
  }

  #create(event: ClientMessage): void {
    const given = event.item;
    const before = event.previous_item_id;
    if (given === undefined) return this.#error(event, 'missing_required_parameter', 'item');
    if (this.#find(given.id)) return this.#error(event, 'item_create_duplicate', 'The item exists.');
    const isResult = given.type === 'function_call_output';
    if (isResult && !this.items.some(({ type, call_id }) => type === 'function_call' && call_id === given.call_id))
      return this.#error(event, 'invalid_tool_call_id', 'The tool call is not in the conversation.');
    const text = given.content?.[0]?.text ?? given.arguments ?? given.output ?? '';
    const item = { ...given, text };
    if (before === undefined) this.items.push(item);
    else if (before === 'root') this.items.unshift(item);
    else {
      const at = this.items.findIndex(({ id }) => id === before);
      if (at === -1) return this.#error(event, 'invalid_value', 'There is no previous item.');
      this.items.splice(at + 1, 0, item);
    }
    this.#added(item, before ?? null, given.content ?? []);
  }

  #truncate(event: ClientMessage): void {
    const item = this.#find(event.item_id);
    const endMs = event.audio_end_ms ?? 0;
    const words = item?.words ?? [];
    const durationMs = words.at(-1)?.endMs ?? 0;
    if (item === undefined || endMs > durationMs)
      return this.#error(event, 'item_truncate_invalid', `Audio content of ${durationMs}ms is shorter than ${endMs}ms`);
    item.words = words.filter((word) => word.startMs < endMs);
    item.text = item.words.map(({ text }) => text).join(' ');
    this.send({ type: 'conversation.item.truncated', item_id: item.id, content_index: 0, audio_end_ms: endMs });
  }

  #respond(event: ClientMessage): void {
    const asked = event.response ?? {};
    const outside = asked.conversation === 'none';
    if (!outside && this.#running !== null)
      return this.#error(event, 'conversation_already_has_active_response', 'Conversation already has a response.');
    const running: Running = { id: this.#id('resp'), outside, stop() {} };
    if (!outside) this.#running = running;
    const metadata = asked.metadata ?? null;
    this.send({ type: 'response.created', response: { id: running.id, status: 'in_progress', metadata } });
    const quoted = /"(?:[^"\\]|\\.)*"$/.exec(asked.instructions ?? '')?.[0];
    const answer = (): void =>
      this.#answer(
        running,
        outside
          ? (JSON.parse(quoted ?? '""') as string)
          : this.#options.answer({ items: this.items, instructions: this.session.instructions ?? '' }),
      );
    running.stop = runInOrder([{ atMs: this.#options.thinkMs ?? 5, run: answer }]);
  }

  #answer(running: Running, answer: ScriptedAnswer): void {
    if (typeof answer === 'object' && 'silent' in answer) return;
    if (typeof answer === 'object' && 'fail' in answer)
      return this.#finish('failed', { type: 'failed', error: { type: 'server_error', code: answer.fail } }, running);
    const text = typeof answer === 'string' ? answer : (answer.text ?? '');
    const end = (): void => {
      if (typeof answer === 'object') this.#call(running, answer.call);
      this.#finish('completed', null, running);
    };
    if (text === '') return end();
    if (this.session.output_modalities?.[0] === 'text') {
      const item = this.#openMessage(running);
      item.text = text;
      this.send({ type: 'response.output_text.delta', response_id: running.id, item_id: item.id, delta: text });
      return end();
    }
    this.#speak(running, text, end);
  }

  #openMessage(running: Running): ServerItem {
    const item: ServerItem = { id: this.#id('item'), type: 'message', role: 'assistant', text: '', words: [] };
    this.send({
      type: 'response.output_item.added',
      response_id: running.id,
      output_index: 0,
      item: { ...item, content: [] },
    });
    if (running.outside) return item;
    const before = this.items.at(-1)?.id ?? null;
    this.items.push(item);
    this.#added(item, before, []);
    return item;
  }

  #speak(running: Running, text: string, end: () => void): void {
    const item = this.#openMessage(running);
    const words = spokenWords(text);
    const place = { response_id: running.id, item_id: item.id, output_index: 0, content_index: 0 };
    const { pace = 20, beforeWordsMs: beforeMs = 0 } = this.#options;
    const say = (word: SpokenWord) => (): void => {
      item.words = [...(item.words ?? []), word];
      item.text = item.words.map((spoken) => spoken.text).join(' ');
      this.send({ type: 'response.output_audio_transcript.delta', ...place, delta: `${word.text} ` });
      const audio = Buffer.from(word.pcm.buffer).toString('base64');
      this.send({ type: 'response.output_audio.delta', ...place, delta: audio });
    };
    const finish = (): void => {
      this.send({ type: 'response.output_audio.done', ...place });
      this.send({ type: 'response.output_audio_transcript.done', ...place, transcript: text });
      this.send({ type: 'response.output_item.done', response_id: running.id, item: { ...item, words: [] } });
      end();
    };
    running.stop = runInOrder([
      ...words.map((word) => ({ atMs: beforeMs + word.startMs / pace, run: say(word) })),
      { atMs: beforeMs + (words.at(-1)?.endMs ?? 0) / pace, run: finish },
    ]);
  }

  #call(running: Running, { name, args }: { readonly name: string; readonly args: object }): void {
    const item: ServerItem = {
      id: this.#id('item'),
      type: 'function_call',
      call_id: this.#id('call'),
      name,
      text: JSON.stringify(args),
    };
    this.items.push(item);
    const sent = { ...item, arguments: item.text };
    this.send({ type: 'response.output_item.added', response_id: running.id, item: sent });
    const { id: itemId, call_id: callId } = item;
    const place = { response_id: running.id, item_id: itemId, call_id: callId };
    this.send({ type: 'response.function_call_arguments.done', ...place, arguments: item.text });
    this.send({ type: 'response.output_item.done', response_id: running.id, item: sent });
  }

  #finish(status: string, details: Json | null, running = this.#running): void {
    if (running === null) return;
    running.stop();
    if (running === this.#running) this.#running = null;
    const usage = status === 'failed' ? null : this.#options.usage;
    this.send({ type: 'response.done', response: { id: running.id, status, status_details: details, usage } });
  }

  #added(item: ServerItem, before: string | null, content: unknown): void {
    this.send({
      type: 'conversation.item.added',
      previous_item_id: before,
      item: { ...item, words: undefined, content },
    });
  }

  #find(id: unknown): ServerItem | undefined {
    return this.items.find((item) => item.id === id);
  }

  #stop(): void {
    this.#running?.stop();
  }

  #id(kind: string): string {
    this.#count += 1;
    return `${kind}_${this.#count}`;
  }
}

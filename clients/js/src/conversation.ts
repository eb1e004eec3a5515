import { captionAfter, type Caption } from './captions.ts';
import type { ConfigUpdates } from './config-updates.ts';
import type { Emitter } from './emitter.ts';
import type { ClientEvents } from './events.ts';
import { floorAfter, floorAfterTyping, holderOf, QUIET_FLOOR, type Floor, type FloorHolder } from './floor.ts';
import { withReasoning, withSpeech, withTyped, type Message } from './history.ts';
import type { MessageStreamEvent, ServerMessage } from './server-messages.ts';
import type { Tools } from './tools.ts';

/** What is said in one session, as far as this page knows it, and the listeners who are told. */
export class Conversation {
  readonly #events: Emitter<ClientEvents>;
  readonly #tools: Tools;
  readonly #updates: ConfigUpdates;
  readonly #elapsedMs: () => number;
  /** By message: the next piece that it needs. */
  readonly #pieces: Map<string, number>;
  #messages: readonly Message[];
  #reasoning: readonly Message[] = [];
  #caption: Caption | null = null;
  #floor: Floor = QUIET_FLOOR;

  /** @param messages and `pieces`: of before a reload. @param elapsedMs since the session began. */
  constructor(options: {
    readonly events: Emitter<ClientEvents>;
    readonly tools: Tools;
    readonly updates: ConfigUpdates;
    readonly messages: readonly Message[];
    readonly pieces: Readonly<Record<string, number>>;
    readonly elapsedMs: () => number;
  }) {
    this.#events = options.events;
    this.#tools = options.tools;
    this.#updates = options.updates;
    this.#messages = options.messages;
    this.#pieces = new Map(Object.entries(options.pieces));
    this.#elapsedMs = options.elapsedMs;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** By message: how many pieces of it have come. */
  get pieces(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#pieces);
  }

  get caption(): Caption | null {
    return this.#caption;
  }

  get holder(): FloorHolder {
    return holderOf(this.#floor);
  }

  take(message: ServerMessage): void {
    if (message.kind === 'speech' && this.#isRepeated(message.event)) return;
    this.#setFloor(floorAfter(this.#floor, message));
    switch (message.kind) {
      case 'speech':
        this.#speech(message.event);
        break;
      case 'reasoning':
        this.#reasoning = withReasoning(this.#reasoning, message.event, this.#elapsedMs());
        this.#events.emit('REASONING_STREAM_EVENT_RECEIVED', message.event);
        if (message.event.endOfThought) this.#events.emit('REASONING_HISTORY_UPDATED', this.#reasoning);
        break;
      case 'user-speech':
        this.#events.emit(
          message.phase === 'started' ? 'USER_SPEECH_STARTED' : 'USER_SPEECH_ENDED',
          message.correlationId,
        );
        break;
      case 'tool-call':
        this.#tools.take(message.phase, message.call);
        break;
      case 'config-update':
        this.#updates.applied(message.update);
        this.#events.emit('PERSONA_CONFIG_UPDATE_APPLIED', message.update);
        break;
      case 'cue':
        this.#events.emit('DIRECTOR_NOTE_CUE_APPLIED', message.cue);
        break;
    }
    this.#events.emit('SERVER_MESSAGE_RECEIVED', message);
  }

  typed(text: string): void {
    this.#messages = withTyped(this.#messages, text, this.#elapsedMs());
    this.#setFloor(floorAfterTyping(this.#floor));
    this.#events.emit('MESSAGE_HISTORY_UPDATED', this.#messages);
  }

  warned(text: string): void {
    this.#updates.warned(text);
    this.#events.emit('SERVER_WARNING', text);
  }

  end(): void {
    this.#updates.closed();
    this.#setFloor(QUIET_FLOOR);
  }

  #speech(event: MessageStreamEvent): void {
    const atMs = this.#elapsedMs();
    this.#messages = withSpeech(this.#messages, event, atMs);
    this.#caption = captionAfter(this.#caption, event, atMs);
    this.#events.emit('MESSAGE_STREAM_EVENT_RECEIVED', event);
    this.#events.emit('CAPTION_UPDATED', this.#caption);
    if (event.endOfSpeech) this.#events.emit('MESSAGE_HISTORY_UPDATED', this.#messages);
  }

  /** After an outage, the service repeats what it does not know to have arrived. */
  #isRepeated({ id, contentIndex }: MessageStreamEvent): boolean {
    if (contentIndex < (this.#pieces.get(id) ?? 0)) return true;
    this.#pieces.set(id, contentIndex + 1);
    return false;
  }

  #setFloor(floor: Floor): void {
    const before = this.holder;
    this.#floor = floor;
    if (this.holder !== before) this.#events.emit('FLOOR_CHANGED', this.holder);
  }
}

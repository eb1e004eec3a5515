import type { z } from 'zod';
import type { serverMessage } from '../../actors/messages.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { ResponseWriter } from './response-writer.ts';
import type { ServerEvent } from './server-events.ts';

/** After an interruption the last sound fades out: it begins no new response. */
const FADES_MS = 100;
/** Whether a voice that is over was an interruption is known within this time (`actors/floor/floor-actions.ts`). */
const JUDGED_WITHIN_MS = 2_500;

export interface PersonaSideOptions {
  readonly send: (event: ServerEvent) => void;
  readonly log: ConversationLog;
  readonly writer: ResponseWriter;
  /** How much of the user's sound was heard, ms. */
  readonly position: () => number;
  /** In the client's format, base64. */
  readonly encode: (pcm: Int16Array) => string;
  readonly silence: Int16Array;
  readonly now: () => number;
}

type Message = z.infer<typeof serverMessage>;
type Spoken = Extract<Message, { messageType: 'speechText' }>['data'];

/** Tells a Realtime client what happens in the session: who speaks, what is said, and which functions are called. */
export class PersonaSide {
  readonly #options: PersonaSideOptions;
  /** The user's voice that is told, by its turn. */
  #told: { readonly turn: string; voice: 'on' | 'off' } | null = null;
  /** A voice over the persona's: it is told when it proves to be an interruption, which words may show after it. */
  #over: { readonly turn: string; readonly endedAt: number } | null = null;
  #fadedAt = 0;
  /** Whether the user has asked something that is not answered so far. */
  #question: 'open' | 'answered' = 'answered';

  constructor(options: PersonaSideOptions) {
    this.#options = options;
  }

  /** Whether the persona says something, or will without being asked again. */
  get isAnswering(): boolean {
    return this.#options.writer.isOpen || this.#question === 'open';
  }

  /** The client has asked something. */
  asked(): void {
    this.#question = 'open';
  }

  /** 20 ms of the persona's voice, 48 kHz; null: silence. */
  voice(pcm: Int16Array | null): void {
    const { writer, encode, silence, now } = this.#options;
    if (!writer.isHeard && (pcm === null || now() < this.#fadedAt)) return;
    this.#question = 'answered';
    writer.sound(encode(pcm ?? silence));
  }

  /**
   * The persona has been stopped. Whether its answer is over is known later: a chair that was heard as "stop" does not end it.
   */
  silenced(): void {
    if (this.#options.writer.isHeard) this.#interrupts();
  }

  /** A message for clients, as on the data channel. */
  message(text: string): void {
    const { messageType, data } = JSON.parse(text) as Message;
    switch (messageType) {
      case 'userSpeechStarted':
        if (!this.#options.writer.isHeard) return this.#started(data.user_action_correlation_id);
        this.#over = { turn: data.user_action_correlation_id, endedAt: Infinity };
        return;
      case 'userSpeechEnded':
        if (this.#over !== null) this.#over = { ...this.#over, endedAt: this.#options.now() };
        return this.#stopped();
      case 'speechText':
        return data.role === 'user' ? this.#heard(data) : this.#says(data);
      case 'toolCallStarted':
        if (data.tool_type !== 'client') return;
        return this.#options.writer.call({
          callId: data.tool_call_id,
          name: data.tool_name,
          args: JSON.stringify(data.arguments),
        });
      default:
        return;
    }
  }

  #started(turn: string): void {
    if (this.#told?.voice === 'on') return;
    this.#told = { turn, voice: 'on' };
    const at = Math.round(this.#options.position());
    this.#options.send({ type: 'input_audio_buffer.speech_started', audio_start_ms: at, item_id: itemId(turn) });
  }

  #stopped(): void {
    if (this.#told?.voice !== 'on') return;
    this.#told.voice = 'off';
    const at = Math.round(this.#options.position());
    const item = itemId(this.#told.turn);
    this.#options.send({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: at, item_id: item });
  }

  /** The voice over the persona's was an interruption. */
  #interrupts(): void {
    if (this.#over === null || this.#options.now() > this.#over.endedAt + JUDGED_WITHIN_MS) return;
    this.#started(this.#over.turn);
    if (this.#over.endedAt !== Infinity) this.#stopped();
    this.#over = null;
  }

  #heard({ content, user_action_correlation_id: turn }: Spoken): void {
    const { send, log } = this.#options;
    if (this.#told?.turn !== turn) this.#started(turn);
    this.#stopped();
    this.#told = null;
    this.#question = 'open';
    const id = itemId(turn);
    send({ type: 'input_audio_buffer.committed', previous_item_id: log.last, item_id: id });
    log.whole({ type: 'message', role: 'user', content: [{ type: 'input_audio', transcript: content }] }, id);
    send({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: id,
      content_index: 0,
      transcript: content,
    });
  }

  #says({ content, end_of_speech: isLast, interrupted }: Spoken): void {
    const { writer, now } = this.#options;
    if (content !== '') writer.words(content);
    if (content !== '') this.#question = 'answered';
    if (!isLast) return;
    if (interrupted) {
      this.#fadedAt = now() + FADES_MS;
      this.#interrupts();
    }
    this.#over = null;
    writer.end(interrupted ? 'cancelled' : 'completed');
  }
}

function itemId(turn: string): string {
  return `item_${turn.replaceAll('-', '').slice(0, 24)}`;
}

import { ClientError } from './errors.ts';

export type TalkMessageStreamState = 'unstarted' | 'streaming' | 'interrupted' | 'ended';

/** One piece of a talk stream, as the signaling carries it. */
export interface TalkChunk {
  readonly content: string;
  readonly startOfSpeech: boolean;
  readonly endOfSpeech: boolean;
  readonly correlationId: string;
  readonly utteranceId?: string;
}

export interface TalkStreamPorts {
  readonly send: (chunk: TalkChunk) => void;
  /** It begins to speak. From now on, `cut` is called when it is interrupted. */
  readonly begun: (cut: () => void) => void;
  /** Whether its session still listens. */
  readonly isLive: () => boolean;
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Text that the persona says as it comes, without the LLM: for example the output of an LLM of your own. */
export class TalkMessageStream {
  readonly #correlationId: string;
  readonly #ports: TalkStreamPorts;
  #state: TalkMessageStreamState = 'unstarted';
  #utteranceId: string | undefined;

  /** Made by `createTalkMessageStream`. */
  constructor(correlationId: string, ports: TalkStreamPorts) {
    this.#correlationId = correlationId;
    this.#ports = ports;
  }

  /**
   * @param endOfSpeech whether this is the last piece. @param utteranceId lowercase UUID v4, on the first piece of an
   * utterance; a new one queues another utterance in the same message.
   * @throws ClientError `talk_stream_closed`, `configuration`
   */
  async streamMessageChunk(partialMessage: string, endOfSpeech: boolean, utteranceId?: string): Promise<void> {
    if (!this.isActive()) throw new ClientError('talk_stream_closed', `The talk stream is ${this.#closedBecause()}.`);
    if (utteranceId !== undefined && !UUID_V4.test(utteranceId))
      throw new ClientError('configuration', 'An utteranceId is a lowercase UUID v4.');
    if (utteranceId !== undefined) this.#utteranceId = utteranceId;
    const startOfSpeech = this.#state === 'unstarted';
    if (startOfSpeech) this.#ports.begun(() => (this.#state = 'interrupted'));
    this.#state = endOfSpeech ? 'ended' : 'streaming';
    this.#ports.send({
      content: partialMessage,
      startOfSpeech,
      endOfSpeech,
      correlationId: this.#correlationId,
      ...(utteranceId !== undefined && { utteranceId }),
    });
  }

  /** Ends the stream without more text. Does nothing when it is over or has not begun. */
  async endMessage(): Promise<void> {
    if (this.#state !== 'streaming' || !this.#ports.isLive()) return;
    this.#state = 'ended';
    this.#ports.send({
      content: '',
      startOfSpeech: false,
      endOfSpeech: true,
      correlationId: this.#correlationId,
      // Without it, the end would begin an utterance of its own.
      ...(this.#utteranceId !== undefined && { utteranceId: this.#utteranceId }),
    });
  }

  getCorrelationId(): string {
    return this.#correlationId;
  }

  isActive(): boolean {
    return this.#ports.isLive() && (this.#state === 'unstarted' || this.#state === 'streaming');
  }

  getState(): TalkMessageStreamState {
    return this.#state;
  }

  #closedBecause(): string {
    if (this.#state === 'interrupted') return 'interrupted';
    return this.#state === 'ended' ? 'ended' : 'over with its session';
  }
}

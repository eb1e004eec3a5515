import {
  DataPacket,
  DataStream_ByteHeader,
  DataStream_Header,
  DataStream_Chunk,
  DataStream_Trailer,
} from '@livekit/protocol';

export const AGENT = 'agent-1';
export const AVATAR = 'avatar-1';

/** What an agent was told of its segments. */
export interface Told {
  readonly method: string;
  readonly payload: unknown;
}

/** The side of the agent in a room: sends speech as LiveKit's agents do, and answers calls. */
export class SimulatedAgent {
  readonly told: Told[] = [];
  /** Answers to its own calls, by their ids: the error's code, or 'ok'. */
  readonly answers = new Map<string, string | number>();
  /** How many further calls it refuses. */
  refuses = 0;
  /** `deaf`: nothing comes through. */
  state: 'listens' | 'deaf' = 'listens';
  readonly #deliver: (bytes: Uint8Array) => void;
  #streams = 0;

  constructor(deliver: (bytes: Uint8Array) => void) {
    this.#deliver = deliver;
  }

  open(sampleRate = 48_000, channels = 1): string {
    const streamId = `stream-${(this.#streams += 1)}`;
    const attributes = { sample_rate: String(sampleRate), num_channels: String(channels) };
    const header = new DataStream_Header({
      streamId,
      topic: 'lk.audio_stream',
      mimeType: 'application/octet-stream',
      attributes,
      contentHeader: { case: 'byteHeader', value: new DataStream_ByteHeader({ name: 'AUDIO_1' }) },
    });
    this.send({ case: 'streamHeader', value: header });
    return streamId;
  }

  chunk(streamId: string, index: number, content: Uint8Array): void {
    this.send({ case: 'streamChunk', value: new DataStream_Chunk({ streamId, chunkIndex: BigInt(index), content }) });
  }

  close(streamId: string): void {
    this.send({ case: 'streamTrailer', value: new DataStream_Trailer({ streamId }) });
  }

  /** One whole segment, in chunks of 20 ms. */
  say(ms: number, sampleRate = 48_000): void {
    const stream = this.open(sampleRate);
    const samples = sampleRate / 50;
    for (let index = 0; index * 20 < ms; index += 1)
      this.chunk(stream, index, new Uint8Array(new Int16Array(samples).fill(8_000).buffer));
    this.close(stream);
  }

  call(id: string, method: string): void {
    this.send({ case: 'rpcRequest', value: { id, method, payload: '', responseTimeoutMs: 8_000, version: 1 } });
  }

  clearBuffer(): void {
    this.call(`clear-${this.answers.size}`, 'lk.clear_buffer');
  }

  /** What the avatar sends. @returns whether it came through. */
  take(bytes: Uint8Array): boolean {
    if (this.state === 'deaf') return false;
    const { value } = DataPacket.fromBinary(bytes);
    if (value.case === 'rpcResponse') {
      const { requestId, value: answer } = value.value;
      this.answers.set(requestId, answer.case === 'error' ? answer.value.code : 'ok');
    }
    if (value.case === 'rpcRequest') this.#answer(value.value);
    return true;
  }

  send(value: NonNullable<ConstructorParameters<typeof DataPacket>[0]>['value'], from = AGENT): void {
    this.#deliver(new DataPacket({ participantIdentity: from, value: value! }).toBinary());
  }

  #answer({ id: requestId, method, payload }: { id: string; method: string; payload: string }): void {
    this.send({ case: 'rpcAck', value: { requestId } });
    const refused = this.refuses > 0;
    if (refused) this.refuses -= 1;
    else this.told.push({ method, payload: payload === '' ? null : JSON.parse(payload) });
    const answer = refused
      ? { case: 'error' as const, value: { code: 1500, message: 'Application error in method handler' } }
      : { case: 'payload' as const, value: 'ok' };
    this.send({ case: 'rpcResponse', value: { requestId, value: answer } });
  }
}

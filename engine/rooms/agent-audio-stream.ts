import { monoSamples } from '../media/pcm-bytes.ts';
import type { RoomData } from './data-packets.ts';

/** Topic of the byte streams in which an agent sends its speech. */
const AUDIO_TOPIC = 'lk.audio_stream';
const BYTES_PER_SAMPLE = 2;

/** What an agent's speech consists of. One stream is one segment. */
export type AgentSpeech =
  | { readonly type: 'begin' }
  /** Mono, at least one sample. */
  | { readonly type: 'audio'; readonly pcm: Int16Array; readonly sampleRate: number }
  /** Sound that cannot be spoken: more than two channels, or no sample rate. Reported once for a segment. */
  | { readonly type: 'unusable' }
  | { readonly type: 'end' };

type Stream = Extract<RoomData, { type: 'stream opened' | 'stream chunk' | 'stream closed' }>;

interface OpenStream {
  readonly streamId: string;
  readonly sampleRate: number;
  readonly channels: number;
  usable: 'unknown' | 'no';
  /** Of the next chunk. */
  index: number;
  /** Bytes of a sample that is not complete yet. */
  rest: Uint8Array;
}

/**
 * Puts an agent's speech together from the byte streams in which it arrives. A stream ends with its trailer or, because
 * trailers can get lost, with the header of the next one. Chunks are of any size, and may cut a sample in two.
 */
export class AgentAudioStream {
  #open: OpenStream | null = null;

  /** Whether a segment has begun and not ended. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  take(data: Stream): AgentSpeech[] {
    if (data.type === 'stream opened') return data.topic === AUDIO_TOPIC ? this.#begin(data) : [];
    const open = this.#open;
    if (open === null || data.streamId !== open.streamId) return [];
    return data.type === 'stream closed' ? this.end() : chunkOf(open, data.index, data.content);
  }

  /** What still comes of the segment is not wanted. */
  drop(): void {
    this.#open = null;
  }

  /** The segment ends, perhaps without a trailer. */
  end(): AgentSpeech[] {
    if (this.#open === null) return [];
    this.#open = null;
    return [{ type: 'end' }];
  }

  #begin({ streamId, attributes }: Extract<Stream, { type: 'stream opened' }>): AgentSpeech[] {
    // After a reconnect some are sent again.
    if (streamId === this.#open?.streamId) return [];
    const ended = this.end();
    this.#open = {
      streamId,
      sampleRate: Number(attributes['sample_rate']),
      channels: Number(attributes['num_channels'] ?? 1),
      usable: 'unknown',
      index: 0,
      rest: new Uint8Array(),
    };
    return [...ended, { type: 'begin' }];
  }
}

function chunkOf(open: OpenStream, index: number, content: Uint8Array): AgentSpeech[] {
  if (index < open.index || open.usable === 'no') return [];
  open.index = index + 1;
  const { channels, sampleRate } = open;
  if ((channels !== 1 && channels !== 2) || !Number.isInteger(sampleRate) || sampleRate <= 0) {
    open.usable = 'no';
    return [{ type: 'unusable' }];
  }
  const bytes = open.rest.length === 0 ? content : Buffer.concat([open.rest, content]);
  const whole = bytes.length - (bytes.length % (BYTES_PER_SAMPLE * channels));
  // A copy: the library may use the memory of a message again.
  open.rest = bytes.slice(whole);
  return whole === 0 ? [] : [{ type: 'audio', pcm: monoSamples(bytes, channels), sampleRate }];
}

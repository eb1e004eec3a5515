import { monoAudioData } from './mono-audio-data.ts';

/** As the session's packets. */
const EVERY_MS = 20;
const RATE = 48_000;
const SILENCE = new Float32Array((EVERY_MS * RATE) / 1000);

/** A packet of Opus, as it arrived. */
export interface Packet {
  readonly data: ArrayBuffer;
}

/**
 * What the persona's microphone gives: silence until the session starts, because a meeting takes a microphone that
 * gives nothing at all for broken, then the packets of the session, decoded as they arrive.
 *
 * They come from this machine and need no jitter buffer. Chromium's own would be drained by an output that does not
 * exist, whose clock leaves 10 ms out each time that it is late by as much: the buffer fills, and those who hear the
 * persona get its packets ever later.
 */
export class PersonaVoice {
  readonly #writer: WritableStreamDefaultWriter<AudioData>;
  readonly #waiting: ReturnType<typeof setInterval>;
  #decoder: AudioDecoder | null = null;
  #heard: ReadableStreamDefaultReader<Packet> | null = null;

  constructor(track: WritableStream<AudioData>) {
    this.#writer = track.getWriter();
    this.#waiting = setInterval(() => this.#write(monoAudioData(SILENCE, RATE)), EVERY_MS);
  }

  /** From now on the others hear these packets. Resolves when there are no more. */
  async say(packets: ReadableStream<Packet>): Promise<void> {
    this.#heard?.cancel().catch(() => undefined);
    const reader = packets.getReader();
    this.#heard = reader;
    for (;;) {
      const { value: packet } = await reader.read();
      if (packet === undefined) return;
      clearInterval(this.#waiting);
      this.#openDecoder().decode(
        new EncodedAudioChunk({ type: 'key', timestamp: performance.now() * 1000, data: packet.data }),
      );
    }
  }

  /** A decoder that was given something else than Opus is closed. */
  #openDecoder(): AudioDecoder {
    if (this.#decoder === null || this.#decoder.state === 'closed') {
      this.#decoder = new AudioDecoder({ output: (sound) => this.#write(sound), error: () => undefined });
      this.#decoder.configure({ codec: 'opus', sampleRate: RATE, numberOfChannels: 1 });
    }
    return this.#decoder;
  }

  /** A frame that is written belongs to the track, which closes it. */
  #write(sound: AudioData): void {
    this.#writer.write(sound).catch(() => sound.close());
  }
}

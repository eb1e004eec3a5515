export interface AgentAudioInputConfig {
  readonly encoding: 'pcm_s16le';
  /** 8000…48000 Hz */
  readonly sampleRate: number;
  readonly channels: 1 | 2;
}

/** Speech of your own that the persona's face speaks: raw PCM, as fast as you have it. Needs `enableAudioPassthrough`. */
export class AgentAudioInputStream {
  readonly #config: AgentAudioInputConfig;
  readonly #send: (actionType: 'agentaudioinput' | 'agentaudioinputend', payload: object) => void;
  #sequenceNumber = 0;

  /** Made by `createAgentAudioInputStream`. */
  constructor(
    config: AgentAudioInputConfig,
    send: (actionType: 'agentaudioinput' | 'agentaudioinputend', payload: object) => void,
  ) {
    this.#config = config;
    this.#send = send;
  }

  /** @param audioData PCM as bytes, or as base64. */
  sendAudioChunk(audioData: ArrayBuffer | Uint8Array | string): void {
    this.#send('agentaudioinput', {
      audioData: typeof audioData === 'string' ? audioData : base64(new Uint8Array(audioData)),
      ...this.#config,
      sequenceNumber: this.#sequenceNumber,
    });
    this.#sequenceNumber += 1;
  }

  /** Everything that the persona says now was sent: the face comes to rest after it. */
  endSequence(): void {
    this.#send('agentaudioinputend', {});
    this.#sequenceNumber = 0;
  }

  getSequenceNumber(): number {
    return this.#sequenceNumber;
  }

  getConfig(): AgentAudioInputConfig {
    return this.#config;
  }
}

/** Arguments of one call, which engines limit to some 65,000. */
const STEP = 0x8000;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(text);
}

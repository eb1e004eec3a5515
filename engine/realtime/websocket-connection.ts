import { OpusDecoder } from '../audio-in/decode/opus-decoder.ts';
import type { EncodedAudioFrame } from '../media/media-types.ts';
import type { MediaConnection, RevocationHandlers } from '../ports.ts';
import type { ConnectionState } from '../transport/connection-state.ts';
import { OfferError } from '../transport/sdp/parse-offer.ts';

export interface WebSocketConnectionOptions {
  /** 20 ms of the persona's voice, 48 kHz; null: silence. */
  readonly voice: (pcm: Int16Array | null) => void;
  /** A message for clients, as on the data channel. */
  readonly message: (text: string) => void;
  readonly closed: () => void;
}

/** Packets as short as this are silence. */
const SILENT_BYTES = 3;
/** Quieter samples are not heard. */
const QUIET = 8;

/** What a session has in place of a client's peer connection when its client talks over a WebSocket. */
export class WebSocketConnection implements MediaConnection {
  readonly videoCodec = null;
  readonly heardAt = null;
  readonly #options: WebSocketConnectionOptions;
  readonly #decoder = new OpusDecoder();
  #life: 'open' | 'closed' = 'open';

  constructor(options: WebSocketConnectionOptions) {
    this.#options = options;
  }

  sendAudio({ data }: EncodedAudioFrame): void {
    if (this.#life === 'closed') return;
    const pcm = this.#decoder.decode(data);
    const isSilent = data.length <= SILENT_BYTES || pcm === null || pcm.every((sample) => Math.abs(sample) < QUIET);
    this.#options.voice(isSilent ? null : pcm);
  }

  sendVideo(): void {}

  sendMessage(text: string): void {
    if (this.#life === 'open') this.#options.message(text);
  }

  acceptOffer(_sdp: string): never {
    throw new OfferError('The client of this session talks over /v1/realtime: nobody else connects.');
  }

  addCandidate(_candidate: string, _sdpMid: string | null): void {}

  /** Nothing goes on elsewhere: these sessions have no journal. */
  revokeConsent({ refused }: RevocationHandlers): void {
    refused();
  }

  state(): ConnectionState {
    throw new Error('A session of a Realtime client has no journal.');
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#decoder.close();
    this.#options.closed();
  }
}

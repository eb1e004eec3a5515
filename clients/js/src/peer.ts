import { ClientError } from './errors.ts';
import type { Platform } from './platform.ts';

export interface PeerHandlers {
  /** The offer is set locally: send it. */
  readonly offer: (description: RTCSessionDescriptionInit) => void;
  readonly candidate: (candidate: RTCIceCandidateInit) => void;
  readonly connected: () => void;
  readonly disconnected: () => void;
  /** ICE has given up. */
  readonly failed: () => void;
  /** DTLS has given up. */
  readonly died: () => void;
  readonly track: (track: MediaStreamTrack) => void;
  readonly channelOpen: () => void;
  readonly data: (text: string) => void;
}

/** One peer connection: it receives video and audio, sends the microphone, and has the data channel. */
export class Peer {
  readonly #connection: RTCPeerConnection;
  readonly #channel: RTCDataChannel;
  readonly #microphone: RTCRtpSender | null;
  readonly #handlers: PeerHandlers;
  /** Candidates of the other side that arrived before its description. */
  #early: RTCIceCandidateInit[] = [];
  /** Candidates of this side wait until their offer was sent. */
  #held: RTCIceCandidateInit[] | null = [];

  /** @param audio `recvonly` can never send. @throws ClientError `unsupported_browser`, `configuration` */
  constructor(
    platform: Pick<Platform, 'openPeer'>,
    configuration: RTCConfiguration,
    audio: 'sendrecv' | 'recvonly',
    handlers: PeerHandlers,
  ) {
    this.#handlers = handlers;
    const connection = openPeer(platform, configuration);
    this.#connection = connection;
    // In the order of the public clients: channel, video, audio.
    this.#channel = connection.createDataChannel('session', { ordered: true });
    connection.addTransceiver('video', { direction: 'recvonly' });
    const { sender } = connection.addTransceiver('audio', { direction: audio });
    this.#microphone = audio === 'sendrecv' ? sender : null;
    this.#channel.addEventListener('open', () => handlers.channelOpen());
    this.#channel.addEventListener('message', (event) => handlers.data(String(event.data)));
    connection.addEventListener('track', ({ track }) => handlers.track(track));
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate === null || candidate.candidate === '') return;
      if (this.#held === null) handlers.candidate(candidate.toJSON());
      else this.#held.push(candidate.toJSON());
    });
    connection.addEventListener('iceconnectionstatechange', () => this.#onIce(connection.iceConnectionState));
    connection.addEventListener('connectionstatechange', () => {
      const { connectionState, iceConnectionState } = connection;
      if (connectionState === 'failed' && iceConnectionState !== 'failed') handlers.died();
    });
  }

  async offer(iceRestart: boolean): Promise<void> {
    const connection = this.#connection;
    // The offer before this one was never answered.
    if (connection.signalingState === 'have-local-offer') await connection.setLocalDescription({ type: 'rollback' });
    this.#held = [];
    const description = await connection.createOffer({ iceRestart });
    // Set before it is sent: a quick answer must find it.
    await connection.setLocalDescription(description);
    this.#handlers.offer(description);
    for (const candidate of this.#held ?? []) this.#handlers.candidate(candidate);
    this.#held = null;
  }

  async answer(description: RTCSessionDescriptionInit): Promise<void> {
    if (this.#connection.signalingState !== 'have-local-offer') return;
    await this.#connection.setRemoteDescription(description);
    for (const candidate of this.#early.splice(0)) await this.#addCandidate(candidate);
  }

  async addCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    if (this.#connection.remoteDescription === null) this.#early.push(candidate);
    else await this.#addCandidate(candidate);
  }

  /** What the user says is sent from now on. Needs no negotiation. */
  async setMicrophone(track: MediaStreamTrack | null): Promise<void> {
    await this.#microphone?.replaceTrack(track);
  }

  /** @returns false when the channel is not open. */
  send(text: string): boolean {
    if (this.#channel.readyState !== 'open') return false;
    this.#channel.send(text);
    return true;
  }

  stats(): Promise<RTCStatsReport> {
    return this.#connection.getStats();
  }

  close(): void {
    this.#connection.close();
  }

  async #addCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    // The browser refuses a candidate of an older generation; it is useless.
    await this.#connection.addIceCandidate(candidate).catch(() => undefined);
  }

  #onIce(state: RTCIceConnectionState): void {
    if (state === 'connected' || state === 'completed') this.#handlers.connected();
    else if (state === 'disconnected') this.#handlers.disconnected();
    else if (state === 'failed') this.#handlers.failed();
  }
}

function openPeer(platform: Pick<Platform, 'openPeer'>, configuration: RTCConfiguration): RTCPeerConnection {
  try {
    return platform.openPeer(configuration);
  } catch (cause) {
    // Browsers refuse, for example, a TURN server without credentials by such an error. Where WebRTC is switched off,
    // there is nothing that could refuse it.
    const code = cause instanceof DOMException ? 'configuration' : 'unsupported_browser';
    throw new ClientError(code, `The browser makes no peer connection: ${String(cause)}`, { cause });
  }
}

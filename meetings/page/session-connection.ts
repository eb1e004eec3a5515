import type { PlainConnection } from './connections.ts';
import type { FromPage, PageIceServer } from './page-messages.ts';
import { withoutLipSync } from './without-lip-sync.ts';

export interface SessionHandlers {
  readonly send: (message: FromPage) => void;
  readonly face: (track: MediaStreamTrack) => void;
  /** Called before anything is received. */
  readonly voice: (receiver: RTCRtpReceiver) => void;
  /** Messages can be sent from now on. */
  readonly open: () => void;
}

/** The page's end of the session: a client like any other, whose signaling goes through the process. */
export class SessionConnection {
  readonly #connection: RTCPeerConnection;
  readonly #channel: RTCDataChannel;
  readonly #handlers: SessionHandlers;
  /** Candidates of the service that arrived before its answer. */
  #early: RTCIceCandidateInit[] | null = [];

  /** @param room what the session hears. */
  constructor(
    connect: PlainConnection,
    iceServers: readonly PageIceServer[],
    room: MediaStreamTrack,
    handlers: SessionHandlers,
  ) {
    this.#handlers = handlers;
    const connection = connect({
      iceServers: iceServers.map(({ urls, ...credentials }) => ({ urls: [...urls], ...credentials })),
    });
    this.#connection = connection;
    this.#channel = connection.createDataChannel('session', { ordered: true });
    connection.addTransceiver('video', { direction: 'recvonly' });
    handlers.voice(connection.addTransceiver(room, { direction: 'sendrecv' }).receiver);
    this.#channel.addEventListener('open', () => handlers.open());
    connection.addEventListener('track', ({ track }) => track.kind === 'video' && handlers.face(track));
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate !== null && candidate.candidate !== '')
        handlers.send({ type: 'signal', actionType: 'icecandidate', payload: candidate.toJSON() });
    });
    connection.addEventListener('connectionstatechange', () => {
      // The process, the engine and this page are on one machine: a broken connection will not come back.
      if (connection.connectionState === 'failed') handlers.send({ type: 'session_lost' });
    });
  }

  async offer(sessionId: string): Promise<void> {
    const description = await this.#connection.createOffer();
    await this.#connection.setLocalDescription(description);
    const { type, sdp } = description;
    this.#handlers.send({
      type: 'signal',
      actionType: 'offer',
      payload: { connectionDescription: { type, sdp }, userUid: sessionId },
    });
  }

  async receive(actionType: string, payload: unknown): Promise<void> {
    if (actionType === 'answer' && this.#connection.signalingState === 'have-local-offer') {
      const { type, sdp = '' } = payload as RTCSessionDescriptionInit;
      await this.#connection.setRemoteDescription({ type, sdp: withoutLipSync(sdp) });
      const early = this.#early ?? [];
      this.#early = null;
      for (const candidate of early) await this.#add(candidate);
    } else if (actionType === 'icecandidate') {
      if (this.#early === null) await this.#add(payload as RTCIceCandidateInit);
      else this.#early.push(payload as RTCIceCandidateInit);
    }
  }

  /** Sends on the data channel. Does nothing while it is not open. */
  send(message: object): void {
    if (this.#channel.readyState === 'open') this.#channel.send(JSON.stringify(message));
  }

  async #add(candidate: RTCIceCandidateInit): Promise<void> {
    await this.#connection.addIceCandidate(candidate).catch(() => undefined);
  }
}

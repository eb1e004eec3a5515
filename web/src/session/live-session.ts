import { parseDataMessage, type DataMessage } from './data-messages.ts';
import { Recovery } from './recovery.ts';
import { Signaling, type SignalMessage } from './signaling.ts';
import { signalingUrl, type StartResponse } from './start-response.ts';

export type LinkState = 'connecting' | 'ready' | 'reconnecting' | 'closed';

export interface LiveSessionHandlers {
  link(state: LinkState): void;
  stream(stream: MediaStream): void;
  message(message: DataMessage): void;
  warning(text: string): void;
  /** The session is over. `text` is the service's own reason. */
  ended(text: string): void;
}

/**
 * One conversation as a client of Parley's wire protocol: signaling socket, peer connection, data channel, recovery.
 * Made from a started session; `close()` hangs up.
 */
export class LiveSession {
  readonly #start: StartResponse;
  readonly #handlers: LiveSessionHandlers;
  readonly #peer: RTCPeerConnection;
  readonly #channel: RTCDataChannel;
  readonly #signaling: Signaling;
  readonly #recovery: Recovery;
  /** Candidates of the other side that arrived before its description. */
  #early: RTCIceCandidateInit[] = [];
  #state: LinkState = 'connecting';

  /** @param microphone null to talk by text only. */
  constructor(start: StartResponse, microphone: MediaStreamTrack | null, handlers: LiveSessionHandlers) {
    this.#start = start;
    this.#handlers = handlers;
    this.#peer = new RTCPeerConnection({
      iceServers: start.clientConfig.iceServers,
      iceTransportPolicy: start.clientConfig.iceTransportPolicy ?? 'all',
    });
    this.#channel = this.#peer.createDataChannel('session', { ordered: true });
    this.#channel.addEventListener('message', (event) => this.#onData(String(event.data)));
    this.#peer.addTransceiver('video', { direction: 'recvonly' });
    if (microphone === null) this.#peer.addTransceiver('audio', { direction: 'recvonly' });
    else this.#peer.addTransceiver(microphone, { direction: 'sendrecv' });

    const stream = new MediaStream();
    this.#peer.addEventListener('track', ({ track }) => {
      stream.addTrack(track);
      handlers.stream(stream);
    });
    this.#recovery = new Recovery(
      { restart: () => void this.#restart(), giveUp: () => this.#end('The connection was lost.') },
      { setTimeout: (run, ms) => window.setTimeout(run, ms), clearTimeout: (id) => window.clearTimeout(id as number) },
    );
    this.#peer.addEventListener('iceconnectionstatechange', () => this.#onIce(this.#peer.iceConnectionState));
    this.#peer.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate !== null && candidate.candidate !== '') this.#signaling.send('icecandidate', candidate.toJSON());
    });
    this.#signaling = new Signaling(signalingUrl(start), start.sessionId, start.clientConfig, {
      message: (message) =>
        void this.#onSignal(message).catch(() => this.#end('The service sent something that this browser cannot use.')),
      lost: () => this.#onSignalingLost(),
    });
    void this.#offer({}).catch(() => this.#end('This browser could not start the connection.'));
  }

  sendText(content: string): void {
    this.#send({
      message_type: 'speech',
      content,
      timestamp: new Date().toISOString().replace('Z', ''),
      session_id: this.#start.sessionId,
    });
  }

  interrupt(): void {
    this.#send({ message_type: 'interrupt', timestamp: new Date().toISOString(), session_id: this.#start.sessionId });
  }

  /** A tool of the client. The console has no page to act on, so it only shows the call, and tells the persona that. */
  #answerTool(call: Extract<DataMessage, { kind: 'tool' }>): void {
    this.#send({
      message_type: 'tool_result',
      session_id: this.#start.sessionId,
      tool_call_id: call.callId,
      user_action_correlation_id: call.turn,
      timestamp_user_action: call.userActionAt,
      result: 'The call was shown to the user in the console.',
    });
  }

  close(): void {
    this.#end(null);
  }

  async #offer(options: RTCOfferOptions): Promise<void> {
    const description = await this.#peer.createOffer(options);
    // Set before it is sent: a quick answer must find it.
    await this.#peer.setLocalDescription(description);
    this.#signaling.send('offer', {
      connectionDescription: { type: description.type, sdp: description.sdp },
      userUid: this.#start.sessionId,
    });
  }

  async #restart(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#setState('reconnecting');
    try {
      if (this.#peer.signalingState === 'have-local-offer') await this.#peer.setLocalDescription({ type: 'rollback' });
      this.#signaling.reconnect();
      await this.#offer({ iceRestart: true });
    } catch {
      // The next attempt is already scheduled.
    }
  }

  async #onSignal({ actionType, payload }: SignalMessage): Promise<void> {
    switch (actionType) {
      case 'answer':
        if (this.#peer.signalingState !== 'have-local-offer') return;
        await this.#peer.setRemoteDescription(payload as RTCSessionDescriptionInit);
        for (const candidate of this.#early.splice(0)) await this.#addCandidate(candidate);
        return;
      case 'icecandidate':
        if (this.#peer.remoteDescription === null) this.#early.push(payload as RTCIceCandidateInit);
        else await this.#addCandidate(payload as RTCIceCandidateInit);
        return;
      case 'sessionready':
        return this.#setState('ready');
      case 'warning':
        return this.#handlers.warning(String(payload));
      case 'endsession':
        return this.#end(typeof payload === 'string' ? payload : 'The session has ended.');
    }
  }

  async #addCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    // The browser refuses a candidate of an older generation; it is useless.
    await this.#peer.addIceCandidate(candidate).catch(() => {});
  }

  #onIce(state: RTCIceConnectionState): void {
    if (this.#state === 'closed') return;
    if ((state === 'connected' || state === 'completed') && this.#state === 'reconnecting') this.#setState('ready');
    if (state === 'disconnected' && this.#state === 'ready') this.#setState('reconnecting');
    this.#recovery.connectionStateChanged(state);
  }

  #onSignalingLost(): void {
    // Audio and video continue without the socket. Its loss ends the session only before the start.
    if (this.#state === 'connecting') this.#end('The service could not be reached.');
  }

  #onData(text: string): void {
    const message = parseDataMessage(text);
    if (message === null) return;
    if (message.kind === 'tool' && message.phase === 'started' && message.owner === 'client') this.#answerTool(message);
    this.#handlers.message(message);
  }

  #send(message: object): void {
    if (this.#channel.readyState === 'open') this.#channel.send(JSON.stringify(message));
  }

  #setState(state: LinkState): void {
    if (this.#state === 'closed' || this.#state === state) return;
    this.#state = state;
    this.#handlers.link(state);
  }

  /** @param text null when the user hung up. */
  #end(text: string | null): void {
    if (this.#state === 'closed') return;
    this.#setState('closed');
    this.#recovery.stop();
    this.#signaling.close();
    this.#peer.close();
    if (text !== null) this.#handlers.ended(text);
  }
}

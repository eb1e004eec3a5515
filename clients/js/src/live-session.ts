import { ClientError } from './errors.ts';
import type { ConnectionState } from './events.ts';
import { Peer, type PeerHandlers } from './peer.ts';
import type { Platform } from './platform.ts';
import { Recovery, type Attempt } from './recovery.ts';
import { parseServerMessage, type ServerMessage } from './server-messages.ts';
import { endByError, endToldByService, type SessionEnd } from './session-end.ts';
import { Signaling, type SignalingHandlers, type SignalMessage } from './signaling.ts';
import type { StartResponse } from './start-response.ts';

/** Before the service's own limit of 30 s, so that the client can say why. With TURN over TCP it takes some seconds. */
const CONNECT_WITHIN_MS = 25_000;
/** Messages that wait for the data channel. More than a person writes while it opens or is broken. */
const MAX_WAITING = 100;
/** The service takes no longer one, in UTF-8. The browser says so only once the channel is open. */
const MAX_MESSAGE_BYTES = 65_536;

export interface LiveSessionHandlers {
  readonly state: (state: ConnectionState) => void;
  readonly established: () => void;
  readonly ready: () => void;
  readonly channelOpen: () => void;
  /** A track has joined the stream, which is always the same one. */
  readonly track: (stream: MediaStream, kind: string) => void;
  readonly message: (message: ServerMessage) => void;
  readonly warning: (text: string) => void;
  readonly talkInterrupted: (correlationId: string) => void;
  /** It is over. The last call. */
  readonly ended: (end: SessionEnd) => void;
}

export interface LiveSessionOptions {
  readonly start: StartResponse;
  /** May throw: a gateway's address is the page's. */
  readonly signalingUrl: () => string;
  readonly rtcConfiguration: RTCConfiguration;
  readonly audio: 'sendrecv' | 'recvonly';
  /** The page may be reloaded: the service then waits for the next one. */
  readonly resume: boolean;
}

/**
 * One conversation on the wire: signaling socket, peer connection, data channel, and the ways back after an outage. It
 * is made from a started session and connects at once. What the browser refuses at once is thrown, and nothing stays open.
 */
export class LiveSession {
  readonly #options: LiveSessionOptions;
  readonly #handlers: LiveSessionHandlers;
  readonly #signaling: Signaling;
  readonly #recovery: Recovery;
  readonly #platform: Platform;
  readonly #stream: MediaStream;
  #peer: Peer;
  /** Works until the one that replaces it is connected: its end would look as if the user had left. */
  #replacedPeer: Peer | null = null;
  #microphone: MediaStreamTrack | null = null;
  #waiting: string[] = [];
  #state: ConnectionState = 'connecting';
  #established: 'no' | 'answered' | 'yes' = 'no';
  #isReady = false;
  #channel: 'awaited' | 'open' = 'awaited';
  readonly #connectLimit: unknown;
  readonly #forgetOnline: () => void;

  constructor(options: LiveSessionOptions, handlers: LiveSessionHandlers, platform: Platform) {
    const { start } = options;
    this.#platform = platform;
    this.#stream = platform.createStream();
    this.#options = options;
    this.#handlers = handlers;
    const recoveryActions = {
      attempt: (how: Attempt) => void this.#again(how).catch(() => undefined),
      restart: () => void this.#restart().catch(() => undefined),
      giveUp: () => this.#giveUp('connection_lost', 'connection_lost', 'The connection was lost.'),
    };
    this.#recovery = new Recovery(recoveryActions, platform.timers);
    const signalingHandlers: SignalingHandlers = {
      message: (message) =>
        void this.#onSignal(message).catch(() =>
          this.#giveUp(
            'not_connected',
            'unsupported_browser',
            'The service sent something that this browser cannot use.',
          ),
        ),
      unreachable: () => this.#giveUp('not_connected', 'network', 'The service cannot be reached.'),
      restarted: () => {
        if (this.#established === 'yes') this.#recovery.moved();
      },
      replaced: () =>
        this.#end({ reason: 'replaced', message: 'The conversation continues in another window.', error: null }),
    };
    // Before the socket: what a browser without WebRTC refuses must leave nothing behind that connects again and again.
    this.#peer = this.#openPeer();
    try {
      this.#signaling = new Signaling(
        options.signalingUrl(),
        start.sessionId,
        start.clientConfig,
        signalingHandlers,
        platform,
      );
    } catch (cause) {
      this.#peer.close();
      // A page over https opens no socket without TLS, and none that its own policy forbids.
      throw new ClientError('network', `The browser opens no socket to the service: ${String(cause)}`, { cause });
    }
    this.#connectLimit = platform.timers.set(() => this.#notConnected(), CONNECT_WITHIN_MS);
    this.#forgetOnline = platform.onPage('online', () => this.#recovery.online());
    void this.#peer
      .offer(false)
      .catch(() =>
        this.#giveUp('not_connected', 'unsupported_browser', 'This browser could not start the connection.'),
      );
  }

  get sessionId(): string {
    return this.#options.start.sessionId;
  }

  get isLive(): boolean {
    return this.#state !== 'closed';
  }

  /** Whether audio and video have ever been connected. */
  get isEstablished(): boolean {
    return this.#established === 'yes';
  }

  async setMicrophone(track: MediaStreamTrack | null): Promise<void> {
    this.#microphone = track;
    if (this.isLive) await this.#peer.setMicrophone(track);
  }

  /** Sends on the data channel; waits while it is not open or does not get through. @throws ClientError `configuration` for one too long */
  send(message: object | string): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    if (new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES)
      throw new ClientError('configuration', `A message has at most ${MAX_MESSAGE_BYTES} bytes.`);
    if (this.isLive && this.#waiting.length < MAX_WAITING) this.#waiting.push(text);
    this.#flush();
  }

  /** Sends on the signaling socket; waits while it is down. */
  signal(actionType: string, payload: object): void {
    this.#signaling.send(actionType, payload);
  }

  stats(): Promise<RTCStatsReport> {
    return this.#peer.stats();
  }

  /** Hangs up. */
  stop(): void {
    this.#signaling.send('endsession', {});
    this.#end({ reason: 'stopped', message: 'The conversation was ended.', error: null });
  }

  /** Ends it, because something that it needs is missing. */
  fail(error: ClientError): void {
    this.#end(endByError('not_connected', error));
  }

  /** A peer connection that is broken may be replaced, and what was given to its channel is lost then. */
  #flush(): void {
    while (this.#recovery.isFine && this.#waiting[0] !== undefined && this.#peer.send(this.#waiting[0]))
      this.#waiting.shift();
  }

  #openPeer(): Peer {
    const { rtcConfiguration, audio } = this.#options;
    // What a replaced peer still reports means nothing.
    const ifCurrent =
      <Args extends unknown[]>(run: (...args: Args) => void) =>
      (...args: Args): void => {
        if (peer === this.#peer && this.isLive) run(...args);
      };
    const handlers: PeerHandlers = {
      offer: ({ type, sdp }) =>
        this.#signaling.send('offer', {
          connectionDescription: { type, sdp },
          userUid: this.sessionId,
          ...(this.#options.resume && { resume: true }),
        }),
      candidate: (candidate) => this.#signaling.send('icecandidate', candidate),
      connected: ifCurrent(() => this.#onConnected()),
      disconnected: ifCurrent(() => {
        this.#recovery.disconnected();
        this.#setState('reconnecting');
      }),
      failed: ifCurrent(() => (this.#established === 'yes' ? this.#recovery.failed() : this.#notConnected())),
      died: ifCurrent(() => this.#recovery.peerDied()),
      track: ifCurrent((track) => this.#onTrack(track)),
      channelOpen: ifCurrent(() => {
        this.#flush();
        // Another peer connection continues the same conversation.
        if (this.#channel === 'awaited') this.#handlers.channelOpen();
        this.#channel = 'open';
      }),
      data: ifCurrent((text) => {
        const message = parseServerMessage(text);
        if (message !== null) this.#handlers.message(message);
      }),
    };
    const peer = new Peer(this.#platform, rtcConfiguration, audio, handlers);
    void peer.setMicrophone(this.#microphone);
    return peer;
  }

  async #restart(): Promise<void> {
    this.#signaling.reconnect();
    return this.#peer.offer(true);
  }

  async #again(how: Attempt): Promise<void> {
    this.#setState('reconnecting');
    this.#signaling.reconnect();
    if (how === 'restart') return this.#peer.offer(true);
    this.#replacedPeer ??= this.#peer;
    if (this.#replacedPeer !== this.#peer) this.#peer.close();
    this.#peer = this.#openPeer();
    return this.#peer.offer(false);
  }

  async #onSignal({ actionType, payload, code }: SignalMessage): Promise<void> {
    if (!this.isLive) return;
    switch (actionType) {
      case 'answer':
        if (this.#established === 'no') this.#established = 'answered';
        this.#recovery.answered();
        return this.#peer.answer(payload as RTCSessionDescriptionInit);
      case 'icecandidate':
        return this.#peer.addCandidate(payload as RTCIceCandidateInit);
      case 'sessionready':
        this.#setState('ready');
        if (this.#isReady) return;
        this.#isReady = true;
        return this.#handlers.ready();
      case 'warning':
        return this.#handlers.warning(String(payload));
      case 'talkinputstreaminterrupted':
        return this.#handlers.talkInterrupted(String((payload as { correlationId?: unknown } | null)?.correlationId));
      case 'endsession':
        return this.#end(endToldByService(payload, code));
    }
  }

  #onConnected(): void {
    this.#platform.timers.clear(this.#connectLimit);
    this.#recovery.connected();
    this.#flush();
    this.#replacedPeer?.close();
    this.#replacedPeer = null;
    const first = this.#established !== 'yes';
    this.#established = 'yes';
    if (this.#isReady) this.#setState('ready');
    if (first) this.#handlers.established();
  }

  #onTrack(track: MediaStreamTrack): void {
    for (const old of this.#stream.getTracks()) if (old.kind === track.kind) this.#stream.removeTrack(old);
    this.#stream.addTrack(track);
    this.#handlers.track(this.#stream, track.kind);
  }

  #notConnected(): void {
    if (this.#established === 'answered')
      this.#giveUp(
        'not_connected',
        'udp_blocked',
        'Audio and video do not get through. A firewall may block them: try another network.',
      );
    else this.#giveUp('not_connected', 'network', 'The service does not answer.');
  }

  #giveUp(reason: 'not_connected' | 'connection_lost', code: ClientError['code'], message: string): void {
    this.#end(endByError(reason, new ClientError(code, message)));
  }

  #setState(state: ConnectionState): void {
    // Before the conversation has begun there is nothing to come back to.
    if (!this.isLive || this.#state === state || (state === 'reconnecting' && !this.#isReady)) return;
    this.#state = state;
    this.#handlers.state(state);
  }

  #end(end: SessionEnd): void {
    if (!this.isLive) return;
    this.#setState('closed');
    this.#platform.timers.clear(this.#connectLimit);
    this.#forgetOnline();
    this.#recovery.stop();
    this.#signaling.close();
    this.#peer.close();
    this.#replacedPeer?.close();
    this.#handlers.ended(end);
  }
}

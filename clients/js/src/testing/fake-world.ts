import type { PageEvent, Platform } from '../platform.ts';
import { fakeTimers, type FakeTimers } from './fake-timers.ts';

/** A track that can be unplugged. */
export class FakeTrack extends EventTarget {
  readonly kind: string;
  readonly deviceId: string;
  enabled = true;
  readyState = 'live';

  constructor(kind: string, deviceId = '') {
    super();
    this.kind = kind;
    this.deviceId = deviceId;
  }

  stop(): void {
    this.readyState = 'ended';
  }

  unplug(): void {
    this.readyState = 'ended';
    this.dispatchEvent(new Event('ended'));
  }

  getSettings(): MediaTrackSettings {
    return { deviceId: this.deviceId };
  }
}

class FakeStream {
  readonly tracks: FakeTrack[];

  constructor(tracks: FakeTrack[] = []) {
    this.tracks = tracks;
  }

  getTracks(): FakeTrack[] {
    return [...this.tracks];
  }

  getAudioTracks(): FakeTrack[] {
    return this.tracks.filter(({ kind }) => kind === 'audio');
  }

  addTrack(track: FakeTrack): void {
    this.tracks.push(track);
  }

  removeTrack(track: FakeTrack): void {
    this.tracks.splice(this.tracks.indexOf(track), 1);
  }
}

export class FakeChannel extends EventTarget {
  readyState = 'connecting';
  readonly sent: unknown[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  receive(messageType: string, data: object): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify({ messageType, data }) }));
  }
}

export class FakePeer extends EventTarget {
  readonly channel = new FakeChannel();
  readonly sender = {
    track: null as FakeTrack | null,
    replaceTrack: async (track: FakeTrack | null) => this.#use(track),
  };
  signalingState = 'stable';
  iceConnectionState = 'new';
  connectionState = 'new';
  remoteDescription: unknown = null;

  createDataChannel(): FakeChannel {
    return this.channel;
  }

  addTransceiver(): unknown {
    return { sender: this.sender };
  }

  async createOffer(): Promise<RTCSessionDescriptionInit> {
    return { type: 'offer', sdp: 'the offer' };
  }

  async setLocalDescription(): Promise<void> {
    this.signalingState = 'have-local-offer';
  }

  async setRemoteDescription(description: unknown): Promise<void> {
    this.signalingState = 'stable';
    this.remoteDescription = description;
  }

  close(): void {
    this.connectionState = 'closed';
  }

  /** ICE and DTLS are up, the tracks are there and the channel is open. */
  connect(): void {
    for (const kind of ['video', 'audio'])
      this.dispatchEvent(Object.assign(new Event('track'), { track: new FakeTrack(kind) }));
    this.ice('connected');
    this.channel.readyState = 'open';
    this.channel.dispatchEvent(new Event('open'));
  }

  /** DTLS has given up, ICE has not. */
  die(): void {
    this.connectionState = 'failed';
    this.dispatchEvent(new Event('connectionstatechange'));
  }

  ice(state: string): void {
    this.iceConnectionState = state;
    this.dispatchEvent(new Event('iceconnectionstatechange'));
  }

  #use(track: FakeTrack | null): void {
    this.sender.track = track;
  }
}

export class FakeSocket extends EventTarget {
  readyState = 0;
  readonly url: string;
  readonly sent: { readonly actionType: string; readonly payload: unknown }[] = [];

  constructor(url: string) {
    super();
    this.url = url;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  /** As a proxy closes it, or the network. */
  cut(reason = ''): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { reason }));
  }

  receive(actionType: string, payload: unknown = ''): void {
    const data = JSON.stringify({ actionType, payload });
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
}

/** What a start of a session answers. */
export const started = (sessionId: string): object => ({
  sessionId,
  engineHost: 'talk.example.com',
  engineProtocol: 'https',
  signallingEndpoint: '/ws',
  clientConfig: { iceServers: [] },
});

export interface FakeWorld {
  readonly platform: Platform;
  /** Listeners of the page that were not removed. */
  readonly listeners: () => number;
  readonly timers: FakeTimers;
  readonly peers: FakePeer[];
  readonly sockets: FakeSocket[];
  /** All that `getUserMedia` has given. */
  readonly microphones: FakeTrack[];
  /** Calls the page's listeners. */
  page(event: PageEvent): void;
}

/**
 * A browser and a network that do what the test says.
 * @param on what the service answers to starts, and what the browser says when it is asked for a microphone.
 */
export function fakeWorld(on: {
  readonly start: () => Promise<Response>;
  readonly microphone?: () => Promise<FakeTrack>;
  readonly frameForbidden?: boolean;
}): FakeWorld {
  const timers = fakeTimers();
  const peers: FakePeer[] = [];
  const sockets: FakeSocket[] = [];
  const microphones: FakeTrack[] = [];
  const listeners = new Set<readonly [event: string, listener: () => void]>();
  const platform: Platform = {
    openPeer() {
      const peer = new FakePeer();
      peers.push(peer);
      return peer as unknown as RTCPeerConnection;
    },
    openSocket(url) {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    createStream: (tracks) => new FakeStream(tracks as unknown as FakeTrack[]) as unknown as MediaStream,
    fetch: on.start,
    mediaDevices: () => ({
      async getUserMedia() {
        const track = await (on.microphone?.() ?? new FakeTrack('audio', 'built-in'));
        microphones.push(track);
        return new FakeStream([track]) as unknown as MediaStream;
      },
      enumerateDevices: async () => [],
    }),
    isFrameForbidden: () => on.frameForbidden ?? false,
    mustAsk: async () => false,
    timers,
    now: timers.now,
    onPage(event, listener) {
      const entry = [event, listener] as const;
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
  };
  return {
    platform,
    listeners: () => listeners.size,
    timers,
    peers,
    sockets,
    microphones,
    page(event) {
      for (const [name, listener] of listeners) if (name === event) listener();
    },
  };
}

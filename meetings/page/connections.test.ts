import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchConnections, type PlainConnection } from './connections.ts';
import type { ReachableMedia } from './reachable-media.ts';

/** Keeps what it was told. */
class FakeConnection extends EventTarget {
  readonly configuration: RTCConfiguration | undefined;
  readonly descriptions: RTCSessionDescriptionInit[] = [];
  readonly candidates: (RTCIceCandidateInit | undefined)[] = [];
  connectionState = 'new';
  bytesSent = 0;
  constructor(configuration?: RTCConfiguration) {
    super();
    this.configuration = configuration;
  }
  async setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
    this.descriptions.push(description);
  }
  async addIceCandidate(candidate?: RTCIceCandidateInit): Promise<void> {
    this.candidates.push(candidate);
  }
  setConfiguration(): void {}
  async getStats(): Promise<Map<string, object>> {
    return new Map([['o', { type: 'outbound-rtp', bytesSent: this.bytesSent }]]);
  }
  close(): void {}
}

/** Only what has "public" in it may be reached. */
const MEDIA: ReachableMedia = {
  candidate: (line) => line.includes('public'),
  description: (sdp) => sdp.replace('private', ''),
  servers: (servers) => servers.filter(({ urls }) => urls.includes('public')),
};

describe('The peer connections of a page', () => {
  let told: string[];
  let connect: PlainConnection;
  const make = (configuration?: RTCConfiguration) => new RTCPeerConnection(configuration) as unknown as FakeConnection;
  beforeEach(() => {
    vi.useFakeTimers();
    // Each test gets a class of its own: its prototype is changed.
    vi.stubGlobal('RTCPeerConnection', class extends FakeConnection {});
    vi.stubGlobal('webkitRTCPeerConnection', undefined);
    told = [];
    const methods = ['setRemoteDescription', 'addIceCandidate', 'setConfiguration', 'getStats', 'close'] as const;
    for (const method of methods)
      Object.defineProperty(RTCPeerConnection.prototype, method, {
        value: FakeConnection.prototype[method],
        configurable: true,
        writable: true,
      });
    connect = watchConnections(MEDIA, {
      sound: (key) => told.push(`sound ${key}`),
      closed: () => told.push('closed'),
      sends: () => told.push('sends'),
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  function receive(connection: FakeConnection, kind: string): void {
    const event = Object.assign(new Event('track'), {
      track: { kind, id: 't' },
      streams: [],
      transceiver: { mid: '0' },
    });
    connection.dispatchEvent(event);
  }

  it('tell what they receive: sound, with a key for each, until they are closed', () => {
    const [first, second] = [make(), make()];
    receive(first, 'audio');
    receive(first, 'video');
    receive(second, 'audio');
    expect(told).toEqual(['sound 1/0/t', 'sound 2/0/t']);
    first.close();
    first.close();
    expect(told.slice(2)).toEqual(['closed']);
  });

  it('reach only what they may', async () => {
    const connection = make({ iceServers: [{ urls: 'stun:public' }, { urls: 'stun:private' }] });
    expect(connection.configuration).toEqual({ iceServers: [{ urls: 'stun:public' }] });
    await connection.setRemoteDescription({ type: 'offer', sdp: 'private address' });
    expect(connection.descriptions).toEqual([{ type: 'offer', sdp: ' address' }]);
    await connection.addIceCandidate({ candidate: 'private' });
    await connection.addIceCandidate({ candidate: 'public' });
    await connection.addIceCandidate();
    expect(connection.candidates).toEqual([{ candidate: 'public' }, undefined]);
  });

  it('of the script itself are not limited and not watched, and no page finds how they are made', async () => {
    const own = connect({ iceServers: [{ urls: 'stun:private' }] }) as unknown as FakeConnection;
    await own.addIceCandidate({ candidate: 'private' });
    receive(own, 'audio');
    expect([own.configuration?.iceServers, own.candidates, told]).toEqual([
      [{ urls: 'stun:private' }],
      [{ candidate: 'private' }],
      [],
    ]);
    expect(make().constructor).toBe(RTCPeerConnection);
    expect(own.constructor).toBe(RTCPeerConnection);
  });

  it('tell once that something is sent', async () => {
    const connection = make();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told).toEqual([]);
    connection.bytesSent = 1;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(told).toEqual(['sends']);
  });
});

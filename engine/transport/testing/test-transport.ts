import pino from 'pino';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { engineNow } from '../../../runtime/clock.ts';
import type { MediaConnection, MediaHandlers, Transport } from '../../ports.ts';
import { eventually } from '../../testing/eventually.ts';
import { createTransport } from '../index.ts';
import { openLoopbackClient, type LoopbackClient } from './loopback-client.ts';
import { openTcpRelay, type TcpRelay } from './tcp-relay.ts';
import { openUdpRelay, type UdpRelay } from './udp-relay.ts';

export const OPUS_SILENCE = Uint8Array.of(0xf8, 0xff, 0xfe);

/** An H.264 keyframe that needs several packets. */
export const FRAME = Buffer.concat([
  Buffer.from([0, 0, 0, 1, 0x67, 1, 2, 0, 0, 0, 1, 0x68, 3, 4, 0, 0, 0, 1, 0x65]),
  Buffer.alloc(5_000, 7),
]);

export type Heard = { [K in keyof MediaHandlers]: ReturnType<typeof vi.fn<MediaHandlers[K]>> };
export type OpenConnection = { connection: MediaConnection; heard: Heard };
type ClientOptions = Parameters<typeof openLoopbackClient>;

/** Handlers that do nothing but record their calls. */
export function recordingHandlers(): Heard {
  return {
    audioPacket: vi.fn(),
    message: vi.fn(),
    connected: vi.fn(),
    unresponsive: vi.fn(),
    responsive: vi.fn(),
    quiet: vi.fn(),
    flowing: vi.fn(),
    path: vi.fn(),
    closed: vi.fn(),
    channelOpened: vi.fn(),
    keyframeRequested: vi.fn(),
    bitrateEstimated: vi.fn(),
    audioLost: vi.fn(),
  };
}

/** For each test: a transport, and clients with a WebRTC stack instance of their own, in one process. */
export function testTransport() {
  let transport: Transport;
  const opened: { close(): void }[] = [];
  beforeEach(async () => {
    transport = await createTransport({
      publicAddress: '127.0.0.1',
      udpPort: 0,
      // Another program may have the TCP port of the same number.
      tcpPort: 0,
      log: pino({ level: 'silent' }),
    });
  });
  afterEach(async () => {
    for (const each of opened.splice(0).toReversed()) each.close();
    await transport.close();
  });

  function newClient(...options: ClientOptions): LoopbackClient {
    const client = openLoopbackClient(...options);
    opened.push(client);
    return client;
  }

  return {
    newClient,
    udpPort: () => transport.udpPort,

    /** A connection that waits for an offer, and what its handlers were called with. */
    open(): OpenConnection {
      const heard = recordingHandlers();
      return { connection: transport.open('session', heard), heard };
    },

    /** A client whose data channel is open. */
    async connect({ connection, heard }: OpenConnection, ...options: ClientOptions): Promise<LoopbackClient> {
      const client = newClient(...options);
      client.acceptAnswer(connection.acceptOffer(client.offer).answer);
      await Promise.all([client.connected, client.channelOpen]);
      await eventually(() => expect(heard.channelOpened).toHaveBeenCalled());
      return client;
    },

    /** A way to the transport's TCP port for clients that know only UDP. */
    async openTcpRelay(): Promise<TcpRelay> {
      const relay = await openTcpRelay(transport.tcpPort!);
      opened.push(relay);
      return relay;
    },

    paths: () => transport.paths(),

    /** A network between the clients that it is given to and the transport. It can lose packets. */
    async openRelay(): Promise<UdpRelay> {
      const relay = await openUdpRelay(transport.udpPort);
      opened.push(relay);
      return relay;
    },
  };
}

/**
 * The client has got some sound and has reported it. So what was sent before has arrived, and the round-trip time is
 * known.
 */
export async function reportedAudio(connection: MediaConnection, client: LoopbackClient, heard: Heard): Promise<void> {
  const before = heard.audioLost.mock.calls.length;
  await eventually(() => {
    connection.sendAudio({ data: OPUS_SILENCE, at: engineNow() });
    client.reportAudio();
    expect(heard.audioLost.mock.calls.length).toBeGreaterThan(before + 5);
  });
}

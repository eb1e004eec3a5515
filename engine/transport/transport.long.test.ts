import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { engineNow } from '../clock.ts';
import type { MediaConnection, MediaHandlers, Transport } from '../ports.ts';
import { createTransport, OfferError } from './index.ts';
import { openLoopbackClient, type LoopbackClient, type ReceivedPacket } from './testing/loopback-client.ts';
import { openUdpRelay } from './testing/udp-relay.ts';
import { eventually } from '../testing/eventually.ts';

/** The transport and a client with another WebRTC stack instance, in one process. */
const OPUS_SILENCE = Uint8Array.of(0xf8, 0xff, 0xfe);
const DTLS_ALERT = 21;
const DTLS_DATA = 23;
const FRAME = Buffer.concat([
  Buffer.from([0, 0, 0, 1, 0x67, 1, 2, 0, 0, 0, 1, 0x68, 3, 4, 0, 0, 0, 1, 0x65]),
  Buffer.alloc(5_000, 7),
]);

type Heard = { [K in keyof MediaHandlers]: ReturnType<typeof vi.fn<MediaHandlers[K]>> };
let transport: Transport;
const clients: LoopbackClient[] = [];
const relays: { close(): void }[] = [];

beforeEach(async () => {
  transport = await createTransport({
    publicAddress: '127.0.0.1',
    bindAddress: '127.0.0.1',
    udpPort: 0,
    log: pino({ level: 'silent' }),
  });
});
afterEach(async () => {
  for (const end of [...clients.splice(0), ...relays.splice(0)]) end.close();
  await transport.close();
});

function open(): { connection: MediaConnection; heard: Heard } {
  const heard: Heard = {
    audioPacket: vi.fn(),
    message: vi.fn(),
    connected: vi.fn(),
    unresponsive: vi.fn(),
    responsive: vi.fn(),
    quiet: vi.fn(),
    flowing: vi.fn(),
    closed: vi.fn(),
    channelOpened: vi.fn(),
    keyframeRequested: vi.fn(),
    bitrateEstimated: vi.fn(),
    audioLost: vi.fn(),
  };
  return { connection: transport.open('session', heard), heard };
}

function newClient(...options: Parameters<typeof openLoopbackClient>): LoopbackClient {
  const client = openLoopbackClient(...options);
  clients.push(client);
  return client;
}

async function connect(
  { connection, heard }: ReturnType<typeof open>,
  ...options: Parameters<typeof openLoopbackClient>
): Promise<LoopbackClient> {
  const client = newClient(...options);
  client.acceptAnswer(connection.acceptOffer(client.offer).answer);
  await Promise.all([client.connected, client.channelOpen]);
  await eventually(() => expect(heard.channelOpened).toHaveBeenCalled());
  return client;
}

/**
 * A client that has got a frame except for its second packet. `lose`: whether the next large packet is lost, or the one
 * after it.
 */
async function loseOfFrame() {
  const { connection, heard } = open();
  const relay = await openUdpRelay(transport.udpPort);
  relays.push(relay);
  const frames: ReceivedPacket[] = [];
  const client = newClient({ onVideo: (packet) => frames.push(packet) });
  client.acceptAnswer(relay.route(connection.acceptOffer(client.offer).answer));
  await eventually(() => expect(heard.connected).toHaveBeenCalled());
  const lose = (which: 'first' | 'second'): void => {
    let large = 0;
    relay.setFate((direction, datagram) =>
      direction === 'to-client' && datagram.length > 1_000 && ++large === (which === 'first' ? 1 : 2) ? 'drop' : 'pass',
    );
  };
  lose('second');
  connection.sendVideo({ data: FRAME, keyframe: true, at: engineNow() });
  await eventually(() => expect(frames.at(-1)?.marker).toBe(true));
  const sequences = frames.map((packet) => packet.sequence);
  const lost = sequences
    .map((sequence) => (sequence + 1) & 0xffff)
    .find((sequence, index) => index < sequences.length - 1 && !sequences.includes(sequence));
  return { client, connection, frames, lose, lost: lost! };
}

/**
 * The client has got some sound and has reported it. So what was sent before has arrived, and the round-trip time is
 * known.
 */
async function reportedAudio(connection: MediaConnection, client: LoopbackClient, heard: Heard): Promise<void> {
  const before = heard.audioLost.mock.calls.length;
  await eventually(() => {
    connection.sendAudio({ data: OPUS_SILENCE, at: engineNow() });
    client.reportAudio();
    expect(heard.audioLost.mock.calls.length).toBeGreaterThan(before + 5);
  });
}

/** Asks for one packet again (RFC 4585, generic NACK). */
function nackFor(ssrc: number, sequence: number): Buffer {
  const nack = Buffer.alloc(16);
  nack.set([0x81, 205, 0, 3]);
  nack.writeUInt32BE(ssrc, 8);
  nack.writeUInt16BE(sequence, 12);
  return nack;
}

describe('a client', () => {
  it('gets audio and video with the times at which they belong, and sender reports on one clock', async () => {
    const session = open();
    const { connection } = session;
    const audio: ReceivedPacket[] = [];
    const frames: ReceivedPacket[] = [];
    const reported = new Set<number>();
    await connect(session, {
      onAudio: (packet) => audio.push(packet),
      onVideo: (packet) => frames.push(packet),
      onFeedback: (feedback) => feedback.type === 'sender-report' && reported.add(feedback.ssrc),
    });
    const start = engineNow();
    for (let n = 0; n < 10; n++) connection.sendAudio({ data: OPUS_SILENCE, at: start + n * 20 });
    connection.sendVideo({ data: FRAME, keyframe: true, at: start });
    connection.sendVideo({ data: FRAME, keyframe: true, at: start + 40 });
    await eventually(() => {
      expect(audio).toHaveLength(10);
      expect(frames.filter((packet) => packet.marker)).toHaveLength(2);
    });
    expect(new Set(audio.slice(1).map((packet, n) => (packet.timestamp - audio[n]!.timestamp) >>> 0))).toEqual(
      new Set([960]),
    );
    const [first, second] = frames.filter((packet) => packet.marker);
    expect((second!.timestamp - first!.timestamp) >>> 0).toBe(3_600);
    await eventually(() => expect(reported).toEqual(new Set([audio[0]!.ssrc, frames[0]!.ssrc])));
  });

  it.each(['h264', 'vp8'] as const)(
    'gets a keyframe first (%s), and so does the one that replaces it',
    async (codec) => {
      const session = open();
      const { connection, heard } = session;
      const KEYFRAME = 1;
      const DEPENDENT = 2;
      // Like an encoder: frames continue all the time, and a keyframe comes some frames after it was requested.
      let asked = 0;
      heard.keyframeRequested.mockImplementation(() => void (asked = 1));
      const encoding = setInterval(() => {
        const keyframe = asked > 0 && ++asked > 3;
        if (keyframe) asked = 0;
        const kind = keyframe ? KEYFRAME : DEPENDENT;
        const data =
          codec === 'h264'
            ? Buffer.from([0, 0, 0, 1, keyframe ? 0x65 : 0x61, kind])
            : Buffer.from([keyframe ? 0 : 1, kind]);
        connection.sendVideo({ data, keyframe, at: engineNow() });
      }, 5);
      onTestFinished(() => clearInterval(encoding));
      for (const kind of ['first', 'replacement']) {
        const kinds: number[] = [];
        const client = newClient({ videoCodecs: [codec], onVideo: ({ payload }) => kinds.push(payload.at(-1)!) });
        const answered = connection.acceptOffer(client.offer);
        expect(answered.kind).toBe(kind);
        client.acceptAnswer(answered.answer);
        await eventually(() => expect(kinds.length).toBeGreaterThan(20));
        expect(kinds[0]).toBe(KEYFRAME);
      }
    },
  );

  it('is heard, and its messages come in', async () => {
    const session = open();
    const { heard } = session;
    const client = await connect(session);
    for (let n = 0; n < 5; n++) client.sendOpus(Uint8Array.of(n, 1, 2), n);
    client.sendMessage('{"a":"ä"}');
    await eventually(() => {
      expect(
        heard.audioPacket.mock.calls.map(([{ payload, sequence, timestamp }]) => [payload[0], sequence, timestamp]),
      ).toEqual([0, 1, 2, 3, 4].map((n) => [n, n, n * 960]));
      expect(heard.message.mock.calls).toEqual([['{"a":"ä"}']]);
    });
    expect(heard.connected.mock.calls).toEqual([['first']]);
    expect(heard.channelOpened).toHaveBeenCalledTimes(1);
  });

  it('gets what was said before its channel was open', async () => {
    const { connection } = open();
    const messages: string[] = [];
    connection.sendMessage('one');
    const client = newClient({ onMessage: (text) => messages.push(text) });
    client.acceptAnswer(connection.acceptOffer(client.offer).answer);
    connection.sendMessage('two');
    await client.channelOpen;
    connection.sendMessage('three');
    await eventually(() => expect(messages).toEqual(['one', 'two', 'three']));
  });

  it('gets a lost packet again when it asks for it', async () => {
    const { client, frames, lost } = await loseOfFrame();
    client.sendRtcp(nackFor(frames[0]!.ssrc, lost));
    await eventually(() => expect(frames.at(-1)).toMatchObject({ sequence: lost, timestamp: frames[0]!.timestamp }));
  });

  it('gets it although the retransmission is lost as well, without asking again', async () => {
    const { client, connection, frames, lost, lose } = await loseOfFrame();
    lose('first');
    client.sendRtcp(nackFor(frames[0]!.ssrc, lost));
    await eventually(() => {
      connection.sendAudio({ data: OPUS_SILENCE, at: engineNow() });
      expect(frames.at(-1)).toMatchObject({ sequence: lost, timestamp: frames[0]!.timestamp });
    });
  });

  it('can ask for a keyframe and limit the rate', async () => {
    const session = open();
    const { connection, heard } = session;
    const frames: ReceivedPacket[] = [];
    const client = await connect(session, { onVideo: (packet) => frames.push(packet) });
    connection.sendVideo({ data: FRAME, keyframe: true, at: engineNow() });
    await eventually(() => expect(frames).not.toHaveLength(0));
    const before = heard.keyframeRequested.mock.calls.length;
    const loss = Buffer.alloc(12);
    loss.set([0x81, 206, 0, 2]);
    loss.writeUInt32BE(frames[0]!.ssrc, 8);
    client.sendRtcp(loss);
    const limit = Buffer.from('8fce0005000000010000000052454d42010de8480000abcd', 'hex');
    limit.writeUInt32BE(frames[0]!.ssrc, 20);
    client.sendRtcp(limit);
    await eventually(() => {
      expect(heard.keyframeRequested.mock.calls.length).toBe(before + 1);
      expect(heard.bitrateEstimated).toHaveBeenLastCalledWith(1_000_000);
    });
  });

  it('can say how much of the sound got lost', async () => {
    const session = open();
    const { connection, heard } = session;
    const sounds: ReceivedPacket[] = [];
    const client = await connect(session, { onAudio: (packet) => sounds.push(packet) });
    connection.sendAudio({ data: Uint8Array.of(0xf8, 0xff, 0xfe), at: engineNow() });
    await eventually(() => expect(sounds).not.toHaveLength(0));
    // One block: a quarter of the packets of this stream are lost.
    const report = Buffer.alloc(32);
    report.set([0x81, 201, 0, 7]);
    report.writeUInt32BE(sounds[0]!.ssrc, 8);
    report[12] = 64;
    client.sendRtcp(report);
    await eventually(() => expect(heard.audioLost).toHaveBeenLastCalledWith(0.25));
  });

  it('that hangs up is told apart from one that falls silent', async () => {
    const gone = open();
    const silent = open();
    const client = await connect(gone);
    const relay = await openUdpRelay(transport.udpPort);
    const cut = newClient();
    cut.acceptAnswer(relay.route(silent.connection.acceptOffer(cut.offer).answer));
    await cut.connected;
    relay.setFate(() => 'drop');
    client.close();
    await eventually(() => expect(gone.heard.closed).toHaveBeenCalledTimes(1));
    await eventually(() => expect(silent.heard.quiet).toHaveBeenCalledTimes(1));
    expect(silent.heard.closed).not.toHaveBeenCalled();
    expect(gone.heard.quiet).not.toHaveBeenCalled();
    relay.setFate(() => 'pass');
    await eventually(() => expect(silent.heard.flowing).toHaveBeenCalledTimes(1));
    expect(silent.heard.flowing.mock.calls[0]![0]).toBeGreaterThan(3_000);
    // A browser aborts its channel, which ends our peer, and sends its DTLS alert. This client does not send the alert.
    relay.setFate((direction, datagram) => {
      if (direction === 'to-server' && datagram[0] === DTLS_DATA)
        setTimeout(() => relay.sendToServer(Buffer.from([DTLS_ALERT])), 50);
      return 'pass';
    });
    cut.close();
    await eventually(() => expect(silent.heard.closed).toHaveBeenCalledTimes(1));
    expect(silent.heard.quiet).toHaveBeenCalledTimes(1);
    relay.close();
  });
});

describe('a client that gets nothing more', () => {
  /** Speech continues: sound every 20 ms and sometimes a caption. */
  function speak(connection: MediaConnection): void {
    let frames = 0;
    const speaking = setInterval(() => {
      connection.sendAudio({ data: OPUS_SILENCE, at: engineNow() });
      if (++frames % 10 === 0) connection.sendMessage('caption');
    }, 20);
    onTestFinished(() => clearInterval(speaking));
  }

  it('is noticed at once by what it does not answer, and silent it has heard what was sent until then', async () => {
    const session = open();
    const { connection, heard } = session;
    const relay = await openUdpRelay(transport.udpPort);
    relays.push(relay);
    let lastAudioAt = 0;
    const client = newClient({ onAudio: ({ arrivedAt }) => void (lastAudioAt = arrivedAt) });
    client.acceptAnswer(relay.route(connection.acceptOffer(client.offer).answer));
    await client.channelOpen;
    const reporting = setInterval(() => {
      client.reportAudio();
      client.sendOpus(OPUS_SILENCE, 0);
    }, 50);
    onTestFinished(() => clearInterval(reporting));
    speak(connection);
    await eventually(() => expect(heard.audioLost.mock.calls.length).toBeGreaterThan(10));
    expect(heard.unresponsive).not.toHaveBeenCalled();
    relay.setFate(() => 'drop');
    await eventually(() => expect(heard.unresponsive).toHaveBeenCalledTimes(1));
    expect(heard.quiet).not.toHaveBeenCalled();
    await eventually(() => expect(heard.quiet).toHaveBeenCalledTimes(1));
    // The machine may be busy, but this takes far less than the three seconds until the silence is noticed.
    for (const arrivedUpTo of [heard.unresponsive.mock.calls[0]![0]!, heard.quiet.mock.calls[0]![0]!])
      expect(Math.abs(arrivedUpTo - lastAudioAt)).toBeLessThan(1_000);
    relay.setFate(() => 'pass');
    await eventually(() => expect(heard.flowing).toHaveBeenCalledTimes(1));
    expect(heard.responsive).not.toHaveBeenCalled();
  });

  it('for a moment answers again', async () => {
    const session = open();
    const { connection, heard } = session;
    const relay = await openUdpRelay(transport.udpPort);
    relays.push(relay);
    const client = newClient();
    client.acceptAnswer(relay.route(connection.acceptOffer(client.offer).answer));
    await client.channelOpen;
    speak(connection);
    relay.setFate(() => 'drop');
    await eventually(() => expect(heard.unresponsive).toHaveBeenCalledTimes(1));
    relay.setFate(() => 'pass');
    await eventually(() => expect(heard.responsive).toHaveBeenCalledTimes(1));
    expect(heard.quiet).not.toHaveBeenCalled();
  });

  it('because it came with another peer connection that is never connected, is silent as well', async () => {
    const session = open();
    const { connection, heard } = session;
    await connect(session);
    const second = newClient();
    const { answer } = connection.acceptOffer(second.offer);
    expect(heard.unresponsive).toHaveBeenCalledTimes(1);
    await eventually(() => expect(heard.quiet).toHaveBeenCalledTimes(1));
    expect(heard.quiet.mock.calls).toEqual(heard.unresponsive.mock.calls);
    second.acceptAnswer(answer);
    await eventually(() => expect(heard.connected.mock.calls).toEqual([['first'], ['replacement']]));
  });
});

describe('an offer', () => {
  it('of the same client again restarts ICE: new credentials, everything else the same', async () => {
    const { connection, heard } = open();
    const messages: string[] = [];
    const client = newClient({ onMessage: (text) => messages.push(text) });
    const first = connection.acceptOffer(client.offer);
    client.acceptAnswer(first.answer);
    await client.channelOpen;
    const second = connection.acceptOffer(client.offer);
    expect([first.kind, second.kind]).toEqual(['first', 'restart']);
    const without = (answer: string): string => answer.replaceAll(/a=ice-(ufrag|pwd):.*|o=.*/g, '');
    expect(without(second.answer)).toBe(without(first.answer));
    const ufrag = (answer: string): string | undefined => /a=ice-ufrag:(\S+)/.exec(answer)?.[1];
    expect(ufrag(second.answer)).not.toBe(ufrag(first.answer));
    connection.sendMessage('still here');
    await eventually(() => expect(messages).toEqual(['still here']));
    expect(heard.connected).toHaveBeenCalledTimes(1);
  });

  it('of another client replaces the first, which gets nothing more; what that one got is not retransmitted', async () => {
    const session = open();
    const { connection, heard } = session;
    const old: string[] = [];
    const first = await connect(session, { onMessage: (text) => old.push(text) });
    connection.sendMessage('to the old one');
    await eventually(() => expect(old).toEqual(['to the old one']));
    await reportedAudio(connection, first, heard);
    const messages: string[] = [];
    const frames: ReceivedPacket[] = [];
    const client = newClient({
      videoCodecs: ['vp8'],
      onMessage: (text) => messages.push(text),
      onVideo: (packet) => frames.push(packet),
    });
    const { answer, kind } = connection.acceptOffer(client.offer);
    expect([kind, connection.videoCodec]).toEqual(['replacement', 'vp8']);
    client.acceptAnswer(answer);
    connection.sendMessage('to the new one');
    await client.channelOpen;
    connection.sendVideo({ data: Buffer.alloc(100), keyframe: true, at: engineNow() });
    await eventually(() => {
      expect(messages).toEqual(['to the new one']);
      expect(frames).toHaveLength(1);
    });
    expect(old).toEqual(['to the old one']);
    expect(heard.connected.mock.calls).toEqual([['first'], ['replacement']]);
    expect(heard.closed).not.toHaveBeenCalled();
  });

  /**
   * The Python client makes a new peer connection whenever its socket was lost, and keeps its history. If the end of a
   * message is dropped, the message never ends for this client. A tool call that was not announced is never made.
   */
  it('of another client brings it what the dead line had not delivered, in order and once', async () => {
    const session = open();
    const { connection, heard } = session;
    const relay = await openUdpRelay(transport.udpPort);
    relays.push(relay);
    const got: string[] = [];
    const first = newClient({ onMessage: (text) => got.push(text) });
    first.acceptAnswer(relay.route(connection.acceptOffer(first.offer).answer));
    await first.channelOpen;
    connection.sendMessage('chunk 0');
    await eventually(() => expect(got).toEqual(['chunk 0']));
    await reportedAudio(connection, first, heard);
    relay.setFate(() => 'drop');
    connection.sendMessage('chunk 1');
    connection.sendMessage('the tool call');
    const second = newClient({ onMessage: (text) => got.push(text) });
    const { answer, kind } = connection.acceptOffer(second.offer);
    expect(kind).toBe('replacement');
    connection.sendMessage('chunk 2');
    second.acceptAnswer(answer);
    await second.channelOpen;
    connection.sendMessage('the end');
    await eventually(() => expect(got).toEqual(['chunk 0', 'chunk 1', 'the tool call', 'chunk 2', 'the end']));
  });

  it('of another client brings it nothing that the living line still acknowledges', async () => {
    const session = open();
    const { connection, heard } = session;
    const old: string[] = [];
    const first = await connect(session, { onMessage: (text) => old.push(text) });
    await reportedAudio(connection, first, heard);
    connection.sendMessage('on its way');
    const messages: string[] = [];
    const second = newClient({ onMessage: (text) => messages.push(text) });
    second.acceptAnswer(connection.acceptOffer(second.offer).answer);
    connection.sendMessage('to the new one');
    await eventually(() => expect(messages.at(-1)).toBe('to the new one'));
    expect([old, messages]).toEqual([['on its way'], ['to the new one']]);
  });

  it('that cannot be answered changes nothing', async () => {
    const session = open();
    const { connection } = session;
    const messages: string[] = [];
    await connect(session, { onMessage: (text) => messages.push(text) });
    expect(() => connection.acceptOffer('nonsense')).toThrow(OfferError);
    connection.sendMessage('still here');
    await eventually(() => expect(messages).toEqual(['still here']));
  });

  it('after the end is refused', () => {
    const { connection } = open();
    connection.close();
    connection.close();
    expect(() => connection.acceptOffer(newClient().offer)).toThrow(OfferError);
  });
});

it('answers nobody who does not know a password', async () => {
  const { connection } = open();
  const client = newClient();
  const { answer } = connection.acceptOffer(client.offer);
  const ufrag = /a=ice-ufrag:(\S+)/.exec(answer)![1]!;
  const username = Buffer.from(`${ufrag}:them`);
  const padded = Buffer.alloc(Math.ceil(username.length / 4) * 4);
  username.copy(padded);
  const attributes = Buffer.concat([
    Buffer.from([0, 6, 0, username.length]),
    padded,
    Buffer.from([0, 8, 0, 20]),
    Buffer.alloc(20),
  ]);
  const header = Buffer.from([0, 1, 0, attributes.length, 0x21, 0x12, 0xa4, 0x42, ...Buffer.alloc(12, 1)]);
  const stranger = createSocket('udp4');
  const answered = vi.fn();
  stranger.on('message', answered);
  await new Promise<void>((resolve) => stranger.bind(0, '127.0.0.1', resolve));
  expect((stranger.address() as AddressInfo).port).toBeGreaterThan(0);
  for (const datagram of [
    Buffer.concat([header, attributes]),
    Buffer.alloc(3_000, 22),
    Buffer.alloc(0),
    Buffer.from([0x80]),
  ])
    stranger.send(datagram, transport.udpPort, '127.0.0.1');
  // The port continues to serve. By the time the client is connected, an answer would have arrived.
  client.acceptAnswer(answer);
  await client.connected;
  expect(answered).not.toHaveBeenCalled();
  stranger.close();
});

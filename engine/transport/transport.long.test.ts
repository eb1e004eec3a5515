import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { engineNow } from '../../runtime/clock.ts';
import { eventually } from '../testing/eventually.ts';
import type { ReceivedPacket } from './testing/loopback-client.ts';
import { FRAME, OPUS_SILENCE, testTransport } from './testing/test-transport.ts';

const { connect, newClient, open, udpPort } = testTransport();

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
    stranger.send(datagram, udpPort(), '127.0.0.1');
  // The port continues to serve. By the time the client is connected, an answer would have arrived.
  client.acceptAnswer(answer);
  await client.connected;
  expect(answered).not.toHaveBeenCalled();
  stranger.close();
});

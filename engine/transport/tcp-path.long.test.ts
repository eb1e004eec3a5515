import { expect, it } from 'vitest';
import { engineNow } from '../../runtime/clock.ts';
import { eventually } from '../testing/eventually.ts';
import type { ReceivedPacket } from './testing/loopback-client.ts';
import { FRAME, OPUS_SILENCE, testTransport } from './testing/test-transport.ts';

const { newClient, open, openTcpRelay, paths } = testTransport();

/** WebRTC as it is, and only the path between the client and the front is TCP. */
async function overTcp() {
  const { connection, heard } = open();
  const relay = await openTcpRelay();
  const got = { audio: [] as ReceivedPacket[], video: [] as ReceivedPacket[], messages: [] as string[] };
  const client = newClient({
    onAudio: (packet) => got.audio.push(packet),
    onVideo: (packet) => got.video.push(packet),
    onMessage: (text) => got.messages.push(text),
  });
  client.acceptAnswer(relay.route(connection.acceptOffer(client.offer).answer));
  await Promise.all([client.connected, client.channelOpen]);
  return { connection, heard, relay, client, got };
}

it('a conversation goes over TCP: sound, video and messages', async () => {
  const { connection, heard, relay, client, got } = await overTcp();
  const start = engineNow();
  for (let n = 0; n < 10; n++) connection.sendAudio({ data: OPUS_SILENCE, at: start + n * 20 });
  connection.sendVideo({ data: FRAME, keyframe: true, at: start });
  connection.sendMessage('to the client');
  client.sendOpus(Uint8Array.of(1, 2, 3), 0);
  client.sendMessage('from the client');
  await eventually(() => {
    expect(got.audio).toHaveLength(10);
    expect(got.video.filter((packet) => packet.marker)).toHaveLength(1);
    expect(got.messages).toEqual(['to the client']);
    expect(heard.audioPacket).toHaveBeenCalledTimes(1);
    expect(heard.message.mock.calls).toEqual([['from the client']]);
  });
  expect(heard.path.mock.calls).toEqual([['tcp']]);
  expect(relay.connections).toHaveLength(1);
  expect(paths()).toEqual({ udp: 0, tcp: 1, tcpConnections: 1 });
});

it('closes the TCP connection when the session is over', async () => {
  const { connection, relay, heard } = await overTcp();
  connection.close();
  await relay.connections[0]!.closed;
  expect(heard.closed).not.toHaveBeenCalled();
  await eventually(() => expect(paths().tcpConnections).toBe(0));
});

import { expect, it } from 'vitest';
import { engineNow } from '../../runtime/clock.ts';
import { eventually } from '../testing/eventually.ts';
import type { ReceivedPacket } from './testing/loopback-client.ts';
import { FRAME, OPUS_SILENCE, testTransport } from './testing/test-transport.ts';

const { newClient, open, openRelay } = testTransport();

/**
 * A client that has got a frame except for its second packet. `lose`: whether the next large packet is lost, or the one
 * after it.
 */
async function loseOfFrame() {
  const { connection, heard } = open();
  const relay = await openRelay();
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

/** Asks for one packet again (RFC 4585, generic NACK). */
function nackFor(ssrc: number, sequence: number): Buffer {
  const nack = Buffer.alloc(16);
  nack.set([0x81, 205, 0, 3]);
  nack.writeUInt32BE(ssrc, 8);
  nack.writeUInt16BE(sequence, 12);
  return nack;
}

it('a lost packet is sent again when the client asks for it', async () => {
  const { client, frames, lost } = await loseOfFrame();
  client.sendRtcp(nackFor(frames[0]!.ssrc, lost));
  await eventually(() => expect(frames.at(-1)).toMatchObject({ sequence: lost, timestamp: frames[0]!.timestamp }));
});

it('a lost retransmission is sent again although the client does not ask twice', async () => {
  const { client, connection, frames, lost, lose } = await loseOfFrame();
  lose('first');
  client.sendRtcp(nackFor(frames[0]!.ssrc, lost));
  await eventually(() => {
    connection.sendAudio({ data: OPUS_SILENCE, at: engineNow() });
    expect(frames.at(-1)).toMatchObject({ sequence: lost, timestamp: frames[0]!.timestamp });
  });
});

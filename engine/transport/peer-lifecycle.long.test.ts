import { describe, expect, it } from 'vitest';
import { engineNow } from '../../runtime/clock.ts';
import { eventually } from '../testing/eventually.ts';
import { OfferError } from './index.ts';
import type { ReceivedPacket } from './testing/loopback-client.ts';
import { reportedAudio, testTransport } from './testing/test-transport.ts';

const { connect, newClient, open, openRelay } = testTransport();

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
    // A frame that is sent before this is lost.
    await eventually(() => expect(heard.connected).toHaveBeenCalledTimes(2));
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
    const relay = await openRelay();
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

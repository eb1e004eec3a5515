import { describe, expect, it, onTestFinished } from 'vitest';
import { engineNow } from '../../runtime/clock.ts';
import type { MediaConnection } from '../ports.ts';
import { eventually } from '../testing/eventually.ts';
import { OPUS_SILENCE, testTransport } from './testing/test-transport.ts';

const DTLS_ALERT = 21;
const DTLS_DATA = 23;
const { connect, newClient, open, openRelay } = testTransport();

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
    const relay = await openRelay();
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
    // Later it may be: a busy machine looks here when the sound has stood still once more.
    const [flowing] = heard.flowing.mock.invocationCallOrder;
    const [responsive = Infinity] = heard.responsive.mock.invocationCallOrder;
    expect(responsive).toBeGreaterThan(flowing!);
  });

  it('for a moment answers again', async () => {
    const session = open();
    const { connection, heard } = session;
    const relay = await openRelay();
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

it('tells a client that hangs up from one that falls silent', async () => {
  const gone = open();
  const silent = open();
  const client = await connect(gone);
  const relay = await openRelay();
  const cut = newClient();
  cut.acceptAnswer(relay.route(silent.connection.acceptOffer(cut.offer).answer));
  await cut.connected;
  // The server's side is connected some ms later: whoever falls silent before that was never there.
  await eventually(() => expect(silent.heard.connected).toHaveBeenCalledTimes(1));
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
});

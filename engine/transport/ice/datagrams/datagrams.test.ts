import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { SimulatedTimers } from '../../../audio-out/testing/simulated-timers.ts';
import { eventually } from '../../../testing/eventually.ts';
import { openUdpSocket, type UdpSocket } from '../udp-sockets.ts';
import { DatagramWriter } from './datagram-writer.ts';
import { POLL_MS, PolledReading } from './polled-reading.ts';
import type { DatagramCalls } from './system-calls.ts';

const opened: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

const numbered = (number: number, bytes: number): Buffer => {
  const datagram = Buffer.alloc(bytes, number & 0xff);
  datagram.writeUInt16BE(number);
  return datagram;
};

async function pair(): Promise<{ ours: UdpSocket; theirs: Socket; got: Buffer[]; came: Buffer[] }> {
  const came: Buffer[] = [];
  const ours = await openUdpSocket({
    local: { ip: '127.0.0.1', family: 4, senders: null },
    port: 0,
    receive: (datagram) => came.push(Buffer.from(datagram)),
    isMedia: () => true,
    failed: (error) => expect.fail(error.message),
  });
  const theirs = createSocket('udp4');
  const got: Buffer[] = [];
  theirs.on('message', (datagram) => got.push(datagram));
  await new Promise<void>((resolve) => theirs.bind(0, '127.0.0.1', resolve));
  opened.push(ours, theirs);
  return { ours, theirs, got, came };
}

describe('datagrams that leave together', () => {
  it('arrive whole and in order, whatever their lengths', async () => {
    const { ours, theirs, got } = await pair();
    const to = { ip: '127.0.0.1', port: theirs.address().port };
    const sent = [300, 1_174, 1_174, 1_174, 40, 1_174, 1_174, 9, 9, 9].map((bytes, i) => numbered(i, bytes));
    const memory = Buffer.alloc(2_000);
    for (const datagram of sent) {
      datagram.copy(memory);
      ours.send(memory.subarray(0, datagram.length), to);
    }
    await eventually(() => expect(got).toEqual(sent));
  });

  it('reach each their own address', async () => {
    const { ours } = await pair();
    const others = await Promise.all([pair(), pair(), pair()]);
    for (let round = 0; round < 50; round += 1)
      for (const [i, { theirs }] of others.entries())
        ours.send(numbered(round * 3 + i, 100), { ip: '127.0.0.1', port: theirs.address().port });
    await eventually(() => {
      for (const [i, { got }] of others.entries())
        expect(got.map((datagram) => datagram.readUInt16BE())).toEqual(
          Array.from({ length: 50 }, (_, round) => round * 3 + i),
        );
    });
  });

  it('are handed over one by one where the system cannot cut messages', () => {
    const alone: number[] = [];
    const refusing: DatagramCalls = { receive: () => 0, send: () => -5, addressOf: () => 0n };
    const writer = new DatagramWriter(refusing, 0, (datagram, { port }) => alone.push(datagram.length, port));
    for (const bytes of [100, 100, 60]) writer.add(Buffer.alloc(bytes), { ip: '192.0.2.1', port: 7 });
    writer.flush();
    expect(alone).toEqual([100, 7, 100, 7, 60, 7]);
  });
});

describe('datagrams that come together', () => {
  it('are read whole and in order, also when they come faster than they are read', async () => {
    const { ours, theirs, came } = await pair();
    const sent = Array.from({ length: 500 }, (_, i) => numbered(i, 20 + (i % 1_100)));
    for (const datagram of sent) theirs.send(datagram, ours.port, '127.0.0.1');
    await eventually(() => expect(came).toEqual(sent));
    // And what comes later.
    theirs.send(numbered(500, 30), ours.port, '127.0.0.1');
    await eventually(() => expect(came).toHaveLength(501));
  });

  it('are there before the event loop tells of them', async () => {
    const { ours, theirs, came } = await pair();
    const other = await pair();
    other.ours.send(numbered(1, 100), { ip: '127.0.0.1', port: ours.port });
    // Sent at the end of this turn, and expected after that.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    ours.expect();
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(came).toHaveLength(1);
    theirs.send(numbered(2, 100), ours.port, '127.0.0.1');
    await eventually(() => expect(came).toHaveLength(2));
  });
});

describe('when the public port is read', () => {
  function polled() {
    const timers = new SimulatedTimers();
    const calls: string[] = [];
    let waiting: boolean[] = [];
    const reading: PolledReading = new PolledReading(
      { fd: 0, recvStart: () => calls.push('start'), recvStop: () => calls.push('stop') },
      {
        readAll() {
          const read = waiting;
          waiting = [];
          for (const isMedia of read) reading.came(isMedia);
          return read.length;
        },
      },
      timers,
    );
    return { timers, calls, reading, wait: (...packets: boolean[]) => void waiting.push(...packets) };
  }

  it('packets that come alone wake it', async () => {
    const { timers, calls, reading } = polled();
    for (let packet = 0; packet < 10; packet += 1) {
      reading.came(true);
      expect(reading.earliest).toBeNull();
      await timers.advance(POLL_MS);
    }
    expect(calls).toEqual([]);
  });

  it('media of many clients is read every few ms, until there is none', async () => {
    const { timers, calls, reading, wait } = polled();
    reading.came(true);
    reading.came(true);
    expect(calls).toEqual(['stop']);
    for (let round = 0; round < 5; round += 1) {
      wait(true, true);
      await timers.advance(POLL_MS);
      expect(reading.earliest).toBe(timers.now());
    }
    expect(calls).toEqual(['stop']);
    await timers.advance(POLL_MS);
    expect(calls).toEqual(['stop', 'start']);
    expect(timers.pendingForTesting).toBe(0);
  });

  it('a check or a message ends that, so that its answers do not wait', async () => {
    const { timers, calls, reading, wait } = polled();
    reading.came(true);
    reading.came(true);
    wait(true, false, true);
    await timers.advance(POLL_MS);
    expect(calls).toEqual(['stop', 'start']);
  });
});

import { describe, expect, it } from 'vitest';
import { BitrateController, BLIND_BITRATE, MIN_BITRATE, START_BITRATE } from './bitrate-controller.ts';

const PACKET_BYTES = 1_200;

/** A link of a given rate with a queue, and a sender that sends as much as it is told to. */
function run(options: { controller: BitrateController; seconds: number; linkBitsPerSecond: number; loss?: number; demand?: number; from?: number }): number {
  const { controller, linkBitsPerSecond, loss = 0 } = options;
  const from = options.from ?? 0;
  /** The receiver's clock is another one. */
  const clockOffset = 123_456;
  let freeAt = from;
  let credit = 0;
  let sequence = Math.round(from) & 0xffff;
  let pending: { sequence: number; receivedAt: number | null }[] = [];
  for (let now = from; now < from + options.seconds * 1_000; now += 5) {
    credit += (Math.min(controller.bitrate, options.demand ?? Number.POSITIVE_INFINITY) / 8_000) * 5;
    while (credit >= PACKET_BYTES) {
      credit -= PACKET_BYTES;
      sequence = (sequence + 1) & 0xffff;
      controller.sent(sequence, PACKET_BYTES, now);
      freeAt = Math.max(freeAt, now) + (PACKET_BYTES * 8_000) / linkBitsPerSecond;
      const lost = loss > 0 && sequence % Math.round(1 / loss) === 0;
      pending.push({ sequence, receivedAt: lost ? null : freeAt + 20 + clockOffset });
    }
    if (now % 100 === 0 && pending.length > 0) {
      // Only what has arrived by now can be reported.
      const arrived = pending.filter((packet) => packet.receivedAt === null || packet.receivedAt - clockOffset <= now);
      pending = pending.slice(arrived.length);
      controller.transportFeedback({ packets: arrived }, now);
    }
  }
  return controller.bitrate;
}

describe('with reports of arrivals', () => {
  it('starts low and grows on a free network', () => {
    const controller = new BitrateController();
    expect(controller.bitrate).toBe(START_BITRATE);
    expect(run({ controller, seconds: 20, linkBitsPerSecond: 20e6 })).toBeGreaterThan(2e6);
  });

  it('settles below a narrow link instead of filling its queue', () => {
    const controller = new BitrateController();
    run({ controller, seconds: 30, linkBitsPerSecond: 800_000 });
    const settled = run({ controller, seconds: 10, linkBitsPerSecond: 800_000, from: 30_000 });
    expect(settled).toBeGreaterThan(400_000);
    expect(settled).toBeLessThan(1_000_000);
  });

  it('falls quickly when the link gets narrow', () => {
    const controller = new BitrateController();
    expect(run({ controller, seconds: 20, linkBitsPerSecond: 20e6 })).toBeGreaterThan(2e6);
    expect(run({ controller, seconds: 5, linkBitsPerSecond: 500_000, from: 20_000 })).toBeLessThan(700_000);
  });

  it('falls under heavy loss, and not under a little', () => {
    const heavy = new BitrateController();
    expect(run({ controller: heavy, seconds: 10, linkBitsPerSecond: 20e6, loss: 0.25 })).toBeLessThan(START_BITRATE);
    const light = new BitrateController();
    expect(run({ controller: light, seconds: 10, linkBitsPerSecond: 20e6, loss: 0.01 })).toBeGreaterThan(START_BITRATE);
  });

  it('does not believe in what was never tried', () => {
    expect(run({ controller: new BitrateController(), seconds: 60, linkBitsPerSecond: 20e6, demand: 300_000 })).toBeLessThan(700_000);
  });

  it('listens to nothing else', () => {
    const controller = new BitrateController();
    run({ controller, seconds: 5, linkBitsPerSecond: 20e6 });
    expect(controller.receiverLimit(200_000, 5_100)).toBeNull();
    expect(controller.lossReport(0.9, 5_100)).toBeNull();
  });

  it('knows up to when everything arrived', () => {
    const controller = new BitrateController();
    for (const [sequence, at] of [[1, 10], [2, 20], [3, 30], [4, 40]] as const) controller.sent(sequence, 100, at);
    expect(controller.arrivedUpTo).toBeNull();
    controller.transportFeedback({ packets: [{ sequence: 1, receivedAt: 0 }, { sequence: 2, receivedAt: 10 }] }, 60);
    expect(controller.arrivedUpTo).toBe(20);
    controller.transportFeedback({ packets: [{ sequence: 3, receivedAt: null }, { sequence: 4, receivedAt: 30 }] }, 160);
    expect(controller.arrivedUpTo).toBe(20);
  });
});

describe('without them', () => {
  it('follows the limit of the receiver', () => {
    const controller = new BitrateController();
    expect(controller.receiverLimit(900_000, 0)).toBe(900_000);
    expect(controller.receiverLimit(910_000, 100)).toBeNull();
    expect(controller.receiverLimit(1_000, 200)).toBe(MIN_BITRATE);
  });

  it('takes a fixed rate, and less of it when packets are lost', () => {
    const controller = new BitrateController();
    expect(controller.lossReport(0, 0)).toBe(BLIND_BITRATE);
    expect(controller.lossReport(0.3, 1_000)).toBeLessThan(BLIND_BITRATE);
    for (let second = 2; second < 60; second++) controller.lossReport(0, second * 1_000);
    expect(controller.bitrate).toBe(BLIND_BITRATE);
  });
});

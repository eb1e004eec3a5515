import { describe, expect, it } from 'vitest';
import { CongestionController, BLIND_BITRATE, MIN_BITRATE, START_BITRATE } from './congestion-controller.ts';

const PACKET_BYTES = 1_200;

/** A link of a given rate with a queue, and a sender that sends as much as it is told to. */
function run(options: {
  controller: CongestionController;
  seconds: number;
  linkBitsPerSecond: number;
  loss?: number;
  delayMs?: number;
  demand?: number;
  from?: number;
  /** Takes how long a packet waits, ms, each 5 ms. */ waits?: number[];
  /** Takes when padding was sent. */ padded?: Set<number>;
}): number {
  const { controller, linkBitsPerSecond, loss = 0, delayMs = 20 } = options;
  const from = options.from ?? 0;
  /** The receiver's clock is another one. */
  const clockOffset = 123_456;
  let freeAt = from;
  let credit = 0;
  let sequence = Math.round(from) & 0xffff;
  let pending: { sequence: number; receivedAt: number | null }[] = [];
  const put = (bytes: number, now: number): void => {
    sequence = (sequence + 1) & 0xffff;
    controller.sent(sequence, bytes, now);
    freeAt = Math.max(freeAt, now) + (bytes * 8_000) / linkBitsPerSecond;
    const lost = loss > 0 && sequence % Math.round(1 / loss) === 0;
    pending.push({ sequence, receivedAt: lost ? null : freeAt + delayMs + clockOffset });
  };
  for (let now = from; now < from + options.seconds * 1_000; now += 5) {
    options.waits?.push(Math.max(0, freeAt - now));
    credit += (Math.min(controller.bitrate, options.demand ?? Number.POSITIVE_INFINITY) / 8_000) * 5;
    while (credit >= PACKET_BYTES) {
      credit -= PACKET_BYTES;
      put(PACKET_BYTES, now);
    }
    // 25 frames a second; what is put behind them comes in small packets.
    if (now % 40 === 0)
      for (
        let left = controller.padding(
          Math.min(controller.bitrate, options.demand ?? Number.POSITIVE_INFINITY) / 200,
          now,
        );
        left > 0;
        left -= 255
      ) {
        options.padded?.add(now);
        put(255, now);
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
    const controller = new CongestionController();
    expect(controller.bitrate).toBe(START_BITRATE);
    expect(run({ controller, seconds: 20, linkBitsPerSecond: 20e6 })).toBeGreaterThan(2e6);
  });

  it('settles below a narrow link instead of filling its queue', () => {
    const controller = new CongestionController();
    run({ controller, seconds: 30, linkBitsPerSecond: 800_000 });
    const settled = run({ controller, seconds: 10, linkBitsPerSecond: 800_000, from: 30_000 });
    expect(settled).toBeGreaterThan(400_000);
    expect(settled).toBeLessThan(1_000_000);
  });

  it('falls quickly when the link gets narrow', () => {
    const controller = new CongestionController();
    expect(run({ controller, seconds: 20, linkBitsPerSecond: 20e6 })).toBeGreaterThan(2e6);
    expect(run({ controller, seconds: 5, linkBitsPerSecond: 500_000, from: 20_000 })).toBeLessThan(700_000);
  });

  it('falls under heavy loss, and not under a little', () => {
    const heavy = new CongestionController();
    expect(run({ controller: heavy, seconds: 10, linkBitsPerSecond: 20e6, loss: 0.25 })).toBeLessThan(START_BITRATE);
    const light = new CongestionController();
    expect(run({ controller: light, seconds: 10, linkBitsPerSecond: 20e6, loss: 0.01 })).toBeGreaterThan(START_BITRATE);
  });

  it('finds the ceiling of a wide network within 5 s although a face at rest sends little', () => {
    expect(
      run({
        controller: new CongestionController({ ceiling: 2_000_000 }),
        seconds: 5,
        linkBitsPerSecond: 20e6,
        demand: 300_000,
      }),
    ).toBe(2_000_000);
  });

  it('does not believe in more than a narrow link carries, however little is sent', () => {
    const controller = new CongestionController();
    run({ controller, seconds: 20, linkBitsPerSecond: 700_000, demand: 300_000 });
    expect(run({ controller, seconds: 5, linkBitsPerSecond: 700_000, demand: 300_000, from: 20_000 })).toBeLessThan(
      1_000_000,
    );
  });

  it('is back at the ceiling 5 s after a squeeze', () => {
    const controller = new CongestionController({ ceiling: 2_000_000 });
    run({ controller, seconds: 10, linkBitsPerSecond: 20e6, demand: 600_000 });
    expect(
      run({ controller, seconds: 10, linkBitsPerSecond: 400_000, loss: 0.05, demand: 600_000, from: 10_000 }),
    ).toBeLessThan(450_000);
    expect(run({ controller, seconds: 5, linkBitsPerSecond: 20e6, demand: 600_000, from: 20_000 })).toBe(2_000_000);
  });

  it('empties the queue of a link that got narrow within a second, and keeps it short', () => {
    const controller = new CongestionController({ ceiling: 2_000_000 });
    run({ controller, seconds: 10, linkBitsPerSecond: 20e6, demand: 600_000 });
    run({ controller, seconds: 2, linkBitsPerSecond: 400_000, demand: 600_000, from: 10_000 });
    const waits: number[] = [];
    run({ controller, seconds: 20, linkBitsPerSecond: 400_000, demand: 600_000, from: 12_000, waits });
    expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.9)]).toBeLessThan(80);
    expect(controller.bitrate).toBeGreaterThan(250_000);
  });

  it('does not mistake a queue that drains slowly for a longer way: it had stood for five seconds', () => {
    const controller = new CongestionController({ ceiling: 2_000_000 });
    run({ controller, seconds: 10, linkBitsPerSecond: 20e6, demand: 600_000 });
    const waits: number[] = [];
    run({
      controller,
      seconds: 20,
      linkBitsPerSecond: 400_000,
      delayMs: 70,
      loss: 0.05,
      demand: 600_000,
      from: 10_000,
      waits,
    });
    expect(waits.slice(400).filter((ms) => ms > 120).length / waits.slice(400).length).toBeLessThan(0.05);
  });

  it('sees from one frame that the link has become narrow', () => {
    const controller = new CongestionController({ ceiling: 2_000_000 });
    run({ controller, seconds: 10, linkBitsPerSecond: 20e6, demand: 300_000 });
    expect(controller.bitrate).toBe(2_000_000);
    for (const sequence of [60_001, 60_002, 60_003]) controller.sent(sequence, PACKET_BYTES, 10_200);
    // 1,200 bytes take 24 ms at 400 kbit/s.
    controller.transportFeedback(
      {
        packets: [60_001, 60_002, 60_003].map((sequence, index) => ({
          sequence,
          receivedAt: 10_200 + 123_456 + 20 + 40 + index * 24,
        })),
      },
      10_400,
    );
    expect(controller.bitrate).toBeGreaterThan(250_000);
    expect(controller.bitrate).toBeLessThan(400_000);
  });

  it('seldom asks a network for more that loses packets: the video waits for the padding, too', () => {
    const controller = new CongestionController({ ceiling: 2_000_000 });
    run({ controller, seconds: 10, linkBitsPerSecond: 400_000, loss: 0.05, demand: 600_000 });
    const padded = new Set<number>();
    run({ controller, seconds: 16, linkBitsPerSecond: 400_000, loss: 0.05, demand: 600_000, from: 10_000, padded });
    const probes = [...padded].filter((at) => !padded.has(at - 40));
    expect(probes.length).toBeLessThanOrEqual(3);
  });

  it('does not take a longer way for a queue', () => {
    const controller = new CongestionController({ ceiling: 2_000_000 });
    run({ controller, seconds: 10, linkBitsPerSecond: 20e6 });
    expect(run({ controller, seconds: 5, linkBitsPerSecond: 20e6, delayMs: 120, from: 10_000 })).toBeGreaterThan(
      1_000_000,
    );
  });

  it('holds the highest quality through a burst of loss, and not through seconds of it', () => {
    const controller = new CongestionController({ ceiling: 2_000_000, quality: 'high' });
    expect(controller.bitrate).toBe(2_000_000);
    expect(run({ controller, seconds: 2, linkBitsPerSecond: 20e6, loss: 0.2 })).toBe(2_000_000);
    expect(run({ controller, seconds: 4, linkBitsPerSecond: 20e6, from: 2_000 })).toBe(2_000_000);
    expect(run({ controller, seconds: 10, linkBitsPerSecond: 20e6, loss: 0.2, from: 6_000 })).toBeLessThan(1_000_000);
    expect(run({ controller, seconds: 15, linkBitsPerSecond: 20e6, from: 16_000 })).toBe(2_000_000);
  });

  it('listens to nothing else', () => {
    const controller = new CongestionController();
    run({ controller, seconds: 5, linkBitsPerSecond: 20e6 });
    expect(controller.receiverLimit(200_000, 5_100)).toBeNull();
    expect(controller.lossReport(0.9, 5_100)).toBeNull();
  });

  it('knows up to when everything arrived', () => {
    const controller = new CongestionController();
    for (const [sequence, at] of [
      [1, 10],
      [2, 20],
      [3, 30],
      [4, 40],
    ] as const)
      controller.sent(sequence, 100, at);
    expect(controller.arrivedUpTo).toBeNull();
    controller.transportFeedback(
      {
        packets: [
          { sequence: 1, receivedAt: 0 },
          { sequence: 2, receivedAt: 10 },
        ],
      },
      60,
    );
    expect(controller.arrivedUpTo).toBe(20);
    controller.transportFeedback(
      {
        packets: [
          { sequence: 3, receivedAt: null },
          { sequence: 4, receivedAt: 30 },
        ],
      },
      160,
    );
    expect(controller.arrivedUpTo).toBe(20);
  });
});

describe('without them', () => {
  it('follows the limit of the receiver', () => {
    const controller = new CongestionController();
    expect(controller.receiverLimit(900_000, 0)).toBe(900_000);
    expect(controller.receiverLimit(910_000, 100)).toBeNull();
    expect(controller.receiverLimit(1_000, 200)).toBe(MIN_BITRATE);
  });

  it('takes a fixed rate, and less of it when packets are lost', () => {
    const controller = new CongestionController();
    expect(controller.lossReport(0, 0)).toBe(BLIND_BITRATE);
    expect(controller.lossReport(0.3, 1_000)).toBeLessThan(BLIND_BITRATE);
    for (let second = 2; second < 60; second++) controller.lossReport(0, second * 1_000);
    expect(controller.bitrate).toBe(BLIND_BITRATE);
  });
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SendHistory } from './send-history.ts';

const packet = (): Buffer => Buffer.from('a packet');

/**
 * With five conversations, the main thread held 17 MB of packets: 1,024 of each client, which are 20 to 40 s of a face, and
 * with each of them the block of memory that it shares with those of others.
 */
describe('what has been sent', () => {
  it('is not kept once it has arrived', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const history = new SendHistory(16);
    const sent = new WeakRef(packet());
    history.add(7, sent.deref()!, 0);
    history.arrived(7);
    // A weak reference is strong until its turn of the event loop ends.
    await setTimeout(0);
    collect();
    expect(sent.deref()).toBeUndefined();
    expect(history.isGone(7, 100, 20)).toBe(false);
  });

  it('is not kept when no receiver waits for it any more, but its time is', () => {
    const history = new SendHistory(16);
    history.add(65_535, packet(), 0);
    history.add(0, packet(), 4_000);
    expect(history.isGone(65_535, 4_999, 20)).toBe(false);
    history.add(1, packet(), 5_000);
    expect(history.isGone(65_535, 5_000, 20)).toBe(true);
    expect(history.retransmit(65_535, 5_000)).toBeNull();
    expect(history.retransmitOnceMore(65_535, 5_000)).toBeNull();
    expect(history.sentAt(65_535)).toBe(0);
    expect(history.retransmit(0, 5_000)).toEqual(packet());
  });

  it('of a stream that paused is dropped with what comes next', () => {
    const history = new SendHistory(4);
    for (let sequence = 0; sequence < 10; sequence++) history.add(sequence, packet(), sequence);
    history.add(10, packet(), 60_000);
    expect([6, 7, 8, 9, 10].map((sequence) => history.isGone(sequence, 60_000, 20))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });
});

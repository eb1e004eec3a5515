import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { OfferedVoice } from './voice-account.ts';
import { VoiceList } from './voice-list.ts';

const voice = (providerVoiceId: string): OfferedVoice => ({
  providerVoiceId,
  displayName: providerVoiceId,
  gender: null,
  languages: null,
  country: null,
  description: null,
  sampleUrl: null,
});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the list of an account’s voices', () => {
  let clock: SimulatedClock;
  let answer: (signal: AbortSignal) => Promise<readonly OfferedVoice[]>;
  let asked: number;
  let failures: number;
  let lists: VoiceList[];
  beforeEach(() => {
    clock = new SimulatedClock();
    asked = 0;
    failures = 0;
    lists = [];
    answer = async () => [voice('anna')];
  });
  afterEach(() => lists.forEach((list) => list.close()));

  function open(kept: readonly OfferedVoice[] | null = null): VoiceList {
    const list = new VoiceList({
      list: (signal) => {
        asked += 1;
        return answer(signal);
      },
      timers: clock as never,
      kept,
      changed() {},
      failed: () => void (failures += 1),
    });
    lists.push(list);
    return list;
  }
  async function after(ms: number): Promise<void> {
    clock.increment(ms);
    await settled();
  }

  it('is asked for again every ten minutes, so a new voice appears', async () => {
    const list = open();
    expect(list.voices).toBeNull();
    await list.refresh();
    answer = async () => [voice('anna'), voice('ben')];
    await after(599_999);
    expect(list.voices).toHaveLength(1);
    await after(1);
    expect(list.voices).toHaveLength(2);
  });

  it('keeps the last known voices while the service is down, and asks it sooner, then rarely', async () => {
    const list = open();
    await list.refresh();
    answer = async () => {
      throw new Error('down');
    };
    await after(600_000);
    expect([asked, failures, list.voices?.length]).toEqual([2, 1, 1]);
    for (const pause of [30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]) {
      const before = asked;
      await after(pause - 1);
      expect(asked).toBe(before);
      await after(1);
      expect(asked).toBe(before + 1);
    }
    expect(list.voices).toHaveLength(1);
    answer = async () => [];
    await after(600_000);
    expect(list.voices).toEqual([]);
  });

  it('begins with what the last run knew', async () => {
    answer = async () => {
      throw new Error('down');
    };
    const list = open([voice('anna')]);
    expect(list.voices).toHaveLength(1);
    await list.refresh();
    expect(list.voices).toHaveLength(1);
  });

  it('gives up a service that answers too slowly, and asks it once at a time', async () => {
    answer = (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
    const list = open();
    void list.refresh();
    await list.refresh();
    expect(asked).toBe(1);
    await after(60_000);
    expect(failures).toBe(1);
  });

  it('asks no more once it is closed', async () => {
    const list = open();
    await list.refresh();
    list.close();
    await after(600_000);
    await list.refresh();
    expect(asked).toBe(1);
  });
});

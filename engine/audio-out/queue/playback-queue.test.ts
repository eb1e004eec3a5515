import { describe, expect, it } from 'vitest';
import { PlaybackQueue, type PlaybackItem, type PlaybackMark } from './playback-queue.ts';

const AT_ONCE = { startSamples: 960, resumeSamples: 4_800 };

function ramp(length: number, from = 1): Int16Array {
  return Int16Array.from({ length }, (_, k) => from + k);
}

function read(playback: PlaybackQueue): { pcm: Int16Array; silent: boolean; marks: string[] } {
  const pcm = new Int16Array(960);
  const { silent, marks } = playback.read(pcm);
  return { pcm, silent, marks: marks.map(describeMark) };
}

function describeMark(mark: PlaybackMark): string {
  return mark.type === 'sounds'
    ? `${mark.item.id} sounds@${mark.offset}/${mark.position}`
    : `${mark.item.id} ${mark.type}`;
}

function complete(item: PlaybackItem, pcm: Int16Array): void {
  item.queue.push(pcm);
  item.supply = 'complete';
}

describe('playback queue', () => {
  it('plays items in order without a gap, even inside a frame', () => {
    const playback = new PlaybackQueue();
    complete(playback.add('a', AT_ONCE, 0), ramp(1_000));
    complete(playback.add('b', AT_ONCE, 0), ramp(1_000, 5_000));
    expect(read(playback).marks).toEqual(['a sounds@0/0']);
    const second = read(playback);
    expect(second.marks).toEqual(['a ended', 'b sounds@40/0']);
    expect([...second.pcm.subarray(38, 42)]).toEqual([999, 1_000, 5_000, 5_001]);
  });

  it('keeps the pause after an item to the sample', () => {
    const playback = new PlaybackQueue();
    complete(playback.add('a', AT_ONCE, 10), ramp(960));
    complete(playback.add('b', AT_ONCE, 0), ramp(960, 5_000));
    expect(read(playback).marks).toEqual(['a sounds@0/0', 'a ended']);
    const second = read(playback);
    expect(second.marks).toEqual(['b sounds@480/0']);
    expect(second.pcm.subarray(0, 480).every((sample) => sample === 0)).toBe(true);
    expect(second.pcm[480]).toBe(5_000);
  });

  it('does not start on less than a frame while more is coming', () => {
    const playback = new PlaybackQueue();
    const item = playback.add('a', AT_ONCE, 0);
    item.queue.push(ramp(959));
    expect(playback.hasAudio).toBe(false);
    expect(read(playback).silent).toBe(true);
    item.queue.push(ramp(1));
    expect(playback.hasAudio).toBe(true);
    expect(read(playback).silent).toBe(false);
  });

  it('says when it ran dry and goes on from the same sample once there is enough again', () => {
    const playback = new PlaybackQueue();
    const item = playback.add('a', AT_ONCE, 0);
    item.queue.push(ramp(1_500));
    expect(read(playback).marks).toEqual(['a sounds@0/0']);
    expect(read(playback)).toMatchObject({ silent: true, marks: ['a ranDry'] });
    item.queue.push(ramp(4_000, 1_501));
    expect(read(playback)).toMatchObject({ silent: true, marks: [] });
    item.queue.push(ramp(1_000, 5_501));
    const resumed = read(playback);
    expect(resumed.marks).toEqual(['a sounds@0/960']);
    expect(resumed.pcm[0]).toBe(961);
  });

  it('cuts to the sample: what is faded counts as sent, the rest is gone', () => {
    const playback = new PlaybackQueue();
    const item = playback.add('a', AT_ONCE, 0);
    complete(item, ramp(9_600));
    complete(playback.add('b', AT_ONCE, 0), ramp(960));
    read(playback);
    const tail = new Int16Array(240);
    const { items, tailSamples } = playback.cut(tail);
    expect(items.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(tailSamples).toBe(240);
    expect(item.sentSamples).toBe(1_200);
    expect(tail[0]).toBe(961);
    expect(playback.isEmpty).toBe(true);
  });

  it('takes an item without sound off the line', () => {
    const playback = new PlaybackQueue();
    playback.add('a', AT_ONCE, 0).supply = 'complete';
    expect(read(playback)).toMatchObject({ silent: true, marks: ['a ended'] });
    expect(playback.isEmpty).toBe(true);
  });
});

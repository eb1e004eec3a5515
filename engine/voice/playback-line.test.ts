import { describe, expect, it } from 'vitest';
import { PlaybackLine, type PlaybackItem, type PlaybackMark } from './playback-line.ts';

const AT_ONCE = { startSamples: 960, resumeSamples: 4_800 };

function ramp(length: number, from = 1): Int16Array {
  return Int16Array.from({ length }, (_, k) => from + k);
}

function read(line: PlaybackLine): { pcm: Int16Array; silent: boolean; marks: string[] } {
  const pcm = new Int16Array(960);
  const { silent, marks } = line.read(pcm);
  return { pcm, silent, marks: marks.map(describeMark) };
}

function describeMark(mark: PlaybackMark): string {
  return mark.type === 'sounds' ? `${mark.item.id} sounds@${mark.offset}/${mark.position}` : `${mark.item.id} ${mark.type}`;
}

function complete(item: PlaybackItem, pcm: Int16Array): void {
  item.queue.push(pcm);
  item.supply = 'complete';
}

describe('playback line', () => {
  it('plays items in order without a gap, even inside a frame', () => {
    const line = new PlaybackLine();
    complete(line.add('a', AT_ONCE, 0), ramp(1_000));
    complete(line.add('b', AT_ONCE, 0), ramp(1_000, 5_000));
    expect(read(line).marks).toEqual(['a sounds@0/0']);
    const second = read(line);
    expect(second.marks).toEqual(['a ended', 'b sounds@40/0']);
    expect([...second.pcm.subarray(38, 42)]).toEqual([999, 1_000, 5_000, 5_001]);
  });

  it('keeps the pause after an item to the sample', () => {
    const line = new PlaybackLine();
    complete(line.add('a', AT_ONCE, 10), ramp(960));
    complete(line.add('b', AT_ONCE, 0), ramp(960, 5_000));
    expect(read(line).marks).toEqual(['a sounds@0/0', 'a ended']);
    const second = read(line);
    expect(second.marks).toEqual(['b sounds@480/0']);
    expect(second.pcm.subarray(0, 480).every((sample) => sample === 0)).toBe(true);
    expect(second.pcm[480]).toBe(5_000);
  });

  it('does not start on less than a frame while more is coming', () => {
    const line = new PlaybackLine();
    const item = line.add('a', AT_ONCE, 0);
    item.queue.push(ramp(959));
    expect(line.hasSound).toBe(false);
    expect(read(line).silent).toBe(true);
    item.queue.push(ramp(1));
    expect(line.hasSound).toBe(true);
    expect(read(line).silent).toBe(false);
  });

  it('says when it ran dry and goes on from the same sample once there is enough again', () => {
    const line = new PlaybackLine();
    const item = line.add('a', AT_ONCE, 0);
    item.queue.push(ramp(1_500));
    expect(read(line).marks).toEqual(['a sounds@0/0']);
    expect(read(line)).toMatchObject({ silent: true, marks: ['a ranDry'] });
    item.queue.push(ramp(4_000, 1_501));
    expect(read(line)).toMatchObject({ silent: true, marks: [] });
    item.queue.push(ramp(1_000, 5_501));
    const resumed = read(line);
    expect(resumed.marks).toEqual(['a sounds@0/960']);
    expect(resumed.pcm[0]).toBe(961);
  });

  it('cuts to the sample: what is faded counts as sent, the rest is gone', () => {
    const line = new PlaybackLine();
    const item = line.add('a', AT_ONCE, 0);
    complete(item, ramp(9_600));
    complete(line.add('b', AT_ONCE, 0), ramp(960));
    read(line);
    const tail = new Int16Array(240);
    const { items, tailSamples } = line.cut(tail);
    expect(items.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(tailSamples).toBe(240);
    expect(item.sentSamples).toBe(1_200);
    expect(tail[0]).toBe(961);
    expect(line.isEmpty).toBe(true);
  });

  it('takes an item without sound off the line', () => {
    const line = new PlaybackLine();
    line.add('a', AT_ONCE, 0).supply = 'complete';
    expect(read(line)).toMatchObject({ silent: true, marks: ['a ended'] });
    expect(line.isEmpty).toBe(true);
  });
});

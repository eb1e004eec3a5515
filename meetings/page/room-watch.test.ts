import { beforeEach, describe, expect, it } from 'vitest';
import type { RoomReading, SoundSource } from './page-messages.ts';
import { RoomWatch } from './room-watch.ts';

const source = (key: string): SoundSource => ({ key, connection: {}, trackId: key, streamId: '' });
const person = (id: string, sources: string[] = [], speaking: boolean | null = null) => ({
  id,
  name: `Name of ${id}`,
  sources,
  speaking,
});

describe('Who is in a meeting', () => {
  let reading: RoomReading | null;
  let loud: Set<string>;
  let told: unknown[];
  let watch: RoomWatch;
  const sources = [source('1/a'), source('2/a')];
  beforeEach(() => {
    reading = { participants: [] };
    loud = new Set();
    told = [];
    watch = new RoomWatch({ sources: () => sources, speaking: (key) => loud.has(key) }, () => reading, {
      participants: (list) => told.push(list.map(({ id }) => id).join()),
      speaking: (id, speaking) => told.push(`${id} ${speaking}`),
    });
  });

  const hear = (...keys: string[]): void => {
    loud = new Set(keys);
    watch.soundChanged();
  };

  it('is told at each change, and not otherwise', () => {
    watch.look();
    reading = { participants: [person('a')] };
    watch.look();
    watch.look();
    reading = { participants: [person('a'), person('b')] };
    watch.look();
    reading = null;
    watch.look();
    expect(told).toEqual(['a', 'a,b']);
    expect(watch.participants).toEqual([
      { id: 'a', name: 'Name of a' },
      { id: 'b', name: 'Name of b' },
    ]);
  });

  it('stays within the limits of the messages', () => {
    reading = { participants: Array.from({ length: 300 }, (_, i) => person(`${i}${'x'.repeat(200)}`)) };
    watch.look();
    expect(watch.participants).toHaveLength(200);
    expect(watch.participants[0]?.id).toHaveLength(128);
    expect(watch.participants[0]?.name).toHaveLength(100);
  });

  it('is told by the tracks, where each has an owner', () => {
    reading = { participants: [person('a', ['1/a']), person('b', ['2/a'])] };
    watch.look();
    hear('1/a');
    hear('1/a', '2/a');
    hear('2/a');
    hear();
    expect(told.slice(1)).toEqual(['a true', 'b true', 'a false', 'b false']);
  });

  it('is told by the page, where tracks are mixed', () => {
    reading = { participants: [person('a', [], false), person('b', [], true)] };
    watch.look();
    hear('1/a');
    // The page's sign stays a while after the sound.
    hear();
    expect(told.slice(1)).toEqual(['b true', 'b false']);
  });

  it('is clear when there is only one', () => {
    reading = { participants: [person('a')] };
    watch.look();
    hear('2/a');
    expect(told).toEqual(['a', 'a true']);
  });

  it('is known to have ended when somebody leaves in the middle of a word', () => {
    reading = { participants: [person('a', ['1/a'])] };
    watch.look();
    hear('1/a');
    reading = { participants: [] };
    watch.look();
    expect(told).toEqual(['a', 'a true', '', 'a false']);
  });

  it('survives a page that is not ready', () => {
    const broken = new RoomWatch(
      { sources: () => sources, speaking: () => false },
      () => {
        throw new TypeError('not yet');
      },
      { participants: () => told.push('list'), speaking: () => told.push('speaking') },
    );
    broken.look();
    expect(told).toEqual([]);
  });
});

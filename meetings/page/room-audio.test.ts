import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RoomAudio } from './room-audio.ts';
import { asFake, asTrack, FakeSound, FakeTrack, stubTracks } from './testing/fake-tracks.ts';

const LOUD = 0.25;

describe('The sound of the others', () => {
  let told: string[];
  let room: RoomAudio;
  beforeEach(() => {
    vi.useFakeTimers();
    stubTracks();
    told = [];
    room = new RoomAudio((key, speaking) => told.push(`${key} ${speaking}`));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  function join(key: string, connection: object = {}): FakeTrack {
    const track = new FakeTrack({ kind: 'audio', id: `track of ${key}` });
    room.add(key, connection, asTrack(track), undefined);
    return track;
  }
  const mixed = () => asFake(room.track).written.map((sound) => (sound as FakeSound).samples);

  it('is mixed into one track, and who speaks is known from each one', async () => {
    const [alice, bob] = [join('alice'), join('bob')];
    const sound = new FakeSound({ data: [LOUD, LOUD] });
    alice.play(sound);
    bob.play(new FakeSound({ data: [0, 0] }));
    await vi.advanceTimersByTimeAsync(10);
    expect(mixed()).toEqual([[LOUD, LOUD]]);
    expect(sound.isClosed).toBe(true);
    expect(told).toEqual(['alice true']);
    expect([room.speaking('alice'), room.speaking('bob')]).toEqual([true, false]);
  });

  it('has an end also where a track gives nothing any more', async () => {
    join('alice').play(new FakeSound({ data: [LOUD] }));
    await vi.advanceTimersByTimeAsync(10);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual(['alice true', 'alice false']);
  });

  it('is that of those who are still there', async () => {
    const connection = {};
    const [alice, bob] = [join('alice', connection), join('bob')];
    join('carol', connection).play(new FakeSound({ data: [LOUD] }));
    await vi.advanceTimersByTimeAsync(10);
    room.removeConnection(connection);
    expect(told).toEqual(['carol true', 'carol false']);
    expect(room.sources().map(({ key, trackId }) => [key, trackId])).toEqual([['bob', 'track of bob']]);
    expect(() => alice.play(new FakeSound({ data: [LOUD] }))).toThrow();
    bob.end();
    await vi.advanceTimersByTimeAsync(10);
    expect(room.sources()).toEqual([]);
  });
});

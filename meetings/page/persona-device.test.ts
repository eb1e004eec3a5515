import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PersonaDevice } from './persona-device.ts';
import { asFake, asTrack, FakeSound, FakeTrack, stubTracks } from './testing/fake-tracks.ts';

beforeEach(() => {
  vi.useFakeTimers();
  stubTracks();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a device of the persona gives what is made here until the session does, on the same track', async () => {
  const device = new PersonaDevice('audio', 20, () => 'silence' as unknown as AudioData);
  const { written } = asFake(device.track);
  await vi.advanceTimersByTimeAsync(40);
  expect(written).toEqual(['silence', 'silence']);

  const voice = new FakeTrack({ kind: 'audio' });
  const shown = device.show(asTrack(voice));
  await vi.advanceTimersByTimeAsync(20);
  expect(written).toHaveLength(3);
  const sound = new FakeSound({ data: [0.5] });
  voice.play(sound);
  await vi.advanceTimersByTimeAsync(100);
  expect(written.slice(3)).toEqual([sound]);
  expect(sound.isClosed).toBe(false);
  voice.end();
  await shown;
});

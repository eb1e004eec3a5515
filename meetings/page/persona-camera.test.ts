import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PersonaCamera } from './persona-camera.ts';
import { asFake, asTrack, FakeTrack, stubTracks } from './testing/fake-tracks.ts';

beforeEach(() => {
  vi.useFakeTimers();
  stubTracks();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("the persona's camera shows what is made here until the session sends its face, on the same track", async () => {
  const camera = new PersonaCamera(() => 'waiting picture' as unknown as VideoFrame);
  const { written } = asFake(camera.track);
  await vi.advanceTimersByTimeAsync(400);
  expect(written).toEqual(['waiting picture', 'waiting picture']);

  const face = new FakeTrack({ kind: 'video' });
  const shown = camera.show(asTrack(face));
  await vi.advanceTimersByTimeAsync(200);
  expect(written).toHaveLength(3);
  face.play('frame');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(written.slice(3)).toEqual(['frame']);
  face.end();
  await shown;
});

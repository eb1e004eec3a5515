import { describe, expect, it } from 'vitest';
import type { StockAvatar } from '../../control/index.ts';
import { prerenderAvatars } from './prerender-avatars.ts';

/** An engine whose faces are drawn when the test says so. */
function fakeEngine(undrawn: readonly string[]) {
  const asked: string[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const sessions = { live: 0 };
  return {
    asked,
    sessions,
    engine: {
      undrawnAvatars: async () => undrawn,
      drawAvatarAhead(engineKey: string) {
        asked.push(engineKey);
        const drawn = Promise.withResolvers<void>();
        waiting.push(drawn);
        return drawn.promise;
      },
      liveSessions: () => sessions.live,
    },
    drawn: () => waiting.shift()?.resolve(),
    failed: () => waiting.shift()?.reject(new Error('torn')),
  };
}

const avatars = ['a', 'b', 'c'].map((engineKey) => ({
  engineKey,
  displayName: engineKey,
  image: async () => null,
})) as unknown as readonly StockAvatar[];

function start(fake: ReturnType<typeof fakeEngine>, all = true) {
  const said: string[] = [];
  const warned: unknown[] = [];
  const log = { warn: (error: unknown) => void warned.push(error) };
  const faces = prerenderAvatars({ engine: fake.engine, avatars, all, log: log as never, quietMs: 1 });
  expect(faces.status()).toEqual({ drawing: true, drawn: 0, total: 3 });
  faces.start((text) => said.push(text));
  return { faces, said, warned };
}

describe('the faces of a new service', () => {
  it('are drawn one after the other, and counted', async () => {
    const fake = fakeEngine(['a', 'b', 'c']);
    const { faces, said } = start(fake);
    for (const [i, key] of ['a', 'b', 'c'].entries()) {
      await expect.poll(() => fake.asked).toHaveLength(i + 1);
      expect(fake.asked.at(-1)).toBe(key);
      expect(faces.status()).toEqual({ drawing: true, drawn: i, total: 3 });
      fake.drawn();
    }
    await expect.poll(() => faces.status()).toEqual({ drawing: false, drawn: 3, total: 3 });
    expect(said[1]).toBe('  Drawing the faces, only this once: 2 of 3, b');
    expect(said.at(-1)).toBe('  All faces are drawn.');
  });

  it('are drawn on after a start that was cut short', async () => {
    const fake = fakeEngine(['c']);
    const { faces, said } = start(fake);
    // The first one is read from the disk.
    await expect.poll(() => fake.asked).toEqual(['a']);
    fake.drawn();
    await expect.poll(() => fake.asked).toEqual(['a', 'c']);
    expect(faces.status()).toEqual({ drawing: true, drawn: 2, total: 3 });
    expect(said).toEqual(['  Drawing the faces, only this once: 3 of 3, c']);
    fake.drawn();
    await expect.poll(() => faces.status().drawing).toBe(false);
  });

  it('are drawn for those who want to see them, but for the first one, where nothing is to be drawn ahead', async () => {
    const fake = fakeEngine(['a', 'b', 'c']);
    const { faces, said } = start(fake, false);
    await expect.poll(() => fake.asked).toEqual(['a']);
    fake.drawn();
    await expect.poll(() => faces.status()).toEqual({ drawing: false, drawn: 1, total: 3 });
    expect(said).toHaveLength(1);
    expect(fake.asked).toEqual(['a']);
  });

  it('are not mentioned when all of them are there', async () => {
    const fake = fakeEngine([]);
    const { faces, said } = start(fake);
    await expect.poll(() => fake.asked).toEqual(['a']);
    fake.drawn();
    await expect.poll(() => faces.status()).toEqual({ drawing: false, drawn: 3, total: 3 });
    expect(said).toEqual([]);
  });

  it('wait while somebody talks', async () => {
    const fake = fakeEngine(['b']);
    fake.sessions.live = 1;
    const { faces } = start(fake);
    await expect.poll(() => fake.asked).toEqual(['a']);
    fake.drawn();
    // A turn of the pause between two looks, many times over.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(fake.asked).toEqual(['a']);
    fake.sessions.live = 0;
    await expect.poll(() => fake.asked).toEqual(['a', 'b']);
    faces.close();
    fake.drawn();
  });

  it('are not being drawn any more when one could not be', async () => {
    const fake = fakeEngine(['a', 'b', 'c']);
    const { faces, warned } = start(fake);
    await expect.poll(() => fake.asked).toEqual(['a']);
    fake.failed();
    await expect.poll(() => faces.status()).toEqual({ drawing: false, drawn: 0, total: 3 });
    expect(warned).toHaveLength(1);
  });
});

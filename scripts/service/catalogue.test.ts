import { describe, expect, it, vi } from 'vitest';
import type { RunningEngine } from '../../engine/index.ts';
import { readSettings } from '../../control/index.ts';
import { stockCatalogue } from './catalogue.ts';

describe("the stock faces' images", () => {
  it('are rendered once for each shape, since every list of faces asks for all of them', async () => {
    const renderPoster = vi.fn(async () => new Uint8Array([1]));
    const face = stockCatalogue(readSettings({}), { renderPoster } as unknown as RunningEngine).avatars[0]!;
    await Promise.all([face.image('square'), face.image('square'), face.image('portrait')]);
    expect((await face.image('square'))?.contentType).toBe('image/jpeg');
    expect(renderPoster.mock.calls).toEqual([
      [face.engineKey, 720, 480],
      [face.engineKey, 768, 1152],
    ]);
  });

  it('are tried again after a failure', async () => {
    const renderPoster = vi
      .fn<() => Promise<Uint8Array>>()
      .mockRejectedValueOnce(new Error('no room'))
      .mockResolvedValue(new Uint8Array([2]));
    const face = stockCatalogue(readSettings({}), { renderPoster } as unknown as RunningEngine).avatars[0]!;
    await expect(face.image('square')).rejects.toThrow('no room');
    expect((await face.image('square'))?.bytes).toEqual(new Uint8Array([2]));
  });
});

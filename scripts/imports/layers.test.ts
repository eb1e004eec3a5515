import { describe, expect, it } from 'vitest';
import { layerOf, upwardImports } from './layers.ts';

const LAYERS = [['house/index.ts'], ['house/rooms'], ['house/rooms/cellar', 'house/pipes'], ['house/ground']];

describe('The layers of a folder', () => {
  it('go by the longest path', () => {
    expect(layerOf('house/rooms/kitchen/table.ts', LAYERS)).toBe(1);
    expect(layerOf('house/rooms/cellar/wine.ts', LAYERS)).toBe(2);
    expect(layerOf('house/index.ts', LAYERS)).toBe(0);
    expect(layerOf('house/attic.ts', LAYERS)).toBeNull();
  });

  it('report an import that runs upward, and none that runs down or along', () => {
    const up = { from: 'house/ground/soil.ts', to: 'house/rooms/table.ts' };
    const imports = [
      up,
      { from: 'house/rooms/table.ts', to: 'house/ground/soil.ts' },
      { from: 'house/pipes/a.ts', to: 'house/rooms/cellar/wine.ts' },
    ];
    expect(upwardImports(imports, LAYERS)).toEqual({ upward: [up], unlisted: [] });
  });

  it('report a file that belongs to none', () => {
    const imports = [{ from: 'house/attic.ts', to: 'house/ground/soil.ts' }];
    expect(upwardImports(imports, LAYERS)).toEqual({ upward: [], unlisted: ['house/attic.ts'] });
  });
});

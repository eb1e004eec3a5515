import { describe, expect, it } from 'vitest';
import { floorOf, upwardImports } from './floors.ts';

const FLOORS = [['house/index.ts'], ['house/rooms'], ['house/rooms/cellar', 'house/pipes'], ['house/ground']];

describe('The floors of a folder', () => {
  it('go by the longest path', () => {
    expect(floorOf('house/rooms/kitchen/table.ts', FLOORS)).toBe(1);
    expect(floorOf('house/rooms/cellar/wine.ts', FLOORS)).toBe(2);
    expect(floorOf('house/index.ts', FLOORS)).toBe(0);
    expect(floorOf('house/attic.ts', FLOORS)).toBeNull();
  });

  it('report an import that runs upward, and none that runs down or along', () => {
    const up = { from: 'house/ground/soil.ts', to: 'house/rooms/table.ts' };
    const imports = [
      up,
      { from: 'house/rooms/table.ts', to: 'house/ground/soil.ts' },
      { from: 'house/pipes/a.ts', to: 'house/rooms/cellar/wine.ts' },
    ];
    expect(upwardImports(imports, FLOORS)).toEqual({ upward: [up], homeless: [] });
  });

  it('report a file that stands on none', () => {
    const imports = [{ from: 'house/attic.ts', to: 'house/ground/soil.ts' }];
    expect(upwardImports(imports, FLOORS)).toEqual({ upward: [], homeless: ['house/attic.ts'] });
  });
});

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemTimers } from '../../../runtime/clock.ts';
import { FetchedPhotos, type SharedPhotos } from './fetched-photos.ts';
import { packPhoto } from './packed-photo.ts';
import { PhotoFolder } from './photo-folder.ts';

const log = { info() {}, warn() {} };
const files = { face: '{}', photo: Buffer.from('a photo') };

let path: string;
let reads: string[];
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'parley-fetched-'));
  reads = [];
});
afterEach(() => rm(path, { recursive: true, force: true }));

function sharing(read: (engineKey: string) => Promise<Uint8Array | null>): SharedPhotos {
  return {
    read(engineKey) {
      reads.push(engineKey);
      return read(engineKey);
    },
    write: async () => {},
    remove: async () => {},
  };
}

const photos = (shared: SharedPhotos | null) =>
  new FetchedPhotos({ folder: new PhotoFolder(path), shared, log, timers: systemTimers });

describe('The photo of an avatar', () => {
  it('that another machine made is fetched once, whoever wants it at the same time, and kept', async () => {
    const fetched = photos(sharing(async () => packPhoto(files)));
    await Promise.all([fetched.fetch('photo-a'), fetched.fetch('photo-a'), fetched.fetch('photo-a')]);
    await fetched.fetch('photo-a');
    await photos(null).fetch('photo-a');
    expect(reads).toEqual(['photo-a']);
    expect(await readdir(path)).toEqual(['photo-a']);
    expect(await readFile(join(path, 'photo-a', 'photo.png'), 'utf8')).toBe('a photo');
    // Where its prepared form is kept.
    expect(await readdir(join(path, 'photo-a', 'prepared'))).toEqual([]);
  });

  it.each([
    ['missing', async () => null],
    ['damaged', async (): Promise<Uint8Array> => packPhoto(files).subarray(0, -1)],
    ['away', async (): Promise<null> => Promise.reject(new Error('no answer'))],
  ] satisfies [string, () => Promise<Uint8Array | null>][])(
    'is said to be %s, leaves nothing, and is asked for again',
    async (reason, read) => {
      const fetched = photos(sharing(read));
      await expect(fetched.fetch('photo-a')).rejects.toMatchObject({ name: 'AvatarUnavailableError', reason });
      await expect(fetched.fetch('photo-a')).rejects.toMatchObject({ reason });
      expect(reads).toHaveLength(2);
      expect(await readdir(path)).toEqual([]);
    },
  );

  it('is missing where nothing is shared and another machine has it', async () => {
    await expect(photos(null).fetch('photo-a')).rejects.toMatchObject({ reason: 'missing' });
  });

  it('replaces what an interrupted deletion left', async () => {
    await mkdir(join(path, 'photo-a', 'prepared'), { recursive: true });
    await writeFile(join(path, 'photo-a', 'photo.png'), 'half');
    await photos(sharing(async () => packPhoto(files))).fetch('photo-a');
    expect(await readFile(join(path, 'photo-a', 'photo.png'), 'utf8')).toBe('a photo');
  });

  it('is not looked for when the avatar is drawn, or when its name could lead out of the folder', async () => {
    const fetched = photos(sharing(async () => packPhoto(files)));
    for (const engineKey of ['stock-elena', 'photo-../../x', '']) await fetched.fetch(engineKey);
    expect(reads).toEqual([]);
  });
});

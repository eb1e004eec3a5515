import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unpackPhoto } from './packed-photo.ts';
import { PhotoFolder } from './photo-folder.ts';

const files = { face: '{}', photo: Buffer.from('a photo') };

let path: string;
let folder: PhotoFolder;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'parley-photos-'));
  folder = new PhotoFolder(path);
});
afterEach(() => rm(path, { recursive: true, force: true }));

describe('The folder of photo avatars', () => {
  it('says how large each one is with all that was drawn, and when it was used', async () => {
    await folder.add('photo-a', files);
    await writeFile(join(path, 'photo-a', 'prepared', 'x.avatar'), 'twelve bytes');
    expect(await folder.has('photo-a', 5_000_000)).toBe(true);
    expect(await folder.list()).toEqual([{ engineKey: 'photo-a', bytes: 2 + 7 + 12, usedAt: 5_000_000 }]);
  });

  it('has what can be sent to another machine', async () => {
    await folder.add('photo-a', files);
    const { face, photo } = unpackPhoto(await folder.pack('photo-a'));
    expect([face, Buffer.from(photo).toString()]).toEqual(['{}', 'a photo']);
  });

  it('loses one avatar, and nothing else', async () => {
    await folder.add('photo-a', files);
    await folder.add('photo-b', files);
    for (const name of ['photo-a', 'photo-a', 'photo-../photo-b', '.']) await folder.remove(name);
    expect(await readdir(path)).toEqual(['photo-b']);
    expect(await folder.has('photo-a', 0)).toBe(false);
  });

  it('loses what was begun and not finished long ago', async () => {
    for (const name of ['.making-old', '.making-new']) await mkdir(join(path, name));
    await utimes(join(path, '.making-old'), 1, 1);
    await folder.removeUnfinished(2_000);
    expect(await readdir(path)).toEqual(['.making-new']);
  });

  it('may not exist yet', async () => {
    const none = new PhotoFolder(join(path, 'none'));
    expect(await none.list()).toEqual([]);
    await none.removeUnfinished(Infinity);
    await none.add('photo-a', files);
    expect(await none.has('photo-a', 0)).toBe(true);
  });
});

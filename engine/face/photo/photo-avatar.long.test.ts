import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFace, type FaceEngine } from '../index.ts';
import { unpackAvatar } from '../rendering/prepared-file.ts';
import { bytesOf } from '../rendering/prepared-memory.ts';
import { PART_ATLASES, patchBytes } from '../rendering/prepared-avatar.ts';

const portraits = new URL('../../../e2e/fixtures/portraits/', import.meta.url);
const log = { info() {}, warn() {}, error() {}, debug() {} } as never;

describe('A photo avatar in the face engine', () => {
  let folder: string;
  let face: FaceEngine;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-photo-'));
    const own = join(folder, 'photo-grace');
    await mkdir(join(own, 'prepared'), { recursive: true });
    await copyFile(new URL('grace-hopper.face.json', portraits), join(own, 'face.json'));
    const image = await loadImage(fileURLToPath(new URL('grace-hopper.jpg', portraits)));
    const canvas = createCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    await writeFile(join(own, 'photo.png'), canvas.toBuffer('image/png'));
    face = createFace({ workers: 1, cacheDir: join(folder, 'cache'), photosDir: folder, log });
  });
  afterAll(async () => {
    await face.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('takes the same form as a drawn one, and keeps it beside the photo', async () => {
    const avatar = unpackAvatar(bytesOf(await face.prepared('photo-grace', 720, 480)));
    expect([avatar.width, avatar.height]).toEqual([720, 480]);
    for (const part of ['brows', 'eyes', 'mouth'] as const) {
      expect(avatar.parts[part].patches.length).toBe(
        PART_ATLASES[part].states.length * patchBytes(avatar.parts[part].rect),
      );
    }
    expect(await readdir(join(folder, 'photo-grace', 'prepared'))).toHaveLength(1);
    expect(await readdir(folder)).not.toContain('cache');
  });

  it('has a poster', async () => {
    const poster = await loadImage(await face.renderPoster('photo-grace', 768, 1152));
    expect([poster.width, poster.height]).toEqual([768, 1152]);
  });

  it('is unknown once it was deleted, and nothing brings its folder back', async () => {
    const preparing = face.prepared('photo-grace', 640, 360).catch(() => null);
    await rm(join(folder, 'photo-grace'), { recursive: true });
    face.forget('photo-grace');
    await preparing;
    await expect(face.prepare('photo-grace', 720, 480)).rejects.toThrow(/no avatar "photo-grace"/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('needs a name of the right form', async () => {
    await expect(face.prepare('photo-../../etc', 720, 480)).rejects.toThrow(/no avatar/);
  });
});

import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eyeCenters } from '../face/photo/landmarks.ts';
import { parsePhotoFace } from '../face/photo/photo-face.ts';
import { runPhotoProcess } from './run-photo-process.ts';

const portrait = (name: string) => readFileSync(new URL(`../../e2e/fixtures/portraits/${name}.jpg`, import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-photo-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function lookAt(upload: Uint8Array) {
  await writeFile(join(folder, 'upload'), upload);
  return runPhotoProcess(folder, new AbortController().signal);
}

/** An image lying on its side, with the EXIF note that a camera writes: turn it by 90 degrees to see it upright. */
async function onItsSide(jpeg: Buffer): Promise<Buffer> {
  const image = await loadImage(jpeg);
  const canvas = createCanvas(image.height, image.width);
  const ctx = canvas.getContext('2d');
  ctx.translate(0, image.width);
  ctx.rotate(-Math.PI / 2);
  ctx.drawImage(image, 0, 0);
  const stored = canvas.toBuffer('image/jpeg', 92);
  const orientation6 = Buffer.from([
    0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
  ]);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientation6]);
  return Buffer.concat([
    stored.subarray(0, 2),
    Buffer.from([0xff, 0xe1, 0, body.length + 2]),
    body,
    stored.subarray(2),
  ]);
}

describe('Looking at an uploaded image', () => {
  it('finds an upright face in a photo that lies on its side, and crops it', async () => {
    expect(await lookAt(await onItsSide(portrait('grace-hopper')))).toBeNull();
    const face = parsePhotoFace(await readFile(join(folder, 'face.json'), 'utf8'));
    expect([face.width, face.height]).toEqual([512, 600]);
    const [left, right] = eyeCenters(face.landmarks);
    // Where they are in the photo, by eye.
    for (const [found, seen] of [
      [left, [223, 188]],
      [right, [305, 186]],
    ] as const) {
      expect(Math.hypot(found[0] - seen[0]!, found[1] - seen[1]!)).toBeLessThan(8);
    }
    for (const [file, width, height] of [
      ['landscape.jpg', 1152, 768],
      ['portrait.jpg', 768, 1152],
      ['classic.jpg', 720, 480],
    ] as const) {
      const crop = await loadImage(join(folder, file));
      expect([crop.width, crop.height]).toEqual([width, height]);
    }
    // What browsers get is upright by itself, and has nothing of what a camera wrote beside the pixels.
    const shown = await readFile(join(folder, 'shown.jpg'));
    expect(shown.includes('Exif')).toBe(false);
    const { width, height } = await loadImage(shown);
    expect([width, height]).toEqual([512, 600]);
  });

  it('looks at a HEIC photo of tiles from a phone, and leaves a JPEG for browsers', async () => {
    expect(await lookAt(readFileSync(new URL('testing/grace-hopper.heic', import.meta.url)))).toBeNull();
    const face = parsePhotoFace(await readFile(join(folder, 'face.json'), 'utf8'));
    expect([face.width, face.height]).toEqual([384, 448]);
    const shown = await loadImage(join(folder, 'shown.jpg'));
    expect([shown.width, shown.height]).toEqual([384, 448]);
  });

  // A test each: three processes in one took longer than its time beside ten busy programs.
  it('refuses two people', async () => {
    const [eileen, grace] = [await loadImage(portrait('eileen-collins')), await loadImage(portrait('grace-hopper'))];
    const image = createCanvas(1024, 600);
    const ctx = image.getContext('2d');
    ctx.drawImage(eileen, 0, 0, 600, 600);
    ctx.drawImage(grace, 512, 0);
    expect(await lookAt(image.toBuffer('image/png'))).toBe('several-faces');
  });

  // In every run with a service: e2e/photo-avatars.test.ts.
  it('refuses an image without any face', { tags: ['nightly'] }, async () => {
    expect(await lookAt(createCanvas(640, 480).toBuffer('image/webp'))).toBe('no-face');
  });

  it('refuses a face far away', async () => {
    const far = createCanvas(700, 500);
    far.getContext('2d').drawImage(await loadImage(portrait('grace-hopper')), 250, 100, 140, 164);
    expect(await lookAt(far.toBuffer('image/jpeg'))).toBe('face-too-small');
  });

  it('refuses a damaged file', async () => {
    const damaged = Buffer.concat([portrait('grace-hopper').subarray(0, 700), Buffer.alloc(300)]);
    expect(['unreadable', 'no-face']).toContain(await lookAt(damaged));
  });
});

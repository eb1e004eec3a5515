import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAvatarMaker, MAX_IMAGE_BYTES, MAX_WAITING, TooManyImagesError, UnsuitablePhotoError } from './index.ts';
import { type ConfinedEnd, ConfinedProcessError } from '../../runtime/confined-process.ts';
import { isoFile, sized } from './testing/iso-file.ts';
import type { runPhotoProcess } from './run-photo-process.ts';

const log = { info() {}, warn() {}, error() {}, debug() {} } as never;
const image = createCanvas(400, 300).toBuffer('image/png');
const noSignal = new AbortController().signal;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-avatars-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const make = (bytes: Uint8Array, look?: typeof runPhotoProcess) =>
  createAvatarMaker({ folder, log, ...(look === undefined ? {} : { look }) }).make({
    avatarId: 'a-1',
    image: { bytes },
    signal: noSignal,
  });

/** Stands for the process: leaves the crops that the maker hands over. */
const lookFine: typeof runPhotoProcess = async (at) => {
  await writeFile(join(at, 'landscape.jpg'), 'wide');
  await writeFile(join(at, 'portrait.jpg'), 'high');
  await writeFile(join(at, 'shown.jpg'), 'whole');
  return null;
};

describe('An image is refused before anything is decoded', () => {
  const unread: typeof runPhotoProcess = () => Promise.reject(new Error('The image was looked at.'));

  it('when it has too many bytes', async () => {
    await expect(make(new Uint8Array(MAX_IMAGE_BYTES + 1), unread)).rejects.toMatchObject({
      name: 'UnsuitablePhotoError',
      problem: 'too-many-bytes',
    });
  });

  it('when it is of no known format', async () => {
    await expect(make(Buffer.from('GIF89a and so on'), unread)).rejects.toMatchObject({ problem: 'wrong-format' });
  });

  it('when its header claims gigabytes of pixels', async () => {
    const bomb = Buffer.from(image);
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    await expect(make(bomb, unread)).rejects.toMatchObject({ problem: 'too-many-pixels' });
  });

  it('when a photo of a phone has more pixels than are taken', async () => {
    const photo = isoFile({ codec: 'heic', size: sized(16_320, 12_240) });
    await expect(make(photo, unread)).rejects.toMatchObject({ problem: 'too-many-pixels' });
  });

  it('when it is tiny', async () => {
    await expect(make(createCanvas(200, 600).toBuffer('image/png'), unread)).rejects.toMatchObject({
      problem: 'too-few-pixels',
    });
  });
});

describe('The avatar maker', () => {
  it('hands over key, crops and what browsers show, and keeps the upload', async () => {
    const made = await make(image, lookFine);
    expect(made.engineKey).toBe('photo-a-1');
    expect(Buffer.from(made.landscape.bytes).toString()).toBe('wide');
    expect(Buffer.from(made.portrait.bytes).toString()).toBe('high');
    expect(Buffer.from(made.shown.bytes).toString()).toBe('whole');
    expect(await readdir(folder)).toEqual(['photo-a-1']);
    expect(await readdir(join(folder, 'photo-a-1'))).toContain('upload');
  });

  it('leaves nothing of an image that it refuses', async () => {
    await expect(make(image, () => Promise.resolve('no-face'))).rejects.toBeInstanceOf(UnsuitablePhotoError);
    expect(await readdir(folder)).toEqual([]);
  });

  /** A few kilobytes may be gigabytes of pixels: whoever uploaded them read of an internal error. */
  it.each<[ConfinedEnd, string]>([
    ['memory', 'needs more memory'],
    ['time', 'takes too long'],
    ['crash', 'is damaged'],
  ])('says what is wrong with an image that ends its process (%s)', async (end, sentence) => {
    const made = make(image, () => Promise.reject(new ConfinedProcessError(end, 'ended', true)));
    await expect(made).rejects.toBeInstanceOf(UnsuitablePhotoError);
    await expect(made).rejects.toThrow(sentence);
    expect(await readdir(folder)).toEqual([]);
  });

  it('blames no image for a process that could not begin', async () => {
    const made = make(image, () => Promise.reject(new ConfinedProcessError('crash', 'no module')));
    await expect(made).rejects.toThrow('no module');
    await expect(made).rejects.not.toBeInstanceOf(UnsuitablePhotoError);
  });

  it('looks at one image at a time', async () => {
    const maker = createAvatarMaker({
      folder,
      log,
      look: async (at, signal) => {
        running++;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        const answer = await lookFine(at, signal);
        running--;
        return answer;
      },
    });
    let running = 0;
    let most = 0;
    await Promise.all(
      ['a', 'b', 'c'].map((avatarId) => maker.make({ avatarId, image: { bytes: image }, signal: noSignal })),
    );
    expect(most).toBe(1);
    expect((await readdir(folder)).toSorted()).toEqual(['photo-a', 'photo-b', 'photo-c']);
  });

  it('takes no more images than it can look at soon, and says so', async () => {
    const done = Promise.withResolvers<void>();
    const maker = createAvatarMaker({
      folder,
      log,
      look: (at, signal) => done.promise.then(() => lookFine(at, signal)),
    });
    const order = (number: number) =>
      maker.make({ avatarId: `a-${number}`, image: { bytes: image }, signal: noSignal });
    const taken = Array.from({ length: 1 + MAX_WAITING }, (_, number) => order(number));
    await expect(order(MAX_WAITING + 1)).rejects.toBeInstanceOf(TooManyImagesError);
    done.resolve();
    await Promise.all(taken);
    expect((await readdir(folder)).length).toBe(taken.length);
  });

  it('says that too many images wait when the turn of one does not come in time', async () => {
    const done = Promise.withResolvers<void>();
    const maker = createAvatarMaker({
      folder,
      log,
      look: (at, signal) => done.promise.then(() => lookFine(at, signal)),
    });
    const first = maker.make({ avatarId: 'a', image: { bytes: image }, signal: noSignal });
    const second = maker.make({ avatarId: 'b', image: { bytes: image }, signal: AbortSignal.abort() });
    done.resolve();
    await first;
    await expect(second).rejects.toBeInstanceOf(TooManyImagesError);
  });

  it('deletes everything of an avatar, and nothing else', async () => {
    await make(image, lookFine);
    await writeFile(join(folder, 'photo-a-1', 'prepared', 'x.avatar'), 'x');
    await mkdir(join(folder, 'photo-other'));
    const maker = createAvatarMaker({ folder, log });
    await maker.remove('photo-a-1');
    await maker.remove('photo-a-1');
    await maker.remove('elena');
    await maker.remove('photo-../photo-other');
    expect(await readdir(folder)).toEqual(['photo-other']);
  });

  it('takes no id that could lead out of its folder', async () => {
    const maker = createAvatarMaker({ folder, log, look: lookFine });
    for (const avatarId of ['../x', '', 'a/b', '.', 'x'.repeat(100)]) {
      await expect(maker.make({ avatarId, image: { bytes: image }, signal: noSignal })).rejects.toThrow(RangeError);
    }
  });
});

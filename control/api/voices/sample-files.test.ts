import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBlobs } from '../../store/blobs.ts';
import { SampleFiles } from './sample-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-samples-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sound = (bytes: number): Buffer => Buffer.concat([Buffer.from('OggS'), Buffer.alloc(bytes - 4)]);
const names = (): string[] => readdirSync(join(folder, 'voice-samples')).sort();

it('finds what an earlier run kept', async () => {
  await new SampleFiles(openBlobs(folder), 100).keep('a', sound(10));
  const files = new SampleFiles(openBlobs(folder), 100);
  expect(await files.find('a')).toMatchObject({ contentType: 'audio/ogg' });
  expect(await files.find('b')).toBeNull();
});

it('makes room by deleting what was asked for longest ago', async () => {
  const files = new SampleFiles(openBlobs(folder), 25);
  await files.keep('a', sound(10));
  await files.keep('b', sound(10));
  await files.find('a');
  await files.keep('c', sound(10));
  expect(names()).toEqual(['a.ogg', 'c.ogg']);
  await files.keep('large', sound(90));
  expect(names()).toEqual(['large.ogg']);
});

it('counts a sample that is kept again once', async () => {
  const files = new SampleFiles(openBlobs(folder), 25);
  for (let time = 0; time < 3; time++) await files.keep('a', sound(10));
  await files.keep('b', sound(10));
  expect(names()).toEqual(['a.ogg', 'b.ogg']);
});

it('keeps nothing that is no sound', async () => {
  const files = new SampleFiles(openBlobs(folder), 100);
  await expect(files.keep('a', Buffer.from('<script>'))).rejects.toThrow('not a sound file');
  expect(await files.find('a')).toBeNull();
});

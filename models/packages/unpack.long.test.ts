import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256, tarBz2, type ArchiveEntry } from '../testing/archives.ts';
import { ArchiveError } from './archive-error.ts';
import { unpack } from './unpack.ts';

const LIMITS = { root: 'model', keep: ['model.onnx', 'data', 'LICENSE'], mostBytes: 1_000_000 };
const MODEL: ArchiveEntry = { name: 'model/model.onnx', content: 'weights' };

describe('unpacking a model', () => {
  let dir: string;
  let target: string;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'parley-unpack-'));
    target = join(dir, 'inside', 'target');
    await mkdir(target, { recursive: true });
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const write = async (bytes: Buffer | Promise<Buffer>): Promise<string> => {
    const path = join(dir, 'model.tar.bz2');
    writeFileSync(path, await bytes);
    return path;
  };
  const unpackEntries = async (entries: ArchiveEntry[], limits: Partial<typeof LIMITS> = {}) =>
    unpack(await write(tarBz2(entries)), target, { ...LIMITS, ...limits });

  it('writes the files that are wanted, and tells their sizes and checksums', async () => {
    const files = await unpackEntries([
      { name: 'model/', type: 'directory' },
      MODEL,
      { name: 'model/data/en/voices', content: 'voices' },
      { name: 'model/test_wavs/0.wav', content: 'not needed' },
      { name: 'model/model.onnx.json', content: 'not needed' },
    ]);
    expect(files).toEqual([
      { path: 'model.onnx', bytes: 7, sha256: sha256(Buffer.from('weights')) },
      { path: 'data/en/voices', bytes: 6, sha256: sha256(Buffer.from('voices')) },
    ]);
    expect(readFileSync(join(target, 'data/en/voices'), 'utf8')).toBe('voices');
    expect(readdirSync(target).sort()).toEqual(['data', 'model.onnx']);
  });

  it('takes paths that begin with "./", and makes nothing executable', async () => {
    await unpackEntries([
      { name: './', type: 'directory' },
      { name: './model/model.onnx', content: 'weights', mode: 0o4777 },
    ]);
    expect(statSync(join(target, 'model.onnx')).mode & 0o7777).toBe(0o600);
  });

  it.each<[string, ArchiveEntry]>([
    ['a path that climbs out', { name: 'model/../../escaped', content: 'x' }],
    ['a path that climbs out below what is kept', { name: 'model/data/../../../escaped', content: 'x' }],
    ['an absolute path', { name: '/model/model.onnx', content: 'x' }],
    ['a path outside of its folder', { name: 'escaped', content: 'x' }],
    ['a path of another system', { name: 'model/data\\..\\escaped', content: 'x' }],
    ['a symbolic link', { name: 'model/data', type: 'symlink', linkname: '/etc' }],
    ['a hard link', { name: 'model/data', type: 'link', linkname: '/etc/passwd' }],
    ['a device', { name: 'model/data', type: 'character-device', devmajor: 1, devminor: 3 }],
    ['a pipe', { name: 'model/data', type: 'fifo' }],
    ['a file twice', MODEL],
  ])('refuses %s', async (_, entry) => {
    await expect(unpackEntries([MODEL, entry])).rejects.toBeInstanceOf(ArchiveError);
    expect(existsSync(join(dir, 'escaped'))).toBe(false);
    expect(existsSync(join(dir, 'inside', 'escaped'))).toBe(false);
  });

  it('refuses what unpacks to more than the model is, before it fills the disk', async () => {
    const bomb = { name: 'model/model.onnx', content: Buffer.alloc(2_000_000) };
    await expect(unpackEntries([bomb])).rejects.toThrow('unpacks to more than 1000000 bytes');
    expect(existsSync(join(target, 'model.onnx'))).toBe(false);
  });

  it('counts what is not kept, too', async () => {
    const filler = { name: 'model/filler', content: Buffer.alloc(600_000) };
    await expect(unpackEntries([filler, { ...filler, name: 'model/filler2' }])).rejects.toThrow('unpacks to more than');
  });

  it('refuses thousands of entries', async () => {
    const entries = Array.from({ length: 5_001 }, (_, index) => ({ name: `model/data/${index}`, content: '' }));
    await expect(unpackEntries(entries, { keep: ['model.onnx'] })).rejects.toThrow('more than 5000 entries');
  });

  it.each([
    ['is no archive', Buffer.from('not an archive')],
    ['is empty', Buffer.alloc(0)],
  ])('says that the file %s', async (_, content) => {
    await expect(unpack(await write(content), target, LIMITS)).rejects.toBeInstanceOf(ArchiveError);
  });

  it('says that an archive is cut off', async () => {
    const whole = await tarBz2([{ name: 'model/model.onnx', content: Buffer.alloc(900_000, 'weights') }]);
    const path = await write(whole.subarray(0, whole.length - 20));
    await expect(unpack(path, target, LIMITS)).rejects.toBeInstanceOf(ArchiveError);
  });
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256, tarBz2, type ArchiveEntry } from '../testing/archives.ts';
import { serveFiles, type FileServer } from '../testing/file-server.ts';
import { install, type Changes } from './testing/voice-package.ts';
import type { ModelPackage } from './model-package.ts';
import { packageState } from './installed.ts';

const MODEL = Buffer.alloc(200_000, 'weights of a voice, ').map((byte, index) => byte ^ ((index * 7919) >> 3));
const FILES: ArchiveEntry[] = [
  { name: 'voice/model.onnx', content: Buffer.from(MODEL) },
  { name: 'voice/tokens.txt', content: '_ 0' },
  { name: 'voice/lexicon.txt', content: 'a a' },
];

/** The same package with another archive. */
function changed(known: ModelPackage): ModelPackage {
  const sources = known.sources.map((each) => ({ ...each, sha256: 'a'.repeat(64) }));
  return { ...known, sources };
}

describe('installing a package', () => {
  let modelsDir: string;
  let archive: Buffer;
  let server: FileServer;
  beforeEach(async () => {
    modelsDir = mkdtempSync(join(tmpdir(), 'parley-packages-'));
    archive = await tarBz2(FILES);
    server = await serveFiles({ 'voice.tar.bz2': archive, 'hostile.tar.bz2': await tarBz2([...FILES, HOSTILE]) });
  });
  afterEach(async () => {
    await server.close();
    rmSync(modelsDir, { recursive: true, force: true });
  });
  const HOSTILE: ArchiveEntry = { name: 'voice/../../escaped', content: 'x' };

  const start = (changes: Changes = {}) => install(modelsDir, server.url, archive, changes);
  const visible = () => readdirSync(modelsDir).filter((name) => !name.startsWith('.'));

  it('puts the files into a folder of its name, and does not fetch them twice', async () => {
    const { done, known } = start();
    expect(await done).toBe('fetched');
    expect(readFileSync(join(modelsDir, 'test-voice', 'model.onnx')).equals(MODEL)).toBe(true);
    expect(await start().done).toBe('present');
    expect(server.asked).toEqual(['voice.tar.bz2 whole']);
    expect(await packageState(modelsDir, known, true)).toBe('installed');
    // The archive is not kept.
    expect(readdirSync(join(modelsDir, '.incoming'))).toEqual([]);
  });

  it('goes on where a download broke off', async () => {
    server.breakOffAfter(Math.floor(archive.length / 2));
    expect(await start().done).toBe('fetched');
    expect(server.asked).toHaveLength(2);
    expect(server.asked[1]).toMatch(/ bytes=[1-9]\d*-$/);
  });

  it('refuses another file than the one that is pinned, shows both checksums, and keeps nothing', async () => {
    const wrong = 'f'.repeat(64);
    await expect(start({ sha256: wrong }).done).rejects.toMatchObject({
      problem: 'checksum',
      message: expect.stringMatching(new RegExp(`${sha256(archive)}.*${wrong}`)) as string,
    });
    expect(visible()).toEqual([]);
    expect(readdirSync(join(modelsDir, '.incoming'))).toEqual([]);
  });

  it('shows nothing of an archive that holds what it should not', async () => {
    const hostile = await tarBz2([...FILES, HOSTILE]);
    const { done } = start({ file: 'hostile.tar.bz2', sha256: sha256(hostile), bytes: hostile.length });
    await expect(done).rejects.toMatchObject({ name: 'ArchiveError' });
    expect(visible()).toEqual([]);
    expect(existsSync(join(modelsDir, '..', 'escaped'))).toBe(false);
  });

  it('says which file an archive does not hold', async () => {
    const { done } = start({ engine: { type: 'vits', model: 'other.onnx', tokens: 'tokens.txt' } });
    await expect(done).rejects.toThrow('does not hold other.onnx');
    expect(visible()).toEqual([]);
  });

  it('sees what was damaged, and fetches it again', async () => {
    const { done, known } = start();
    await done;
    const path = join(modelsDir, 'test-voice', 'tokens.txt');
    writeFileSync(path, 'X 0');
    // Of the same size: only the checksum tells.
    expect(await packageState(modelsDir, known)).toBe('installed');
    expect(await packageState(modelsDir, known, true)).toBe('damaged');
    rmSync(path);
    expect(await packageState(modelsDir, known)).toBe('damaged');
    expect(await start().done).toBe('fetched');
    expect(await packageState(modelsDir, known, true)).toBe('installed');
  });

  it('fetches anew what is known in another version now', async () => {
    const { done, known } = start();
    await done;
    expect(await packageState(modelsDir, changed(known))).toBe('damaged');
  });
});

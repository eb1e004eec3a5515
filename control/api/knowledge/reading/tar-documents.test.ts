import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { documentType } from '../document-type.ts';
import { read, textOf, zipOf } from '../testing/read.ts';

async function tarOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.entry({ name: 'link.txt', type: 'symlink', linkname: '/etc/passwd' });
  archive.finalize();
  return Buffer.concat(await Array.fromAsync(archive as AsyncIterable<Buffer>));
}

const FILES = { './guide/b.txt': 'Breakfast at 7.', './guide/prices.csv': 'room,price\nAttic,80', 'x.png': 'x' };
const EXPECTED = [
  { content: 'Breakfast at 7.', metadata: { heading: 'guide › b' } },
  { content: 'room: Attic\nprice: 80', metadata: { row: 1, heading: 'guide › prices' } },
];

describe('An archive is read as a ZIP archive is', () => {
  it('as .tar', async () => expect(await read('a.tar', await tarOf(FILES))).toEqual(EXPECTED));

  it('as .tar.gz and .tgz', async () => {
    const packed = gzipSync(await tarOf(FILES));
    expect(await read('a.tar.gz', packed)).toEqual(EXPECTED);
    expect(await read('a.tgz', packed)).toEqual(EXPECTED);
    expect(documentType('a.tar.gz', '')).toBe('gzip');
  });

  it('within another one', async () =>
    expect(await textOf('a.tar', await tarOf({ 'inner.tgz': gzipSync(await tarOf(FILES)) }))).toContain('Attic'));

  it('as far as it goes, when it is cut off', async () => {
    const whole = await tarOf(FILES);
    expect(await read('a.tar', whole.subarray(0, 1400))).toEqual(EXPECTED.slice(0, 1));
    await expect(read('a.tar', whole.subarray(0, 520))).rejects.toThrow('is damaged');
    await expect(read('a.tgz', gzipSync(whole).subarray(0, 60))).rejects.toThrow('is damaged');
  });
});

describe('A compressed document (.gz)', () => {
  it('is read as what it is', async () => {
    expect(await textOf('a.gz', gzipSync('<html><body><p>Hello.</p></body></html>'))).toBe('Hello.');
    expect(await textOf('a.gz', gzipSync('Just text.'))).toBe('Just text.');
    expect(await textOf('a.gz', gzipSync(await zipOf({ 'a.txt': 'In it.' })))).toBe('In it.');
  });

  it('is read by the name that it had', async () => {
    const packed = gzipSync('room,price\nAttic,80');
    const named = Buffer.concat([
      packed.subarray(0, 3),
      Buffer.from([8]),
      packed.subarray(4, 10),
      Buffer.from('a.csv\0'),
    ]);
    expect(await textOf('a.gz', Buffer.concat([named, packed.subarray(10)]))).toBe('room: Attic\nprice: 80');
  });

  it('is refused where it expands to more than an upload may have', async () =>
    await expect(read('a.gz', gzipSync(Buffer.alloc(60 * 1024 * 1024)))).rejects.toThrow('more than 50 MB'));

  it('is refused within too many others', async () => {
    let packed = gzipSync('Inside.');
    for (let depth = 0; depth < 5; depth += 1) packed = gzipSync(packed);
    await expect(read('a.gz', packed)).rejects.toThrow('too many archives');
  });
});

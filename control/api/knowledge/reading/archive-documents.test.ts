import JSZip from 'jszip';
import { describe, expect, it } from 'vitest';
import { read, zipOf } from '../testing/read.ts';
import { readerOf } from './reader-of.ts';

const ID = '0123456789abcdef0123456789abcdef';

/** "Unpack it and upload what is in it", for each of the hundred pages of an export. */
describe('An archive', () => {
  it('of Notion is read with its folders, and with the archive in it', async () => {
    const inner = await zipOf({
      [`Handbook ${ID}.md`]: '# Handbook\n\nWelcome.',
      [`Handbook ${ID}/Prices ${ID}.csv`]: 'Room,Price\nAttic,80',
      [`Handbook ${ID}/house.png`]: 'x',
      '__MACOSX/._Handbook.md': 'x',
    });
    const outer = new JSZip();
    outer.file('ExportBlock-Part-1.zip', inner);
    const passages = await read('export.zip', await outer.generateAsync({ type: 'nodebuffer' }));
    expect(passages.map(({ content, metadata }) => `${metadata.heading} | ${content}`)).toEqual([
      'ExportBlock-Part-1 › Handbook | Handbook\n\nWelcome.',
      'ExportBlock-Part-1 › Handbook › Prices | Room: Attic\nPrice: 80',
    ]);
  });

  it('of Confluence is read without what draws its pages', async () => {
    const page = '<html><body><h1>Prices</h1><p>From 80.</p></body></html>';
    const files = { 'HOTEL/Prices_1.html': page, 'HOTEL/styles/site.css': 'x', 'HOTEL/images/icons/a.svg': '<svg/>' };
    const passages = await read('a.zip', await zipOf(files));
    expect(passages.map(({ content, metadata }) => `${metadata.heading} | ${content}`)).toEqual([
      'HOTEL › Prices_1 › Prices | Prices\n\nFrom 80.',
    ]);
  });

  it('says which of its files are not read', async () => {
    const bytes = await zipOf({ 'a.txt': 'One.', 'b.exe': 'MZ', 'c.pdf': '', 'd.json': 'no JSON' });
    const sections = await Array.fromAsync((await readerOf('zip'))(bytes));
    expect(sections.map(({ text }) => text).join('')).toBe('One.');
    expect(sections.at(-1)!.note).toBe('Not read of the archive: b.exe, c.pdf, d.json.');
  });

  it('that unpacks to more than an upload may have is refused', async () => {
    const bytes = await zipOf({ 'a.txt': 'x'.repeat(26 * 1024 * 1024), 'b.txt': 'x'.repeat(26 * 1024 * 1024) });
    await expect(Array.fromAsync((await readerOf('zip'))(bytes))).rejects.toThrow('more than 50 MB');
  });
});

import { readFileSync } from 'node:fs';
import JSZip from 'jszip';
import { documentType } from '../document-type.ts';
import { contentKind } from '../reading/content-kind.ts';
import { type Passage, passagesOf } from '../reading/passage.ts';
import { readerOf } from '../reading/reader-of.ts';

/** Reads a document in this process, as the confined one does. */
export async function read(filename: string, content: string | Buffer, size = 1000, overlap = 200): Promise<Passage[]> {
  const bytes = Buffer.from(content);
  const reader = await readerOf(await contentKind(bytes, documentType(filename, '') ?? 'text'));
  return Array.fromAsync(passagesOf(reader(bytes), { size, overlap }));
}

/** Its passages, one behind the other. */
export async function textOf(filename: string, content: string | Buffer, size?: number): Promise<string> {
  return (await read(filename, content, size)).map((passage) => passage.content).join('\n---\n');
}

export const sample = (name: string): Buffer => readFileSync(new URL(`files/${name}`, import.meta.url));

/** A ZIP archive of these files. */
export async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [name, text] of Object.entries(files)) zip.file(name, text);
  return zip.generateAsync({ type: 'nodebuffer' });
}

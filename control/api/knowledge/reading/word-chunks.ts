import { type Archive, relationsOf } from './archive.ts';
import type { Block } from './blocks.ts';
import { decodeText } from './decode-text.ts';
import { isMail } from './is-mail.ts';
import { parseMail } from './parse-mail.ts';
import { htmlBlocks } from './read-html.ts';
import { rtfBlocks } from './read-rtf.ts';

export type WordChunks = ReadonlyMap<string, Iterable<Block>>;

type DocxBlocks = (bytes: Buffer, depth: number) => Promise<Iterable<Block>>;

/** A document may hold itself. */
const MAX_DEPTH = 3;

/**
 * Documents that a program has put into a part of a Word document in whole, for Word to convert them when it opens it, by
 * the ids of their relations. Of programs that write pages as Word documents, it is all that there is.
 */
export async function wordChunks(
  archive: Archive,
  part: string,
  depth: number,
  docxBlocks: DocxBlocks,
): Promise<WordChunks> {
  const chunks = new Map<string, Iterable<Block>>();
  for (const [id, { type, path }] of await relationsOf(archive, part)) {
    const bytes = type === 'aFChunk' ? await archive.bytes(path) : null;
    if (bytes !== null) chunks.set(id, await blocksOf(bytes, depth, docxBlocks));
  }
  return chunks;
}

/** What it is, its bytes say. */
async function blocksOf(bytes: Buffer, depth: number, docxBlocks: DocxBlocks): Promise<Iterable<Block>> {
  const start = bytes.toString('latin1', 0, 5);
  if (start.startsWith('PK')) return depth < MAX_DEPTH ? docxBlocks(bytes, depth + 1) : [];
  if (start === '{\\rtf') return rtfBlocks(bytes);
  if (!isMail(bytes, false)) return textBlocks(decodeText(bytes).text);
  const { html, text } = await parseMail(bytes);
  return textBlocks(html ?? text ?? '');
}

/** A page, or a text. */
const textBlocks = (text: string): Iterable<Block> =>
  /<\w+[\s>/]/.test(text) ? htmlBlocks(text) : [{ kind: 'paragraph', text }];

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { documentType } from '../document-type.ts';
import { DAMAGED } from './archive.ts';
import { type ArchivedFile, archivedSections, expandedPieces } from './archived-files.ts';
import { isTar } from './is-tar.ts';
import type { Section, Within } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** The documents of a TAR archive. It has them as they are, so nothing expands. */
export async function* readTar(bytes: Buffer, within: Within): AsyncGenerator<Section> {
  yield* archivedSections(await filesOf(bytes), within);
}

/** A compressed document, or the documents of a compressed archive (`.tar.gz`). */
export async function* readGzip(bytes: Buffer, within: Within): AsyncGenerator<Section> {
  const content = await expanded(bytes, within);
  if (isTar(content)) return yield* readTar(content, within);
  const name = ownName(bytes);
  yield* within.read(documentType(name, '') === null ? '' : name, content);
}

async function filesOf(bytes: Buffer): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  const archive = extract();
  archive.end(bytes);
  try {
    for await (const entry of archive) {
      const pieces: Buffer[] = [];
      for await (const piece of entry as AsyncIterable<Buffer>) pieces.push(piece);
      const { name, type } = entry.header;
      // Links lead to what stands there as well, or outside.
      if (type === 'file' || type === 'contiguous-file')
        files.push({ name, content: () => Promise.resolve(Buffer.concat(pieces)) });
    }
  } catch (error) {
    // What came before a damaged place is whole.
    if (files.length === 0) throw new UnreadableDocumentError(DAMAGED, { cause: error });
  }
  return files;
}

async function expanded(bytes: Buffer, within: Within): Promise<Buffer> {
  try {
    return await expandedPieces(Readable.from([bytes]).pipe(createGunzip()) as AsyncIterable<Buffer>, within);
  } catch (error) {
    if (error instanceof UnreadableDocumentError) throw error;
    throw new UnreadableDocumentError(DAMAGED, { cause: error });
  }
}

/** What the document was called before it was compressed; '' where that does not say so (RFC 1952, 2.3). */
function ownName(bytes: Buffer): string {
  const [HAS_EXTRA, HAS_NAME] = [4, 8];
  const flags = bytes[3] ?? 0;
  if ((flags & HAS_NAME) === 0 || bytes.length < 12) return '';
  const start = 10 + ((flags & HAS_EXTRA) === 0 ? 0 : 2 + bytes.readUInt16LE(10));
  const end = bytes.indexOf(0, start);
  return end === -1 ? '' : bytes.toString('utf8', start, end);
}

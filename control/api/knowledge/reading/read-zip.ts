import type JSZip from 'jszip';
import { Readable } from 'node:stream';
import { documentType, type DocumentType } from '../document-type.ts';
import { openZip } from './archive.ts';
import { contentKind } from './content-kind.ts';
import { NOTHING, type Reader, type Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Notion puts an archive into an archive. */
const MAX_DEPTH = 2;
/** Of all files together, expanded: as much as an upload may have. */
const MAX_BYTES = 50 * 1024 * 1024;
/** Files of an export that are no documents: pictures, and what a page is drawn with. */
const BESIDE =
  /(?:^|\/)(?:\.|__MACOSX\/|styles\/|images\/icons\/)|\.(?:png|jpe?g|gif|webp|svg|ico|bmp|css|js|woff2?|ttf|map)$/i;

interface Reading {
  readonly readerOf: (type: DocumentType) => Promise<Reader>;
  /** Bytes that may still be expanded. */
  room: number;
}

/** The documents of an archive, as Notion and Confluence export them: below the names of their folders and files. */
export const zipReader =
  (readerOf: Reading['readerOf']): Reader =>
  (bytes) =>
    readZip(bytes, 1, { readerOf, room: MAX_BYTES });

async function* readZip(bytes: Buffer, depth: number, reading: Reading): AsyncGenerator<Section> {
  const zip = await openZip(bytes);
  const unread: string[] = [];
  const files = Object.values(zip.files).filter(({ dir, name }) => !dir && !BESIDE.test(name));
  for (const file of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = file.name.replaceAll('\\', '/');
    try {
      yield* below(titleOf(name), readFile(name, await expanded(file, reading), depth, reading));
    } catch (error) {
      // No room was left, and the process ends.
      if (!(error instanceof Error) || error instanceof RangeError) throw error;
      if (reading.room < 0) throw error;
      unread.push(name);
    }
  }
  if (unread.length > 0) yield { ...NOTHING, note: noteOf(unread) };
}

async function* readFile(name: string, content: Buffer, depth: number, reading: Reading): AsyncGenerator<Section> {
  const type = documentType(name, '');
  if (type === null) throw new UnreadableDocumentError('Its name says no format that is read.');
  const kind = await contentKind(content, type);
  if (kind !== 'zip') yield* (await reading.readerOf(kind))(content);
  else if (depth < MAX_DEPTH) yield* readZip(content, depth + 1, reading);
  else throw new UnreadableDocumentError('It is an archive within archives.');
}

async function expanded(file: JSZip.JSZipObject, reading: Reading): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of new Readable().wrap(file.nodeStream()) as AsyncIterable<Buffer>) {
    reading.room -= piece.length;
    if (reading.room < 0)
      throw new UnreadableDocumentError('The files of the archive have more than 50 MB. Upload parts of them.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** "Handbook › Prices", without the number that Notion puts behind a name. */
function titleOf(name: string): string {
  const parts = name.replace(/\.\w+$/, '').split('/');
  return parts.map((part) => part.replace(/[ _][\da-f]{32}(?:_all)?$/, '').trim()).join(' › ');
}

async function* below(title: string, sections: AsyncIterable<Section> | Iterable<Section>): AsyncGenerator<Section> {
  const last = title.split(' › ').at(-1)!;
  for await (const section of sections) {
    const { heading = '' } = section;
    // The title of a page is its name already.
    const own = heading === last || heading.startsWith(`${last} › `) ? heading.slice(last.length + 3) : heading;
    yield { ...section, heading: [title, own].filter(Boolean).join(' › ') };
  }
}

function noteOf(unread: readonly string[]): string {
  const some = unread.slice(0, 5).join(', ');
  return `Not read of the archive: ${some}${unread.length > 5 ? ` and ${unread.length - 5} more files` : ''}.`;
}

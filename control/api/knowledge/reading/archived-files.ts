import { below, isItsOwn } from './documents-within.ts';
import { NOTHING, type Section, type Within } from './section.ts';

/** A file of an archive. */
export interface ArchivedFile {
  /** With its folders. */
  readonly name: string;
  content(): Promise<Buffer>;
}

/** What expands, counted as it comes. @throws UnreadableDocumentError when it is more than all documents may have. */
export async function expandedPieces(pieces: AsyncIterable<Buffer>, within: Within): Promise<Buffer> {
  const expanded: Buffer[] = [];
  for await (const piece of pieces) {
    within.take(piece.length);
    expanded.push(piece);
  }
  return Buffer.concat(expanded);
}

/** Files of an export that are no documents: pictures, and what a page is drawn with. */
const BESIDE =
  /(?:^|\/)(?:\.|__MACOSX\/|styles\/|images\/icons\/)|\.(?:png|jpe?g|gif|webp|svg|ico|bmp|css|js|woff2?|ttf|map)$/i;

/** The documents of an archive, as Notion and Confluence export them: below the names of their folders and files. */
export async function* archivedSections(files: readonly ArchivedFile[], within: Within): AsyncGenerator<Section> {
  const unread: string[] = [];
  const named = files.map((file) => ({ file, name: file.name.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '') }));
  const documents = named.filter(({ name }) => !BESIDE.test(name));
  for (const { file, name } of documents.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    try {
      yield* below(titleOf(name), within.read(name, await file.content()));
    } catch (error) {
      if (!isItsOwn(error, within)) throw error;
      unread.push(name);
    }
  }
  if (unread.length > 0) yield { ...NOTHING, note: noteOf(unread) };
}

/** "Handbook › Prices", without the number that Notion puts behind a name. */
function titleOf(name: string): string {
  const parts = name.replace(/\.\w+$/, '').split('/');
  return parts.map((part) => part.replace(/[ _][\da-f]{32}(?:_all)?$/, '').trim()).join(' › ');
}

function noteOf(unread: readonly string[]): string {
  const some = unread.slice(0, 5).join(', ');
  return `Not read of the archive: ${some}${unread.length > 5 ? ` and ${unread.length - 5} more files` : ''}.`;
}

import { documentType, type DocumentType } from '../document-type.ts';
import { contentKind } from './content-kind.ts';
import type { Reader, Section, Within } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Archives and messages in one another: Notion puts an archive into an archive, and people send one. */
const MAX_DEPTH = 3;
/** Of all files together, expanded: as much as an upload may have. */
const MAX_BYTES = 50 * 1024 * 1024;

const CONTAINERS: ReadonlySet<DocumentType> = new Set(['zip', 'tar', 'gzip', 'mail', 'msg']);

/** What is read of the documents within a document. @param readerOf reads one of them. */
export function documentsWithin(readerOf: (type: DocumentType) => Promise<Reader>): Within {
  let room = MAX_BYTES;
  const atDepth = (depth: number): Within => ({
    take: (bytes) => {
      room -= bytes;
      if (room < 0) throw new UnreadableDocumentError('The files in it have more than 50 MB. Upload parts of them.');
    },
    isFull: () => room < 0,
    async *read(name, content, contentType = '') {
      const isNamed = /\.[^./]+$/.test(name);
      const type = documentType(name, contentType) ?? (isNamed ? null : 'text');
      if (type === null) throw new UnreadableDocumentError('Its name says no format that is read.');
      const kind = await contentKind(content, type);
      if (depth >= MAX_DEPTH && CONTAINERS.has(kind))
        throw new UnreadableDocumentError('It is within too many archives or messages.');
      yield* (await readerOf(kind))(content, atDepth(depth + 1));
    },
  });
  return atDepth(1);
}

/** Sections below a title, unless it is theirs already. */
export async function* below(
  title: string,
  sections: AsyncIterable<Section> | Iterable<Section>,
): AsyncGenerator<Section> {
  const last = title.split(' › ').at(-1)!;
  for await (const section of sections) {
    const { heading = '' } = section;
    // The title of a page is its name already.
    const own = heading === last || heading.startsWith(`${last} › `) ? heading.slice(last.length + 3) : heading;
    yield { ...section, heading: [title, own].filter(Boolean).join(' › ') };
  }
}

/** Whether a document within another cannot be read, which does not keep the others from it. */
export const isItsOwn = (error: unknown, within: Within): boolean =>
  // No room was left, and the process ends.
  error instanceof Error && !(error instanceof RangeError) && !within.isFull();

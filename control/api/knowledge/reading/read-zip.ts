import type JSZip from 'jszip';
import { Readable } from 'node:stream';
import { openZip } from './archive.ts';
import { archivedSections, expandedPieces } from './archived-files.ts';
import type { Section, Within } from './section.ts';

/** The documents of a ZIP archive. */
export async function* readZip(bytes: Buffer, within: Within): AsyncGenerator<Section> {
  const zip = await openZip(bytes);
  const files = Object.values(zip.files).filter(({ dir }) => !dir);
  yield* archivedSections(
    files.map((file) => ({ name: file.name, content: () => expanded(file, within) })),
    within,
  );
}

const expanded = (file: JSZip.JSZipObject, within: Within): Promise<Buffer> =>
  expandedPieces(new Readable().wrap(file.nodeStream()) as AsyncIterable<Buffer>, within);

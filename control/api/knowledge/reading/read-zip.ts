import type JSZip from 'jszip';
import { Readable } from 'node:stream';
import { openZip } from './archive.ts';
import { below, isItsOwn } from './documents-within.ts';
import { NOTHING, type Section, type Within } from './section.ts';

/** Files of an export that are no documents: pictures, and what a page is drawn with. */
const BESIDE =
  /(?:^|\/)(?:\.|__MACOSX\/|styles\/|images\/icons\/)|\.(?:png|jpe?g|gif|webp|svg|ico|bmp|css|js|woff2?|ttf|map)$/i;

/** The documents of an archive, as Notion and Confluence export them: below the names of their folders and files. */
export async function* readZip(bytes: Buffer, within: Within): AsyncGenerator<Section> {
  const zip = await openZip(bytes);
  const unread: string[] = [];
  const files = Object.values(zip.files).filter(({ dir, name }) => !dir && !BESIDE.test(name));
  for (const file of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = file.name.replaceAll('\\', '/');
    try {
      yield* below(titleOf(name), within.read(name, await expanded(file, within)));
    } catch (error) {
      if (!isItsOwn(error, within)) throw error;
      unread.push(name);
    }
  }
  if (unread.length > 0) yield { ...NOTHING, note: noteOf(unread) };
}

async function expanded(file: JSZip.JSZipObject, within: Within): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of new Readable().wrap(file.nodeStream()) as AsyncIterable<Buffer>) {
    within.take(piece.length);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
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

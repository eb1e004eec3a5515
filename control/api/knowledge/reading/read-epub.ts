import { openArchive, resolvePath } from './archive.ts';
import { sectionsOf } from './blocks.ts';
import { htmlBlocks } from './read-html.ts';
import type { Section } from './section.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';
import { find, first } from './xml.ts';

/** A book: its chapters in their order. */
export async function* readEpub(bytes: Buffer): AsyncGenerator<Section> {
  const archive = await openArchive(bytes);
  const path = first(await archive.xml('META-INF/container.xml'), 'rootfile')?.attribs['full-path'];
  const book = path === undefined ? [] : await archive.xml(path);
  if (path === undefined || book.length === 0)
    throw new UnreadableDocumentError('The book has no list of its chapters.');
  const encryption = await archive.xml('META-INF/encryption.xml');
  if ([...find(encryption, 'CipherReference')].concat([...find(encryption, 'enc:CipherReference')]).some(isText))
    throw new UnreadableDocumentError('The book is protected against copying.');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const named = (name: string) => [...find(book, name), ...find(book, `opf:${name}`)];
  // The list of chapters is for the program that shows the book.
  const files = new Map(
    named('item')
      .filter(({ attribs }) => !/\bnav\b/.test(attribs['properties'] ?? ''))
      .map(({ attribs }) => [attribs['id'], attribs['href'] ?? '']),
  );
  const order = named('itemref').map(({ attribs }) => files.get(attribs['idref']));
  // A book that does not say in which order: as they are listed.
  const chapters = order.length > 0 ? order : [...files.values()].filter((file) => /\.x?html?$/i.test(file));
  for (const file of chapters) {
    const text = file === undefined ? null : await archive.text(resolvePath(folder, file));
    if (text !== null) yield* sectionsOf(htmlBlocks(text));
  }
}

/** Embedded fonts are often scrambled, which protects no text. */
const isText = ({ attribs }: { attribs: Record<string, string> }): boolean => /\.x?html?$/i.test(attribs['URI'] ?? '');

import PostalMime from 'postal-mime';
import { type Block, sectionsOf } from './blocks.ts';
import { htmlBlocks } from './read-html.ts';
import type { Section } from './section.ts';

/** A message, or a page that a browser saved as one: its subject, who wrote it and when, and its text. */
export async function* readMail(bytes: Buffer): AsyncGenerator<Section> {
  const { subject, from, date, text, html } = await PostalMime.parse(bytes, { maxNestingDepth: 16 });
  const head = [from?.name || from?.address, date?.slice(0, 10)].filter(Boolean).join(', ');
  // What a browser saved, and most newsletters, are better read as a page.
  const body: Iterable<Block> = html === undefined ? paragraphs(text ?? '') : htmlBlocks(html);
  yield* sectionsOf([
    ...(subject ? [{ kind: 'heading', level: 1, text: subject } as const] : []),
    ...(head === '' ? [] : [{ kind: 'paragraph', text: head } as const]),
    ...body,
  ]);
}

const paragraphs = (text: string): Block[] =>
  text.split(/\r?\n\s*\n/).map((part) => ({ kind: 'paragraph', text: part.trim() }));

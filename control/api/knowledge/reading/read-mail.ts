import PostalMime from 'postal-mime';
import { type Block, sectionsOf } from './blocks.ts';
import { htmlBlocks } from './read-html.ts';
import type { Section } from './section.ts';

/** One message, or a mailbox with many of them (mbox). */
export async function* readMail(bytes: Buffer): AsyncGenerator<Section> {
  if (bytes.toString('latin1', 0, 5) !== 'From ') return yield* readMessage(bytes);
  for (const message of messagesIn(bytes)) yield* readMessage(message);
}

/**
 * Begins a message of a mailbox: "From jane@example.com Mon Jan  1 00:00:00 2026". The year is looked for ahead, once: a
 * last line of digits would be tried from each of them otherwise.
 */
const BEGINS = /(?<=^|\n)From \S+ (?=[^\n]*\d{4})[^\n]*\n/g;

function* messagesIn(mailbox: Buffer): Generator<Buffer> {
  // A byte is a character: places are those of the bytes.
  const starts = [...mailbox.toString('latin1').matchAll(BEGINS)].map(({ 0: line, index }) => [
    index,
    index + line.length,
  ]);
  for (const [at, [, from]] of starts.entries()) yield mailbox.subarray(from, starts[at + 1]?.[0]);
}

/** A message, or a page that a browser saved as one: its subject, who wrote it and when, and its text. */
async function* readMessage(bytes: Buffer): AsyncGenerator<Section> {
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

import type { Attachment } from 'postal-mime';
import { type Block, sectionsOf } from './blocks.ts';
import { parseMail } from './parse-mail.ts';
import { attachedNote } from './pdf-notes.ts';
import { htmlBlocks } from './read-html.ts';
import { messageIn } from './message-in.ts';
import { NOTHING, type Section } from './section.ts';

/** One message, or a mailbox with many of them (mbox). */
export async function* readMail(given: Buffer): AsyncGenerator<Section> {
  const bytes = messageIn(given);
  const isMailbox = bytes.toString('latin1', 0, 5) === 'From ';
  const attached = new Set<string>();
  for (const message of isMailbox ? messagesIn(bytes) : [bytes]) yield* readMessage(message, attached, 0);
  const note = attachedNote([...attached]);
  if (note !== null) yield { ...NOTHING, note };
}

/** Messages within messages: who forwards a forwarded one attaches one that has one. */
const MAX_DEPTH = 8;

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

/**
 * A message, or a page that a browser saved as one: its subject, who wrote it and when, its text, and the messages that it
 * forwards. @param attached gets the names of other files.
 */
async function* readMessage(bytes: Uint8Array, attached: Set<string>, depth: number): AsyncGenerator<Section> {
  const { subject, from, date, text, html, attachments } = await parseMail(bytes);
  const head = [from?.name || from?.address, date?.slice(0, 10)].filter(Boolean).join(', ');
  // What a browser saved, and most newsletters, are better read as a page.
  const body: Iterable<Block> = html === undefined ? paragraphs(text ?? '') : htmlBlocks(html);
  yield* sectionsOf([
    ...(subject ? [{ kind: 'heading', level: 1, text: subject } as const] : []),
    ...(head === '' ? [] : [{ kind: 'paragraph', text: head } as const]),
    ...body,
  ]);
  for (const file of attachments) {
    const { content } = file;
    if (file.mimeType === 'message/rfc822' && depth < MAX_DEPTH)
      yield* readMessage(
        typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
        attached,
        depth + 1,
      );
    else if (isFile(file)) attached.add(file.filename ?? file.mimeType);
  }
}

/** Not a picture of a page, a signature, or what a program has put in for itself. */
const isFile = ({ disposition, related, mimeType }: Attachment): boolean =>
  disposition !== 'inline' && related !== true && !/^(?:application\/(?:pgp|pkcs7|x-pkcs7)|message\/)/.test(mimeType);

const paragraphs = (text: string): Block[] =>
  text.split(/\r?\n\s*\n/).map((part) => ({ kind: 'paragraph', text: part.trim() }));

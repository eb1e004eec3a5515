import type { Attachment, Email } from 'postal-mime';
import { type Block, sectionsOf } from './blocks.ts';
import { below, isItsOwn } from './documents-within.ts';
import { plainMailText } from './mail-text.ts';
import { messageIn } from './message-in.ts';
import { parseMail } from './parse-mail.ts';
import { attachedNote } from './pdf-notes.ts';
import { htmlBlocks } from './read-html.ts';
import { NOTHING, type Section, type Within } from './section.ts';

/** One message, or a mailbox with many of them (mbox). */
export async function* readMail(given: Buffer, within: Within): AsyncGenerator<Section> {
  const bytes = messageIn(given);
  const isMailbox = bytes.toString('latin1', 0, 5) === 'From ';
  const reading: MailReading = { within, unread: new Set(), notes: new Set(), invitations: new Set() };
  for (const message of isMailbox ? messagesIn(bytes) : [bytes]) yield* readMessage(message, reading, 0);
  yield* notesOf(reading);
}

/** A message that is not stored as it was sent. */
export async function* readParsed(message: Message, within: Within): AsyncGenerator<Section> {
  const reading: MailReading = { within, unread: new Set(), notes: new Set(), invitations: new Set() };
  yield* messageSections(message, reading, 0);
  yield* notesOf(reading);
}

function* notesOf({ notes, unread }: MailReading): Generator<Section> {
  for (const note of [...notes, attachedNote([...unread])]) if (note !== null) yield { ...NOTHING, note };
}

/** What is read of a message. */
export interface Message extends Pick<Email, 'subject' | 'from' | 'date' | 'html' | 'text' | 'attachments'> {
  /** Messages that are attached to it and not stored as they were sent. */
  readonly messages?: readonly Message[];
  /** In place of a text. */
  readonly blocks?: readonly Block[];
}

/** Of all messages of a file. */
interface MailReading {
  readonly within: Within;
  /** Names of attached files that are not read. */
  readonly unread: Set<string>;
  readonly notes: Set<string>;
  /** Programs send each twice: as a part of the message, and as a file. */
  readonly invitations: Set<string>;
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
  for (const [at, [, from]] of starts.entries()) yield unescaped(mailbox.subarray(from, starts[at + 1]?.[0]));
}

/** Lines that would begin a message have a `>` before them in a mailbox. */
function unescaped(message: Buffer): Buffer {
  if (!message.includes('\n>From ')) return message;
  return Buffer.from(message.toString('latin1').replaceAll(/^>(?=>*From )/gm, ''), 'latin1');
}

/**
 * A message, or a page that a browser saved as one: its subject, who wrote it and when, its text, the messages that it
 * forwards, and the documents that are attached to it.
 */
async function* messageSections(mail: Message, reading: MailReading, depth: number): AsyncGenerator<Section> {
  const { subject, from, date, attachments, messages = [] } = mail;
  const head = [from?.name || from?.address, date?.slice(0, 10)].filter(Boolean).join(', ');
  yield* sectionsOf([
    ...(subject ? [{ kind: 'heading', level: 1, text: subject } as const] : []),
    ...(head === '' ? [] : [{ kind: 'paragraph', text: head } as const]),
    ...bodyOf(mail, reading),
  ]);
  for (const file of attachments) {
    const content =
      typeof file.content === 'string' ? Buffer.from(file.content) : Buffer.from(new Uint8Array(file.content));
    if (MESSAGE.test(file.mimeType) && depth < MAX_DEPTH) yield* readMessage(content, reading, depth + 1);
    else yield* attachedSections(file, content, subject ?? '', reading);
  }
  if (depth < MAX_DEPTH) for (const message of messages) yield* messageSections(message, reading, depth + 1);
}

async function* readMessage(bytes: Uint8Array, reading: MailReading, depth: number): AsyncGenerator<Section> {
  yield* messageSections(await parseMail(bytes), reading, depth);
}

/** Outlook stores what was signed as it was sent. */
const MESSAGE = /^(?:message\/rfc822|multipart\/signed)$/;

/** What a browser saved, and most newsletters, are better read as a page. */
function bodyOf({ html, text = '', blocks }: Message, { notes }: MailReading): readonly Block[] {
  if (blocks !== undefined) return blocks;
  const page = html === undefined ? [] : [...htmlBlocks(html)];
  if (page.length > 0) return page;
  const { text: plain, note } = plainMailText(text);
  if (note !== null) notes.add(note);
  return plain.split(/\r?\n\s*\n/).map((part) => ({ kind: 'paragraph', text: part.trim() }));
}

const ENCRYPTED = /^application\/(?:pgp-encrypted|(?:x-)?pkcs7-mime)$/;
const SEALED = 'The message is encrypted or sealed (PGP or S/MIME): save it from its mail program as text or PDF.';
const OF_OUTLOOK = 'What Outlook sent as winmail.dat is not read: save the message from Outlook as text or PDF.';
/** Parts that are documents without being files. */
const INVITATION = /^text\/(?:calendar|vcard|x-vcard)$/;

async function* attachedSections(
  file: Attachment,
  content: Buffer,
  subject: string,
  { within, unread, notes, invitations }: MailReading,
): AsyncGenerator<Section> {
  const { filename, mimeType } = file;
  if (ENCRYPTED.test(mimeType)) notes.add(SEALED);
  else if (mimeType === 'application/ms-tnef' || filename === 'winmail.dat') notes.add(OF_OUTLOOK);
  else if (isFile(file) || INVITATION.test(mimeType)) {
    const text = INVITATION.test(mimeType) ? content.toString('latin1') : null;
    if (text !== null && invitations.has(text)) return;
    if (text !== null) invitations.add(text);
    try {
      const sections = within.read(filename ?? '', content, mimeType);
      yield* below([subject, filename ?? ''].filter(Boolean).join(' › '), sections);
    } catch (error) {
      if (!isItsOwn(error, within)) throw error;
      if (filename !== undefined && filename !== null && !notes.has(SEALED)) unread.add(filename);
    }
  }
}

/** Not a picture of a page, a signature, or what a program has put in for itself. */
const isFile = ({ filename, disposition, related, mimeType }: Attachment): boolean =>
  (filename ?? '') !== '' &&
  disposition !== 'inline' &&
  related !== true &&
  !/^(?:application\/(?:pgp|pkcs7|x-pkcs7)|message\/)/.test(mimeType);

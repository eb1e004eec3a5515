import type { Attachment } from 'postal-mime';
import { deEncapsulateSync } from 'rtf-stream-parser';
import type { Block } from './blocks.ts';
import { type CompoundFile, openCompound } from './compound-file.ts';
import { expandedRtf } from './compressed-rtf.ts';
import { decoderNamed } from './decode-text.ts';
import { markupText } from './markup-text.ts';
import { charsetNamed, decodeLikely } from './office-charsets.ts';
import { type Message, readParsed } from './read-mail.ts';
import { rtfBlocks } from './read-rtf.ts';
import type { Section, Within } from './section.ts';

/** A message of Outlook: the same sections as those of the message that was sent (EML). */
export async function* readMsg(bytes: Buffer, within: Within): AsyncGenerator<Section> {
  yield* readParsed(await messageIn(openCompound(bytes), '', 0), within);
}

/** What Outlook stores of a message, by number (MS-OXPROPS). */
const [SUBJECT, SENDER, SENT_FOR, BODY, RTF, HTML] = [0x0037, 0x0c1a, 0x0042, 0x1000, 0x1009, 0x1013];
const [SMTP_ADDRESS, ADDRESS] = [0x5d01, 0x0c1f];
const [SENT, DELIVERED] = [0x0039, 0x0e06];
const [CODE_PAGE, INTERNET_CODE_PAGE] = [0x3ffd, 0x3fde];
/** And of an attachment. */
const [DATA, LONG_NAME, SHORT_NAME, DISPLAY_NAME, MIME_TYPE] = [0x3701, 0x3707, 0x3704, 0x3001, 0x370e];
const [HIDDEN, FLAGS, CONTENT_ID] = [0x7ffe, 0x3714, 0x3712];
/** Its page shows it. */
const IN_PAGE = 4;

const MAX_DEPTH = 8;

/** @param folder of it within the file, with a `/` at its end. */
async function messageIn(file: CompoundFile, folder: string, depth: number): Promise<Message> {
  const properties = new Properties(file, folder, folder === '' ? 32 : 24);
  const body = await bodyOf(properties);
  const attachments: Attachment[] = [];
  const messages: Message[] = [];
  for (const name of foldersIn(file, `${folder}__attach_version1.0_#`)) {
    const within = `${name}__substg1.0_3701000D/`;
    if (!file.paths.includes(`${within}__properties_version1.0`))
      attachments.push(attachmentIn(new Properties(file, name, 8), properties.page, body.html ?? ''));
    else if (depth < MAX_DEPTH) messages.push(await messageIn(file, within, depth + 1));
  }
  const [subject, name] = [properties.text(SUBJECT), properties.text(SENDER) || properties.text(SENT_FOR)];
  const address = properties.text(SMTP_ADDRESS) || properties.text(ADDRESS);
  const date = properties.date(SENT) ?? properties.date(DELIVERED);
  return {
    ...(subject !== '' && { subject }),
    from: { name: name || address, address },
    ...(date !== null && { date }),
    ...body,
    attachments,
    messages,
  };
}

function attachmentIn(properties: Properties, page: number, html: string): Attachment {
  const names = [LONG_NAME, SHORT_NAME, DISPLAY_NAME].map((id) => properties.text(id, page).replace(/^.*[\\/]/, ''));
  const id = properties.text(CONTENT_ID, page);
  const isInPage =
    (properties.number(FLAGS) & IN_PAGE) !== 0 ||
    properties.number(HIDDEN) !== 0 ||
    (id !== '' && html.includes(`cid:${id}`));
  return {
    filename: names.find((name) => name !== '') ?? null,
    mimeType: properties.text(MIME_TYPE, page).toLowerCase(),
    disposition: 'attachment',
    related: isInPage,
    content: Uint8Array.from(properties.bytes(DATA) ?? []),
  };
}

/** Its page, which may stand within rich text; else its text, or the rich text that it was written as. */
async function bodyOf(properties: Properties): Promise<Pick<Message, 'html' | 'text' | 'blocks'>> {
  const html = properties.bytes(HTML);
  const page =
    html === null
      ? properties.text(HTML)
      : markupText(html, charsetNamed(properties.number(INTERNET_CODE_PAGE) || properties.page)).text;
  if (page.trim() !== '') return { html: page };
  const rtf = expandedRtf(properties.bytes(RTF) ?? Buffer.alloc(0));
  const inside = /\\fromhtml/.test(rtf.toString('latin1', 0, 1024)) ? pageIn(rtf) : '';
  if (inside.trim() !== '') return { html: inside };
  const text = properties.text(BODY);
  const blocks: readonly Block[] = rtf.length === 0 ? [] : await rtfBlocks(rtf);
  return blocks.some((block) => block.kind === 'table' || block.text.trim() !== '') ? { blocks, text } : { text };
}

function pageIn(rtf: Buffer): string {
  try {
    const decode = (bytes: Buffer, charset: string): string =>
      (decoderNamed(charset.replace(/^cp(?=125\d$)/, 'windows-')) ?? new TextDecoder(pageNamed(charset))).decode(bytes);
    return String(deEncapsulateSync(rtf, { decode, mode: 'html', warn: () => {} }).text);
  } catch {
    return '';
  }
}

const pageNamed = (charset: string): string => charsetNamed(Number(/\d+$/.exec(charset)?.[0] ?? 1252));

function foldersIn(file: CompoundFile, start: string): string[] {
  const folders = file.paths
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(0, path.indexOf('/', start.length) + 1))
    .filter((folder) => folder !== '');
  return [...new Set(folders)].toSorted();
}

/** Between 1601, from which Windows counts tenths of microseconds, and 1970. */
const MS_TO_1970 = 11_644_473_600_000;
const TICKS_PER_MS = 10_000n;

/** What is stored of a message or an attachment: short values in one list, and others as files. */
class Properties {
  readonly #file: CompoundFile;
  readonly #folder: string;
  /** By number and type. */
  readonly #values = new Map<number, Buffer>();
  /** Charset of its letters, where they are not Unicode. */
  readonly page: number;

  /** @param header bytes before the values. */
  constructor(file: CompoundFile, folder: string, header: number) {
    this.#file = file;
    this.#folder = folder;
    const list = file.stream(`${folder}__properties_version1.0`) ?? Buffer.alloc(0);
    for (let at = header; at + 16 <= list.length; at += 16)
      this.#values.set(list.readUInt16LE(at + 2), list.subarray(at + 8, at + 16));
    this.page = this.number(CODE_PAGE) || this.number(INTERNET_CODE_PAGE) || 1252;
  }

  text(id: number, page = this.page): string {
    const wide = this.#stream(id, '001F');
    const text = wide?.toString('utf16le') ?? decodeLikely(page, this.#stream(id, '001E') ?? Buffer.alloc(0));
    return text.replaceAll('\0', '').trim();
  }

  bytes(id: number): Buffer | null {
    return this.#stream(id, '0102');
  }

  /** 0 where there is none. */
  number(id: number): number {
    return this.#values.get(id)?.readInt32LE(0) ?? 0;
  }

  /** As ISO 8601. */
  date(id: number): string | null {
    const ticks = this.#values.get(id)?.readBigUInt64LE(0) ?? 0n;
    const time = new Date(Number(ticks / TICKS_PER_MS) - MS_TO_1970);
    return ticks === 0n || Number.isNaN(time.getTime()) ? null : time.toISOString();
  }

  #stream(id: number, type: string): Buffer | null {
    const number = id.toString(16).toUpperCase().padStart(4, '0');
    return this.#file.stream(`${this.#folder}__substg1.0_${number}${type}`);
  }
}

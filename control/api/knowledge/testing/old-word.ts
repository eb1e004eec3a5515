import { compoundOf } from './compound.ts';

/** What a document of Word 97 to 2003 has, beside its text. */
export interface OldWord {
  /** All of its parts, one behind the other, with Word's characters: `\r` ends a paragraph, `\x07` a cell. */
  readonly text: string;
  /** Characters of each part behind its body. */
  readonly lengths?: { readonly footnotes?: number; readonly headers?: number };
  /** Deleted words. */
  readonly deleted?: string;
  /** The paragraph that ends with this character has these properties. */
  readonly paragraphs?: readonly { readonly until: number; readonly style?: number; readonly changes?: Buffer }[];
  /** Of a footnote, the place of its reference. */
  readonly noteAt?: number;
  /** Bits that the document says of itself. */
  readonly flags?: number;
}

/** Changes of a paragraph: in a table, and at the end of a row of one. */
export const IN_TABLE = Buffer.from('162401', 'hex');
export const ROW_END = Buffer.from('162401172401', 'hex');

const [PAGE, TEXT] = [512, 1024];

/** The document itself is its first part; what is said of it stands in another. */
export function oldWordOf({ text, lengths = {}, deleted, paragraphs = [], noteAt, flags = 0 }: OldWord): Buffer {
  const letters = Buffer.from(text, 'utf16le');
  const pages = Math.ceil(letters.length / PAGE);
  const main = Buffer.alloc(TEXT + (pages + 2) * PAGE);
  letters.copy(main, TEXT);
  const numbers = (...all: readonly number[]): Buffer => Buffer.concat(all.map(number));
  const behind = (lengths.footnotes ?? 0) + (lengths.headers ?? 0);
  const piece = Buffer.concat([Buffer.alloc(2), number(TEXT), Buffer.alloc(2)]);
  const pieces = Buffer.concat([numbers(0, text.length), piece]);
  const [first, last] = [TEXT, TEXT + letters.length];
  const page = TEXT / PAGE + pages;
  const parts: [at: number, part: Buffer][] = [
    [0x1a2, Buffer.concat([Buffer.from([2]), number(pieces.length), pieces])],
    [0xfa, numbers(first, last, page)],
    [0x102, numbers(first, last, page + 1)],
  ];
  if (noteAt !== undefined) {
    parts.push([0xaa, Buffer.concat([numbers(noteAt, text.length), Buffer.alloc(2)])]);
    parts.push([0xb2, numbers(0, lengths.footnotes ?? 0)]);
  }
  main.writeUInt16LE(0xa5ec, 0);
  main.writeUInt16LE(193, 2);
  main.writeUInt16LE(flags, 0x0a);
  [text.length - behind, lengths.footnotes ?? 0, lengths.headers ?? 0].forEach((length, index) =>
    main.writeUInt32LE(length, 0x4c + index * 4),
  );
  const table = Buffer.concat(parts.map(([, part]) => part));
  let place = 0;
  for (const [at, part] of parts) {
    main.writeUInt32LE(place, at);
    main.writeUInt32LE(part.length, at + 4);
    place += part.length;
  }
  charactersOf(text, deleted).copy(main, page * PAGE);
  paragraphsOf(paragraphs).copy(main, (page + 1) * PAGE);
  return compoundOf({ WordDocument: main, '0Table': table });
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const byteOf = (place: number): number => TEXT + place * 2;

function charactersOf(text: string, deleted: string | undefined): Buffer {
  const page = Buffer.alloc(PAGE);
  if (deleted === undefined) return page;
  const from = text.indexOf(deleted);
  page[PAGE - 1] = 1;
  page.writeUInt32LE(byteOf(from), 0);
  page.writeUInt32LE(byteOf(from + deleted.length), 4);
  page[8] = 200;
  Buffer.from('03000801', 'hex').copy(page, 400);
  return page;
}

function paragraphsOf(paragraphs: NonNullable<OldWord['paragraphs']>): Buffer {
  const page = Buffer.alloc(PAGE);
  page[PAGE - 1] = paragraphs.length;
  page.writeUInt32LE(byteOf(0), 0);
  for (const [index, { until, style = 0, changes = Buffer.alloc(0) }] of paragraphs.entries()) {
    page.writeUInt32LE(byteOf(until + 1), (index + 1) * 4);
    const at = 480 - index * 12;
    page[(paragraphs.length + 1) * 4 + index * 13] = at / 2;
    page[at] = 1 + Math.ceil((changes.length + 2) / 2);
    page.writeUInt16LE(style, at + 1);
    changes.copy(page, at + 3);
  }
  return page;
}

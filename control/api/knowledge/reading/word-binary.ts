import { type CompoundFile, openCompound } from './compound-file.ts';
import { PROTECTED } from './archive.ts';
import { decodeText } from './decode-text.ts';
import { decodePage } from './office-charsets.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';
import { paragraphsOf, type ParagraphStyle, runAt, runsOf, UNSEEN, whatItHides } from './word-properties.ts';

/** Parts of a document of Word, one behind the other in one text. */
export type Story = 'body' | 'footnotes' | 'headers' | 'comments' | 'endnotes' | 'boxes' | 'headerBoxes';
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A document of Word 6 to 2003, as it is stored (MS-DOC). Places are those of characters. */
export interface WordBinary {
  readonly text: string;
  readonly stories: Readonly<Record<Story, Range>>;
  /** Notes and comments by the place of the character that refers to them. */
  readonly notes: ReadonlyMap<number, Range>;
  /** Headers and footers of its sections. */
  readonly edges: Readonly<Record<'header' | 'footer', readonly Range[]>>;
  /** Whether a character is deleted, struck or hidden. */
  isUnseen(place: number): boolean;
  /** Of the paragraph whose last character this is; null where the document does not say. */
  styleAt(place: number): ParagraphStyle | null;
}

const [WORD_97, WORD_6] = [0xa5ec, 0xa5dc];
/** Version of the format from which on what is said of a text stands in a part of its own. */
const WITH_TABLE = 106;
const [ENCRYPTED, IN_TABLE_1, COMPLEX] = [0x0100, 0x0200, 0x0004];
const STORIES: readonly Story[] = ['body', 'footnotes', 'headers', 'comments', 'endnotes', 'boxes', 'headerBoxes'];
/** Where a document says how long they are. */
const LENGTHS = [0x4c, 0x50, 0x54, 0x5c, 0x60, 0x64, 0x68];
const LENGTHS_OF_WORD_6 = [0x34, 0x38, 0x3c, 0x44, 0x48, 0x4c];

const damaged = () => new UnreadableDocumentError('The document is damaged: its text cannot be found.');

/** Characters that stand one behind the other in the file. */
interface Piece {
  /** Of its first character. */
  readonly place: number;
  readonly length: number;
  /** Of its first byte. */
  readonly at: number;
  /** Bytes of a character. */
  readonly width: 1 | 2;
  readonly isUnseen: boolean;
}

/** @throws UnreadableDocumentError when it is damaged or encrypted. */
export function openWord(bytes: Buffer): WordBinary {
  const file = openCompound(bytes);
  const main = file.stream('WordDocument') ?? Buffer.alloc(0);
  if (main.length < 0x200) throw damaged();
  const [kind, flags] = [main.readUInt16LE(0), main.readUInt16LE(0x0a)];
  if (kind !== WORD_97 && kind !== WORD_6) throw damaged();
  if ((flags & ENCRYPTED) !== 0) throw new UnreadableDocumentError(PROTECTED);
  return main.readUInt16LE(2) >= WITH_TABLE ? word97(file, main, flags) : word6(main, flags);
}

function word97(file: CompoundFile, main: Buffer, flags: number): WordBinary {
  const table = file.stream((flags & IN_TABLE_1) === 0 ? '0Table' : '1Table') ?? Buffer.alloc(0);
  const part = (at: number): Buffer => (at + 8 > main.length ? table.subarray(0, 0) : partOf(table, main, at));
  const pieces = piecesIn(part(0x01a2), false);
  if (pieces.length === 0) throw damaged();
  const stories = storiesIn(main, LENGTHS);
  const hidden = runsOf(main, part(0xfa), whatItHides);
  const paragraphs = paragraphsOf(main, part(0x102));
  const notes = [
    ...notesIn(part(0xaa), part(0xb2), 2, stories.footnotes),
    ...notesIn(part(0xba), part(0xc2), 30, stories.comments),
    ...notesIn(part(0x20a), part(0x212), 2, stories.endnotes),
  ];
  return {
    text: textOf(main, pieces),
    stories,
    notes: new Map(notes),
    edges: edgesIn(part(0xf2), stories.headers),
    isUnseen: (place) => {
      const piece = pieceAt(pieces, place);
      return piece !== undefined && (piece.isUnseen || runAt(hidden, byteOf(piece, place)) === UNSEEN);
    },
    styleAt: (place) => {
      const piece = pieceAt(pieces, place);
      return piece === undefined ? null : runAt(paragraphs, byteOf(piece, place));
    },
  };
}

/** Of Word 6 and 95, only the text, in the charset of its language: what they say of it is stored in another way. */
function word6(main: Buffer, flags: number): WordBinary {
  const said = storiesIn(main, LENGTHS_OF_WORD_6);
  const at = main.readUInt32LE(0x18);
  const listed = (flags & COMPLEX) === 0 ? [] : piecesIn(partOf(main, main, 0x160), true);
  const pieces =
    listed.length === 0 ? [main.subarray(at)] : listed.map((one) => main.subarray(one.at, one.at + one.length));
  const bytes = Buffer.concat(pieces);
  let text = '';
  const stories = STORIES.map((story): [Story, Range] => {
    const from = text.length;
    text += decodeText(bytes.subarray(said[story].from, said[story].to)).text;
    return [story, { from, to: text.length }];
  });
  return {
    text,
    stories: Object.fromEntries(stories) as Record<Story, Range>,
    notes: new Map(),
    edges: { header: [], footer: [] },
    isUnseen: () => false,
    styleAt: () => null,
  };
}

const partOf = (table: Buffer, main: Buffer, at: number): Buffer =>
  table.subarray(main.readUInt32LE(at), main.readUInt32LE(at) + main.readUInt32LE(at + 4));

function storiesIn(main: Buffer, lengths: readonly number[]): Record<Story, Range> {
  let from = 0;
  const ranges = STORIES.map((story, index): [Story, Range] => {
    const at = lengths[index];
    const length = at === undefined ? 0 : Math.min(main.readUInt32LE(at), main.length);
    from += length;
    return [story, { from: from - length, to: from }];
  });
  return Object.fromEntries(ranges) as Record<Story, Range>;
}

const [PROPERTIES, PIECES] = [1, 2];
/** Says that the characters of a piece have one byte each. */
const NARROW = 0x40000000;

/** @param list of properties, and of the pieces (MS-DOC, 2.9.38). @param isOld of Word 6: a character is a byte. */
function piecesIn(list: Buffer, isOld: boolean): Piece[] {
  const properties: boolean[] = [];
  let at = 0;
  while (at + 3 <= list.length && list[at] === PROPERTIES) {
    const length = list.readUInt16LE(at + 1);
    properties.push(whatItHides(list.subarray(at + 3, at + 3 + length)) === UNSEEN);
    at += 3 + length;
  }
  if (at + 5 > list.length || list[at] !== PIECES) return [];
  const body = list.subarray(at + 5, at + 5 + list.readUInt32LE(at + 1));
  const count = Math.floor((body.length - 4) / 12);
  const pieces: Piece[] = [];
  for (let index = 0; index < count; index += 1) {
    const [place, next] = [body.readUInt32LE(index * 4), body.readUInt32LE(index * 4 + 4)];
    const entry = (count + 1) * 4 + index * 8;
    const said = body.readUInt32LE(entry + 2);
    const isNarrow = isOld || (said & NARROW) !== 0;
    const own = body.readUInt16LE(entry + 6);
    if (next <= place || place !== (pieces.at(-1) === undefined ? 0 : endOf(pieces.at(-1)!))) break;
    pieces.push({
      place,
      length: next - place,
      at: isNarrow && !isOld ? (said & ~NARROW) / 2 : said,
      width: isNarrow ? 1 : 2,
      isUnseen: (own & 1) === 1 && properties[own >> 1] === true,
    });
  }
  return pieces;
}

const endOf = ({ place, length }: Piece): number => place + length;

/** Places beyond the end of the file are left out. */
function textOf(main: Buffer, pieces: readonly Piece[]): string {
  let text = '';
  for (const { at, length, width } of pieces) {
    const bytes = main.subarray(at, at + length * width);
    text += width === 1 ? decodePage(1252, bytes) : bytes.toString('utf16le');
    if (bytes.length < length * width) break;
  }
  return text;
}

const byteOf = ({ place: first, at, width }: Piece, place: number): number => at + (place - first) * width;

function pieceAt(pieces: readonly Piece[], place: number): Piece | undefined {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pieces[middle]!.place <= place) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

/** @param size bytes that stand beside each place. */
function notesIn(references: Buffer, texts: Buffer, size: number, story: Range): [number, Range][] {
  const count = Math.max(0, Math.floor((references.length - 4) / (4 + size)));
  const notes: [number, Range][] = [];
  for (let index = 0; index < count && index * 4 + 8 <= texts.length; index += 1)
    notes.push([references.readUInt32LE(index * 4), rangeAt(texts, index, story)]);
  return notes;
}

function rangeAt(places: Buffer, index: number, { from, to }: Range): Range {
  const [begin, end] = [places.readUInt32LE(index * 4), places.readUInt32LE(index * 4 + 4)];
  return { from: Math.min(from + begin, to), to: Math.min(from + end, to) };
}

/** Lines above notes come first; then six for each section, of even, odd and first pages. */
const [BEFORE, OF_SECTION] = [6, 6];
const HEADERS: ReadonlySet<number> = new Set([0, 1, 4]);

function edgesIn(places: Buffer, story: Range): WordBinary['edges'] {
  const edges = { header: [] as Range[], footer: [] as Range[] };
  for (let index = BEFORE; index * 4 + 8 <= places.length; index += 1)
    edges[HEADERS.has(index % OF_SECTION) ? 'header' : 'footer'].push(rangeAt(places, index, story));
  return edges;
}

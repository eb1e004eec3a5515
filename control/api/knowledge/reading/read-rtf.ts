import { Readable } from 'node:stream';
import { Tokenize } from 'rtf-stream-parser';
import { type Block, sectionsOf } from './blocks.ts';
import { addressBehind, addressInField } from './link-address.ts';
import { superscript } from './superscript.ts';
import { inFont, isSymbolFont } from './symbol-fonts.ts';
import type { Section } from './section.ts';
import type { Row } from './row.ts';

/** A token of RTF. */
interface Token {
  /** 0 begins a group, 1 ends one, 2 is a control word, 3 is text. */
  readonly type: 0 | 1 | 2 | 3;
  readonly word?: string;
  readonly param?: number;
  readonly data?: Buffer;
}

/** What says by its code what its words link to. */
interface Field {
  code: string;
  /** Where its words begin in the text. */
  from: number;
}

/** What holds within a group of braces. */
interface Group {
  /** Whether it is no text: tables of fonts and colors, pictures, fields' codes. */
  isHidden: boolean;
  isUnseen: boolean;
  isRaised: boolean;
  /** Within a note, which stands in brackets. */
  isNote: boolean;
  field: Field | null;
  /** At which edge of its page it stands. */
  edge: Edge | null;
  /** Which part of the field it is. */
  part: 'code' | 'words' | null;
  charset: string;
  font: number;
  /** Characters that follow a `\u` for older readers. */
  skipped: number;
}

/** Boxes of text hang on a paragraph, in the middle of it. */
type Edge = 'header' | 'box' | 'footer';
const EDGE = /^(header|footer)[lrf]?$|^shptxt$/;
const HIDDEN = new Set(
  (
    'fonttbl colortbl stylesheet info pict object generator listtable listoverridetable revtbl rsidtbl themedata ' +
    'datastore fldinst xmlnstbl latentstyles mmathPr pgptbl filetbl bkmkstart bkmkend nonshppict shppict datafield ' +
    'colorschememapping shprslt'
  ).split(' '),
);
/** Of groups that older programs leave out, those that are read. */
const READ = /^(footnote|annotation)$/;
/** Fields whose words stand in the text as well. */
const OF_CONTENTS = /^\s*TOC\b/i;
/** Levels of headings; deeper ones are text. */
const MAX_LEVEL = 6;
/** Longer names of fonts are none. */
const MAX_NAME_LENGTH = 60;
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': '\u00a0',
  _: '-',
  '{': '{',
  '}': '}',
  '\\': '\\',
};
/** Charsets of fonts (`\fcharset`) that are not the one of the document. */
const FONT_CHARSETS: Readonly<Record<number, string>> = {
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
  0: 'windows-1252',
};

/** Rich text: paragraphs and tables. */
export async function* readRtf(bytes: Buffer): AsyncGenerator<Section> {
  yield* sectionsOf(await rtfBlocks(bytes));
}

export async function rtfBlocks(bytes: Buffer): Promise<readonly Block[]> {
  const reader = new RtfReader();
  for await (const token of Readable.from([bytes]).pipe(new Tokenize()) as AsyncIterable<Token>) reader.take(token);
  return reader.end();
}

/** What is written, of the text or of an edge of its pages. */
interface Page {
  readonly blocks: Block[];
  text: string;
  row: string[];
  rows: Row[];
  isInTable: boolean;
}

const emptyPage = (): Page => ({ blocks: [], text: '', row: [], rows: [], isInTable: false });

class RtfReader {
  /** Letterheads have the address and the hours. */
  readonly #edges: Readonly<Record<Edge, Page[]>> = { header: [], box: [], footer: [] };
  readonly #main = emptyPage();
  #page = this.#main;
  #isGroupBegin = false;
  /** Whether the group is one that older programs leave out, as the sign before this one says. */
  #isStarred = false;
  /** Of the paragraph, if it is a heading: from 0. */
  #level: number | null = null;
  readonly #groups: Group[] = [];
  #group: Group = {
    isHidden: false,
    isUnseen: false,
    isRaised: false,
    isNote: false,
    field: null,
    edge: null,
    part: null,
    charset: 'windows-1252',
    font: 0,
    skipped: 1,
  };
  readonly #fonts = new Map<number, string>();
  readonly #fontNames = new Map<number, string>();
  #font = 0;
  #isFontTable = false;
  /** Bytes of one character may come one by one. */
  #bytes: number[] = [];
  #toSkip = 0;

  take({ type, word = '', param, data }: Token): void {
    if (type === 3 || word === "'") {
      if (data !== undefined) this.#take(data);
      return;
    }
    if (type !== 2 || word !== 'u') this.#flush();
    if (type === 0) this.#groups.push({ ...this.#group });
    else if (type === 1) {
      const { field, part, isNote, edge } = this.#group;
      this.#group = this.#groups.pop() ?? this.#group;
      if (edge !== null && this.#group.edge === null) this.#page = this.#main;
      if (field !== null && part === 'words' && this.#group.part !== 'words') this.#endLink(field);
      if (isNote && !this.#group.isNote)
        this.#page.text = `${this.#page.text.trimEnd().replace(/\(\s+([^(]*)$/, '($1')})`;
      if (this.#groups.length < 2) this.#isFontTable = false;
    } else this.#control(word, param);
    this.#isGroupBegin = type === 0;
  }

  end(): readonly Block[] {
    this.#flush();
    const { header, box, footer } = this.#edges;
    const [headers = [], text = [], boxes = [], footers = []] = [header, [this.#main], box, footer].map((pages) =>
      pages.flatMap((page) => this.#endPage(page)),
    );
    return [...once(headers), ...text, ...once(boxes), ...once(footers)];
  }

  #endPage(page: Page): readonly Block[] {
    this.#page = page;
    this.#endParagraph();
    this.#endTable();
    return page.blocks;
  }

  #endLink({ code, from }: Field): void {
    this.#page.text += addressBehind(this.#page.text.slice(from), addressInField(code));
  }

  #take(data: Buffer): void {
    const { field, part } = this.#group;
    if (field !== null && part === 'code') field.code += data.toString('latin1');
    if (this.#isFontTable) this.#nameFont(data);
    for (const byte of data) {
      if (this.#toSkip > 0) this.#toSkip -= 1;
      else if (!this.#isSilent) this.#bytes.push(byte);
    }
  }

  #flush(): void {
    if (this.#bytes.length > 0) {
      const text = this.#shown(Uint8Array.from(this.#bytes));
      // The number of a note stands there twice.
      if (!(this.#group.isNote && this.#group.isRaised))
        this.#page.text += this.#group.isRaised ? superscript(text) : text;
    }
    this.#bytes = [];
  }

  #shown(bytes: Uint8Array): string {
    const font = this.#fontNames.get(this.#group.font);
    const text = isSymbolFont(font) ? Buffer.from(bytes).toString('latin1') : null;
    return text === null ? new TextDecoder(this.#group.charset).decode(bytes) : inFont(text, font);
  }

  /** The name comes in pieces, with a semicolon at its end. */
  #nameFont(piece: Buffer): void {
    const name = (this.#fontNames.get(this.#font) ?? '') + piece.toString('latin1').replaceAll(/[;\r\n]/g, '');
    if (name.length <= MAX_NAME_LENGTH) this.#fontNames.set(this.#font, name);
  }

  #control(word: string, param: number | undefined): void {
    this.#toSkip = 0;
    if (this.#isStarred && READ.test(word)) this.#group.isHidden = this.#groups.at(-1)?.isHidden ?? false;
    this.#isStarred = word === '*' && this.#isGroupBegin;
    if (word === 'fonttbl') this.#isFontTable = true;
    if (word === 'field') this.#group.field = { code: '', from: this.#page.text.length };
    else if (word === 'fldinst') this.#group.part = 'code';
    else if (word === 'fldrslt') {
      this.#group.part = 'words';
      if (this.#group.field !== null) this.#group.field.from = this.#page.text.length;
      if (OF_CONTENTS.test(this.#group.field?.code ?? '')) this.#group.isHidden = true;
    }
    const edge = this.#isGroupBegin ? EDGE.exec(word) : null;
    if (edge !== null) this.#beginEdge((edge[1] ?? 'box') as Edge);
    // Some programs write it in the middle of a group, too, where it says nothing.
    else if ((word === '*' && this.#isGroupBegin) || HIDDEN.has(word)) this.#group.isHidden = true;
    // What is hidden, struck through, or deleted but not yet gone: on, or off with 0. Plain text is neither.
    else if (/^(v|deleted|striked?)$/.test(word)) this.#group.isUnseen = param !== 0;
    else if (word === 'plain') [this.#group.isUnseen, this.#group.isRaised] = [false, false];
    else if (word === 'super') this.#group.isRaised = param !== 0;
    else if (word === 'nosupersub') this.#group.isRaised = false;
    else if (word === 'f') {
      this.#font = param ?? 0;
      this.#group.font = this.#font;
      if (!this.#isFontTable) this.#group.charset = this.#fonts.get(this.#font) ?? this.#group.charset;
    } else if (word === 'fcharset' && this.#isFontTable) {
      const charset = FONT_CHARSETS[param ?? 0];
      if (charset !== undefined && param !== 0) this.#fonts.set(this.#font, charset);
    } else if (word === 'ansicpg' && param !== undefined) this.#group.charset = ofCodePage(param);
    else if (word === 'mac') this.#group.charset = 'macintosh';
    else if (word === 'uc') this.#group.skipped = param ?? 1;
    else if (!this.#isSilent) this.#write(word, param);
  }

  #beginEdge(edge: Edge): void {
    this.#group.edge = edge;
    // A box stands within what older programs leave out.
    if (edge === 'box') this.#group.isHidden = false;
    this.#page = emptyPage();
    this.#edges[edge].push(this.#page);
  }

  get #isSilent(): boolean {
    return this.#group.isHidden || this.#group.isUnseen;
  }

  #write(word: string, param: number | undefined): void {
    if (word === 'u' && param !== undefined) {
      this.#flush();
      const character = String.fromCharCode(param < 0 ? param + 65_536 : param);
      this.#page.text += inFont(character, this.#fontNames.get(this.#group.font));
      this.#toSkip = this.#group.skipped;
    } else if (this.#group.isNote && word === 'par') this.#page.text += ' ';
    else if (word === 'par' || word === 'sect' || word === 'page') this.#endParagraph();
    else if (word === 'trowd' || word === 'intbl') this.#page.isInTable = true;
    else if (word === 'pard') [this.#page.isInTable, this.#level] = [false, null];
    else if (word === 'outlinelevel') this.#level = param ?? null;
    else if (word === 'cell' || word === 'nestcell') {
      this.#page.row.push(this.#page.text.trim());
      this.#page.text = '';
    } else if (word === 'row' || word === 'nestrow') {
      this.#page.rows.push(this.#page.row);
      this.#page.row = [];
    } else if (READ.test(word)) {
      this.#page.text = `${this.#page.text.replace(/[⁰¹²³⁴-⁹]+$/u, '')} (`;
      this.#group.isNote = true;
    } else if (word === '\n' || word === '\r') this.#endParagraph();
    else this.#page.text += CHARACTERS[word] ?? '';
  }

  #endParagraph(): void {
    // A cell may hold several.
    if (this.#page.isInTable || this.#page.row.length > 0) {
      this.#page.text += '\n';
      return;
    }
    this.#endTable();
    const { text } = this.#page;
    const isHeading = this.#level !== null && this.#level < MAX_LEVEL;
    if (text.trim() !== '')
      this.#page.blocks.push(
        isHeading ? { kind: 'heading', level: this.#level! + 1, text } : { kind: 'paragraph', text },
      );
    this.#page.text = '';
  }

  #endTable(): void {
    if (this.#page.row.length > 0) this.#page.rows.push(this.#page.row);
    if (this.#page.rows.length > 0) this.#page.blocks.push({ kind: 'table', rows: this.#page.rows, hasHeader: null });
    this.#page.rows = [];
    this.#page.row = [];
  }
}

/** Each section of a document has its edges, mostly the same. */
const once = (blocks: readonly Block[]): Iterable<Block> =>
  new Map(blocks.map((block) => [JSON.stringify(block), block])).values();

function ofCodePage(page: number): string {
  const known: Record<number, string> = {
    932: 'shift_jis',
    936: 'gb18030',
    949: 'euc-kr',
    950: 'big5',
    874: 'windows-874',
    10_000: 'macintosh',
    65_001: 'utf-8',
    866: 'ibm866',
  };
  return known[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252');
}

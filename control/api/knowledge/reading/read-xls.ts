import { type CellObject, read, set_cptable, SSF, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { checkExpansion, openZip, PROTECTED } from './archive.ts';
import { isCompound, openCompound } from './compound-file.ts';
import { withoutMarkup } from './html-values.ts';
import { addressBehind, addressInFormula } from './link-address.ts';
import { MAX_COLUMNS } from './limits.ts';
import { ISO_FORMATS, shown } from './number-formats.ts';
import { decodePage } from './office-charsets.ts';
import { readRows } from './read-rows.ts';
import { noteText } from './read-xlsx.ts';
import type { Row } from './row.ts';
import type { Section } from './section.ts';
import { checked, type NumberedRow, seen, type SheetView } from './sheet-rows.ts';
import { struckCells } from './struck-cells.ts';
import { UnreadableDocumentError } from './unreadable-document.ts';

/** Letters of Excel 95 and older are in the charset of their language. The library's own tables are ten times slower. */
set_cptable({
  utils: {
    decode: (page: number, bytes: Uint8Array | readonly number[]) =>
      decodePage(page, bytes instanceof Uint8Array ? bytes : Uint8Array.from(bytes)),
    encode: (_: number, text: string) => Buffer.from(text, 'latin1'),
  },
});

/** Files that only may not be changed are encrypted with this password, which every spreadsheet program tries. */
const FOR_EVERYBODY = 'VelvetSweatshop';

/** A spreadsheet of Excel 2 to 2003, or a binary one of a newer one: the same sections as those of an XLSX. */
export async function* readXls(bytes: Buffer): AsyncGenerator<Section> {
  const stream = isCompound(bytes) ? workbookIn(bytes) : bytes;
  const isZip = stream.toString('latin1', 0, 2) === 'PK';
  if (isZip) await checkExpansion(await openZip(bytes), /\.bin$/i);
  const workbook = opened(stream);
  const struck = isZip ? [] : struckCells(stream);
  const all = sheetsOf(workbook);
  const visible = all.filter(({ isHidden }) => !isHidden);
  const from1904 = workbook.Workbook?.WBProps?.date1904 === true;
  for (const { name, sheet, index } of visible.length > 0 ? visible : all) {
    const rows = rowsOf(sheet, { from1904, struck: struck[index] ?? new Set() });
    yield* readRows(rows, visible.length > 1 ? name : '');
    const boxes = boxesOf(sheet);
    if (boxes !== '') yield { text: boxes, metadata: {}, whole: false };
  }
}

function workbookIn(bytes: Buffer): Buffer {
  const file = openCompound(bytes);
  const path = file.paths.find((one) => /^(?:workbook|book)$/i.test(one));
  const stream = path === undefined ? null : file.stream(path);
  if (stream === null || stream.length === 0) throw damaged();
  return stream;
}

const damaged = (cause?: unknown) =>
  new UnreadableDocumentError('The spreadsheet is damaged: its cells cannot be read.', { cause });

function opened(stream: Buffer): WorkBook {
  // The library keeps formats from one file to the next, and this process may read several.
  for (const [id, code] of ISO_FORMATS) SSF.load(code, id);
  const options = { type: 'buffer', dense: true, cellStyles: true, cellText: false, cellHTML: false } as const;
  try {
    return read(stream, { ...options, password: FOR_EVERYBODY });
  } catch (error) {
    if (error instanceof RangeError && /heap|allocation|string length/i.test(error.message)) throw error;
    throw /password|encrypt/i.test(String(error)) ? new UnreadableDocumentError(PROTECTED) : damaged(error);
  }
}

interface NamedSheet {
  readonly name: string;
  readonly sheet: WorkSheet;
  readonly isHidden: boolean;
  readonly index: number;
}

function sheetsOf({ SheetNames, Sheets, Workbook }: WorkBook): NamedSheet[] {
  const hidden = new Set((Workbook?.Sheets ?? []).filter(({ Hidden }) => (Hidden ?? 0) !== 0).map(({ name }) => name));
  return SheetNames.flatMap((name, index) => {
    const sheet = Sheets[name];
    // Diagrams and programs are sheets of their own.
    return sheet === undefined || (sheet['!type'] ?? 'sheet') !== 'sheet'
      ? []
      : [{ name, sheet, isHidden: hidden.has(name), index }];
  });
}

interface Showing {
  readonly from1904: boolean;
  readonly struck: ReadonlySet<string>;
}

function rowsOf(sheet: WorkSheet, showing: Showing): Row[] {
  const filtered = /^[A-Z]+(\d+):[A-Z]+(\d+)$/.exec(sheet['!autofilter']?.ref ?? '');
  const isFiltered = (number: number): boolean =>
    filtered !== null && number >= Number(filtered[1]) && number <= Number(filtered[2]);
  const view: SheetView = {
    hiddenColumns: new Set((sheet['!cols'] ?? []).flatMap((column, index) => (column?.hidden ? [index] : []))),
    merged: (sheet['!merges'] ?? []).map(({ s, e }) => ({ from: [s.c, s.r + 1], to: [e.c, e.r + 1] })),
    isFiltered: false,
  };
  const rows: NumberedRow[] = [];
  for (const [index, cells] of (sheet['!data'] ?? []).entries()) {
    if (cells === undefined || cells.length === 0) continue;
    if (cells.length > MAX_COLUMNS) throw damaged();
    const isHidden = sheet['!rows']?.[index]?.hidden === true && !isFiltered(index + 1);
    const values = Array.from(cells, (cell, column) =>
      cell === undefined || showing.struck.has(`${index} ${column}`) ? '' : written(cell, showing),
    );
    rows.push(checked({ number: index + 1, isHidden, cells: values }));
  }
  return seen(rows, view);
}

function written(cell: CellObject, { from1904 }: Showing): string {
  const value = valueOf(cell, from1904);
  const linked = value === '' ? '' : addressBehind(value, cell.l?.Target ?? addressInFormula(cell.f ?? ''));
  const notes = (cell.c ?? []).map(({ t = '' }) => noteText(t)).filter(Boolean);
  return value + linked + notes.map((note) => ` (${note})`).join('');
}

function valueOf({ t: type, v: value, z: code }: CellObject, from1904: boolean): string {
  if (type === 'n' && typeof value === 'number') return shown(value, codeOf(String(code ?? '')), from1904);
  if (type === 'b') return value === true ? 'TRUE' : 'FALSE';
  // An error, such as "#N/A", says nothing.
  return type === 's' && typeof value === 'string' ? withoutMarkup(value) : '';
}

/** What the library calls the formats of dates in the order of the reader's country. */
const OF_COUNTRY = new Map([
  ['m/d/yy', ISO_FORMATS.get(14)],
  ['m/d/yy h:mm', ISO_FORMATS.get(22)],
]);
const codeOf = (code: string): string => OF_COUNTRY.get(code) ?? code;

/** What a sheet draws, as the library has it: it has no type for it. */
interface Drawn {
  readonly cmo?: readonly number[];
  readonly TxO?: { readonly t?: string };
}

const NOTE = 0x19;

/** What stands in boxes above the cells. Notes are drawn as well, and stand at their cells. */
function boxesOf(sheet: WorkSheet): string {
  const drawn = Object.values((sheet['!objects'] ?? []) as Record<string, Drawn | undefined>);
  const texts = drawn.map((object) => (object?.cmo?.[1] === NOTE ? '' : (object?.TxO?.t ?? '').trim()));
  return texts.filter(Boolean).join('\n');
}

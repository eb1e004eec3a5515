import { dateToSerial, format, isDateFormat } from 'numfmt';
import type { Archive } from './archive.ts';
import { find, first, type XmlElement } from './xml.ts';

/** What the styles of a spreadsheet say, by the number of a cell's style. */
export interface CellFormats {
  /** What it shows of a number. */
  shown(value: number, style: number): string;
  /** Whether its cells are struck through: they do not hold any more. */
  isStruck(style: number): boolean;
}

const ISO_DATE = 'yyyy-mm-dd';
/**
 * Formats without a code of their own in the file (ECMA-376, 18.8.30). Dates in the order of the reader's country are
 * written in the one that everybody reads alike.
 */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: ISO_DATE,
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: `${ISO_DATE} h:mm`,
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};
/** Dates of East Asian calendars. */
const isEastAsianDate = (id: number): boolean => (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
/** Built-in formats of dates that depend on the reader's country, by number, as they are written here. */
export const ISO_FORMATS: ReadonlyMap<number, string> = new Map(
  Array.from({ length: 59 }, (_, id): [number, string] => [id, isEastAsianDate(id) ? ISO_DATE : '']).flatMap(
    ([id, east]): [number, string][] => {
      const code = id === 14 || id === 22 ? BUILT_IN[id]! : east;
      return code === '' ? [] : [[id, code]];
    },
  ),
);
/** Days from the beginning of 1900 to that of 1904, which older spreadsheets of the Mac count from. */
const DAYS_TO_1904 = dateToSerial([1904, 1, 1]) ?? 0;

/** The formats of a workbook. */
export async function cellFormats(archive: Archive, styles: string, from1904: boolean): Promise<CellFormats> {
  const nodes = await archive.xml(styles);
  const own = new Map<number, string>();
  for (const { attribs } of find(nodes, 'numFmt')) own.set(Number(attribs['numFmtId']), attribs['formatCode'] ?? '');
  const used = [...find(first(nodes, 'cellXfs')?.children ?? [], 'xf')];
  const fonts = [...find(first(nodes, 'fonts')?.children ?? [], 'font')].map(isStruck);
  const struck = used.map(({ attribs }) => fonts[Number(attribs['fontId'] ?? 0)] === true);
  const codes = used.map(({ attribs }) => {
    const id = Number(attribs['numFmtId'] ?? 0);
    return own.get(id) ?? BUILT_IN[id] ?? (isEastAsianDate(id) ? ISO_DATE : '');
  });
  return {
    shown: (value, style) => shown(value, codes[style] ?? '', from1904),
    isStruck: (style) => struck[style] === true,
  };
}

function isStruck(font: XmlElement): boolean {
  const strike = first(font.children, 'strike');
  return strike !== undefined && !/^(0|false)$/.test(strike.attribs['val'] ?? '');
}

/** @param code of the format, as English spreadsheets write it. @param from1904 whether days are counted from then. */
export function shown(value: number, code: string, from1904: boolean): string {
  // Spreadsheets calculate with more digits than they mean, but for whole numbers: those of accounts and cards.
  const general = String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(12)));
  // It keeps a value from being seen.
  if (/^;+$/.test(code)) return '';
  if (code === '' || /^general$/i.test(code) || code === '@') return general;
  try {
    const days = from1904 && isDateFormat(code) ? DAYS_TO_1904 : 0;
    const text = format(code, value + days, { throws: true, grouping: [3, 3] })
      .replaceAll(/\s+/g, ' ')
      .trim();
    return text === '' ? general : text;
  } catch {
    return general;
  }
}

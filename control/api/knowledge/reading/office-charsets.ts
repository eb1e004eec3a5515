import { decodeText } from './decode-text.ts';
import { decodeDos } from './legacy-encodings.ts';

/** Numbers that Windows and Office give to charsets, and what the web calls them. Those of 125x are `windows-125x`. */
const NAMES: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10_000: 'macintosh',
  10_007: 'x-mac-cyrillic',
  20_866: 'koi8-r',
  20_932: 'euc-jp',
  21_866: 'koi8-u',
  50_220: 'iso-2022-jp',
  51_932: 'euc-jp',
  54_936: 'gb18030',
  65_001: 'utf-8',
};
const DOS: ReadonlySet<number> = new Set([437, 850, 858]);

/** @returns the name of a charset by the number of its code page; Western Europe's for any that nobody has. */
export function charsetNamed(page: number): string {
  if (page >= 1250 && page <= 1258) return `windows-${page}`;
  if (page >= 28_591 && page <= 28_605) return `iso-8859-${page - 28_590}`;
  return NAMES[page] ?? 'windows-1252';
}

const decoders = new Map<number, TextDecoder>();

/** Letters in the charset of a code page. */
export function decodePage(page: number, bytes: Uint8Array): string {
  // The library of spreadsheets asks for one letter after the other.
  if (bytes.length === 1 && bytes[0]! < 0x80) return String.fromCharCode(bytes[0]!);
  if (page === 1200) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf16le');
  if (DOS.has(page)) return decodeDos(bytes);
  const decoder = decoders.get(page) ?? new TextDecoder(charsetNamed(page));
  decoders.set(page, decoder);
  return decoder.decode(bytes);
}

/** The same of texts that often are in another one than their document says. */
export const decodeLikely = (page: number, bytes: Buffer): string => decodeText(bytes, charsetNamed(page)).text;

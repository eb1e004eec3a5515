import chardet from 'chardet';
import jschardet from 'jschardet';
import { decodeDos, DOS_CHARSET, DOS_NAMES, detectLegacyCharset } from './legacy-encodings.ts';
import { sevenBitText } from './seven-bit.ts';

export interface DecodedText {
  readonly text: string;
  /** A sentence for whoever uploaded it, when the characters may be wrong. */
  readonly doubt: string | null;
}

/** Bytes that tell the charset: enough for the detectors, which take a second for each MB. */
const SAMPLE = 32_768;
/** One part in this many of a UTF-8 text may be damaged: another charset looks like UTF-8 nowhere near as often. */
const DAMAGED_PART = 4;
/** Below this the two detectors have hardly a clue. */
const MIN_CERTAINTY = 0.15;

/** What the detectors call it, and who decodes it: `TextDecoder` knows the charsets of the web. */
const DECODERS: Readonly<Record<string, string>> = {
  cp874: 'windows-874',
  'tis-620': 'windows-874',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  gb2312: 'gb18030',
  macroman: 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
  // Of it, Windows has all letters at the same places.
  'iso-8859-8': 'windows-1255',
};
/** Charsets of files that people still have. Others that a detector names are lookalikes. */
const PLAUSIBLE =
  /^(windows-\d+|iso-8859-(1|2|5|6|7|9|13|15|16)|koi8-[ru]|ibm866|shift_jis|euc-(jp|kr)|gb18030|gbk|big5|iso-2022-jp|macintosh|x-mac-cyrillic)$/;

/**
 * The text of a file in any charset: what it says itself, UTF-8 if it is that, and else what two detectors find
 * likeliest. Never fails. @param declared a charset that the content names.
 */
export function decodeText(bytes: Buffer, declared?: string): DecodedText {
  const utf32 = utf32Text(bytes);
  if (utf32 !== null) return { text: utf32, doubt: null };
  const marked = byMark(bytes);
  // An odd byte at its end is half of a character.
  if (marked !== null) return { text: decode(bytes.subarray(0, bytes.length & ~1), marked), doubt: null };
  const wide = wideCharset(bytes);
  if (wide !== null) return { text: decode(bytes, wide), doubt: null };
  // Of ASCII, with marks that no other text has.
  if (bytes.includes('\x1b$B') || bytes.includes('\x1b$@')) return { text: decode(bytes, 'iso-2022-jp'), doubt: null };
  const narrow = sevenBitText(bytes, declared);
  if (narrow !== null) return { text: narrow, doubt: null };
  const text = utf8(withWholeCharacters(bytes));
  if (text !== null) return { ...text, text: unmangled(text.text) };
  // It may say that it is UTF-8, and is not.
  if (declared !== undefined && isOther(declared)) return { text: decode(bytes, declared), doubt: null };
  if (DOS_NAMES.test(declared ?? '')) return { text: decodeDos(bytes), doubt: null };
  const sample = sampleOf(bytes);
  const { charset: likely, certainty } = detected(sample);
  const charset = detectLegacyCharset(sample, likely);
  const doubt =
    certainty < MIN_CERTAINTY && charset === likely
      ? `It does not say which charset it is written in; it was read as ${charset}. If letters are wrong, save it as UTF-8.`
      : null;
  return { text: charset === 'windows-1252' ? byLine(bytes) : decode(bytes, charset), doubt };
}

/** Files that were put together have lines of UTF-8 among the others. */
function byLine(bytes: Buffer): string {
  const whole = decode(bytes, 'windows-1252');
  if (!MANGLED.test(whole)) return whole;
  return whole
    .split('\n')
    .map((line) => unmangled(line))
    .join('\n');
}

/** UTF-8 that a program took for Windows-1252 and wrote as UTF-8 once more. */
const MANGLED =
  /[\u00C2-\u00F4][\u0080-\u00BF\u0152\u0153\u0160\u0161\u0178\u017D\u017E\u0192\u02C6\u02DC\u2013-\u203A\u20AC\u2122]/;
const WINDOWS_1252 = new Map(
  Array.from({ length: 256 }, (_, byte) => [decode(Buffer.from([byte]), 'windows-1252'), byte] as const),
);
// Or for ISO-8859-1, in which those are control characters.
for (let byte = 0x80; byte < 0xa0; byte += 1) WINDOWS_1252.set(String.fromCharCode(byte), byte);

/** "FrÃ¼hstÃ¼ck" is "Frühstück". A text in which anything else stands is left as it is. */
export function unmangled(text: string): string {
  const bytes = MANGLED.test(text) ? bytesOf(text.normalize('NFC')) : null;
  try {
    return bytes === null ? text : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}

/** Of a text that was read as Windows-1252; null of any other. */
export function bytesOf(text: string): Buffer | null {
  const bytes = Array.from(text, (character) => WINDOWS_1252.get(character));
  return bytes.includes(undefined) ? null : Buffer.from(bytes as number[]);
}

/** Of `TextDecoder`s, none reads it. It has four bytes for each character, and sometimes a mark. */
function utf32Text(bytes: Buffer): string | null {
  if (bytes.length < 8 || bytes.length % 4 !== 0) return null;
  const ways = [(at: number) => bytes.readUInt32LE(at), (at: number) => bytes.readUInt32BE(at)];
  const codeAt = ways.find((way) => isUtf32(way, bytes.length));
  if (codeAt === undefined) return null;
  let text = '';
  for (let at = codeAt(0) === 0xfeff ? 4 : 0; at < bytes.length; at += 4) {
    const code = codeAt(at);
    text += code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code);
  }
  return text;
}

/** Its mark says so, or its characters: no other text has only zeros in every fourth byte. */
function isUtf32(codeAt: (at: number) => number, length: number): boolean {
  if (codeAt(0) === 0xfeff) return true;
  for (let at = 0; at + 4 <= Math.min(length, SAMPLE); at += 4)
    if (codeAt(at) === 0 || codeAt(at) > 0x10ffff) return false;
  return true;
}

/** With a mark or without. */
export const isUtf16 = (bytes: Buffer): boolean => byMark(bytes) !== null || wideCharset(bytes) !== null;

function byMark(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** UTF-16 without a mark: its ASCII characters, of which every text has some, have a zero on one side. */
function wideCharset(bytes: Buffer): string | null {
  if (bytes.length < 2 || bytes.length % 2 !== 0) return null;
  const zeros: [number, number] = [0, 0];
  const end = Math.min(bytes.length, SAMPLE);
  for (let at = 0; at < end; at += 1) if (bytes[at] === 0) zeros[at % 2]! += 1;
  const [even, odd] = zeros;
  const [more, fewer] = even > odd ? [even, odd] : [odd, even];
  // Half of the bytes in European scripts. With others, only blanks and line ends, and the rest is no UTF-8.
  const isWide = more > end / 5 ? fewer < more / 10 : more > 0 && fewer === 0 && !isUtf8(bytes.subarray(0, end - 4));
  if (!isWide) return null;
  return even > odd ? 'utf-16be' : 'utf-16le';
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Characters of two halves, each written on its own (CESU-8, as databases and Java do). */
const HALVES = /\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])/g;

function withWholeCharacters(bytes: Buffer): Buffer {
  if (!bytes.includes(0xed)) return bytes;
  const text = bytes.toString('latin1');
  if (text.search(HALVES) === -1) return bytes;
  const whole = text.replaceAll(HALVES, (halves) => {
    const [, second, third, , fifth, sixth] = Buffer.from(halves, 'latin1') as unknown as number[];
    const half = (a: number, b: number): number => 0xd000 | ((a & 0x3f) << 6) | (b & 0x3f);
    return Buffer.from(String.fromCharCode(half(second!, third!), half(fifth!, sixth!))).toString('latin1');
  });
  return Buffer.from(whole, 'latin1');
}

function utf8(bytes: Buffer): DecodedText | null {
  const text = decode(bytes, 'utf-8');
  const damaged = text.split('\uFFFD').length - 1;
  if (damaged === 0) return { text, doubt: null };
  let [foreign, checked] = [0, 0];
  for (let at = 0; at < text.length && checked < SAMPLE; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f && code !== 0xfffd) foreign += 1;
    if (code > 0x7f) checked += 1;
  }
  if (foreign <= damaged * DAMAGED_PART && foreign * DAMAGED_PART <= damaged * DAMAGED_PART ** 2) return null;
  return { text: text.replace(/\uFFFD+$/, ''), doubt: `${damaged} of its characters are damaged.` };
}

/** The beginning, of bytes that tell something. */
function sampleOf(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  // Two bytes are one character in many charsets, so it begins at a line.
  const from = first <= SAMPLE / 2 ? 0 : bytes.lastIndexOf(0x0a, first) + 1;
  return bytes.subarray(from, from + SAMPLE);
}

function detected(sample: Buffer): { charset: string; certainty: number } {
  const scores = new Map<string, number>();
  const add = (name: string | null, score: number): void => {
    const charset = decoderOf(name ?? '');
    if (charset !== null) scores.set(charset, (scores.get(charset) ?? 0) + score);
  };
  // The second opinion counts half: of European charsets it knows only the largest languages.
  const first = new Map<string, number>();
  for (const { encoding, confidence } of jschardet.detectAll(sample)) {
    const charset = decoderOf(encoding ?? '');
    if (charset !== null) first.set(charset, Math.max(first.get(charset) ?? 0, confidence));
  }
  for (const [charset, confidence] of first) add(charset, confidence);
  for (const { name, confidence } of chardet.analyse(sample)) add(name, confidence / 200);
  const ranked = [...scores].map(([charset, score]) => ({ charset, certainty: score * soundness(sample, charset) }));
  return ranked.toSorted((a, b) => b.certainty - a.certainty)[0] ?? { charset: 'windows-1252', certainty: 0 };
}

function decoderOf(name: string): string | null {
  const lower = name.toLowerCase();
  const charset = DECODERS[lower] ?? lower.replace(/^iso8859-/, 'iso-8859-');
  if (!PLAUSIBLE.test(charset)) return null;
  return new TextDecoder(charset).encoding;
}

const isOther = (charset: string): boolean => (decoderNamed(charset)?.encoding ?? 'utf-8') !== 'utf-8';

/** @returns null of a charset that nobody on the web has. */
export function decoderNamed(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset);
  } catch {
    return null;
  }
}

const ODD = [
  /(?<=\p{L})[^\p{L}\p{M}\p{N}\0-\x7f’‘'–—·‑\p{Cf}。、，・ー…€«»“”]\p{L}/gu,
  /(?<=\p{Ll})\p{Lu}(?=\p{Ll})/gu,
  // Two bytes of a European word, taken for one character.
  /(?<=[a-z])[\p{sc=Han}\p{sc=Hangul}\p{sc=Katakana}]|[\p{sc=Han}\p{sc=Hangul}\p{sc=Katakana}](?=[a-z])/gu,
  /[\u0080-\u009f\uFFFD]/gu,
];

/** 0…1: words have neither signs nor single capital letters in their middle, and no characters that do not exist. */
function soundness(sample: Buffer, charset: string): number {
  const text = decode(sample, charset);
  const foreign = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const odd = ODD.reduce((sum, pattern) => sum + (text.match(pattern)?.length ?? 0), 0);
  return foreign === 0 ? 1 : Math.max(0.01, 1 - odd / foreign);
}

function decode(bytes: Buffer, charset: string): string {
  return charset === DOS_CHARSET ? decodeDos(bytes) : new TextDecoder(charset).decode(bytes);
}

/** Charsets that write other letters in ASCII, for mail servers that passed only that. `TextDecoder` knows none of them. */

/** @param declared the charset that the text says. @returns null where it is none of them. */
export function sevenBitText(bytes: Buffer, declared: string | undefined): string | null {
  if (bytes.includes(KOREAN)) return koreanText(bytes);
  if (/^(unicode-1-1-)?utf-?7$/i.test(declared ?? '')) return utf7Text(bytes.toString('latin1'));
  return /^hz/i.test(declared ?? '') || (bytes.includes('~{') && isHz(bytes)) ? hzText(bytes) : null;
}

/** ISO-2022-KR says at its beginning that Korean will follow, and then where. */
const KOREAN = '\x1b$)C';
const SHIFTED = new RegExp(
  `${String.fromCharCode(14)}([^${String.fromCharCode(15)}]*)${String.fromCharCode(15)}?`,
  'g',
);

const koreanText = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replace(KOREAN, '')
    .replaceAll(SHIFTED, (_, inner: string) => eightBit(inner, 'euc-kr'));

/** Chinese between `~{` and `~}`; a `~` at the end of a line joins it with the next, and two of them are one. */
const HZ = /~\{((?:[\x21-\x7e]{2}){0,2000}?)~\}|~(~)|~\n/g;

const hzText = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(HZ, (_, inner: string | undefined, tilde: string | undefined) =>
      inner === undefined ? (tilde ?? '') : eightBit(inner, 'gb18030'),
    );

/** More than a few signs of a program: common characters, and nothing else between the marks. */
function isHz(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, LOOKED_AT);
  const parts = [...text.matchAll(/~\{([^~]{0,2000})~\}/g)].map(([, inner = '']) => inner);
  const isChinese = (part: string): boolean =>
    part.length >= 4 && part.length % 2 === 0 && /^[\p{sc=Han}\p{P}]+$/u.test(eightBit(part, 'gb18030'));
  return parts.length > 0 && parts.every((part) => /^(?:[\x21-\x57][\x21-\x7e])+$/.test(part) && isChinese(part));
}

const LOOKED_AT = 32_768;

/** Seven bits of each byte were passed; the eighth is set in the charset of eight. */
const eightBit = (text: string, charset: string): string =>
  new TextDecoder(charset).decode(
    Uint8Array.from(text, (letter) => {
      const code = letter.charCodeAt(0);
      return code > 0x20 ? code | 0x80 : code;
    }),
  );

/** `+AOQ-` is ä: UTF-16 as letters, between a plus and a minus. */
const utf7Text = (text: string): string =>
  text.replaceAll(/\+([A-Za-z0-9+/]*)-?/g, (_, letters: string) => {
    if (letters === '') return '+';
    const bytes = Buffer.from(letters, 'base64');
    return bytes
      .subarray(0, bytes.length & ~1)
      .swap16()
      .toString('utf16le');
  });

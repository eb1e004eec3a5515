const SIGNS: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '.',
  ß: 's',
  æ: 'e',
  Æ: 'E',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  ð: 'd',
  þ: 't',
};

/**
 * For a voice that knows only ASCII. Accents are dropped, typographic signs become plain ones, and all other characters
 * become spaces. The length does not change, so positions in the result are positions in the text.
 */
export function plainAscii(text: string): string {
  let plain = '';
  for (const unit of text.split('')) {
    const code = unit.charCodeAt(0);
    if (code >= 0x20 && code < 0x7f) plain += unit;
    else {
      const base = SIGNS[unit] ?? unit.normalize('NFD')[0]!;
      plain += base.charCodeAt(0) >= 0x20 && base.charCodeAt(0) < 0x7f ? base : ' ';
    }
  }
  return plain;
}

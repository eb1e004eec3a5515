/** Fonts that show signs in place of letters: of a text in them, the signs. */

/** What the font Symbol shows for the codes from 0x20 and from 0xA0 on. */
const SYMBOL_LOW = ' !∀#∃%&∍()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const SYMBOL_HIGH = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

/** Of Wingdings and its kin, by code: what people mark items and answers with. The other codes are ornaments. */
const WINGDINGS: Readonly<Record<number, string>> = {
  0x28: '☎',
  0x29: '✆',
  0x2a: '✉',
  0x4a: '☺',
  0x4c: '☹',
  0x6c: '●',
  0x6e: '■',
  0x6f: '□',
  0x71: '❑',
  0x75: '◆',
  0x76: '❖',
  0xa7: '▪',
  0xa8: '☐',
  0xd8: '➢',
  0xdf: '←',
  0xe0: '→',
  0xe1: '↑',
  0xe2: '↓',
  0xe8: '➔',
  0xf0: '⇨',
  0xfb: '✗',
  0xfc: '✓',
  0xfd: '☒',
  0xfe: '☑',
};
const CIRCLED = '⓪①②③④⑤⑥⑦⑧⑨⑩';
const WINGDINGS_2: Readonly<Record<number, string>> = {
  0x4f: '✗',
  0x50: '✓',
  0x51: '☒',
  0x52: '☑',
  0x53: '☒',
  0x54: '☒',
  0xa3: '☐',
};

/** @returns the sign of a code; '' of an ornament. Undefined where the font shows letters. */
function signOf(font: string, code: number): string | undefined {
  if (/^symbol$/i.test(font)) return code < 0xa0 ? SYMBOL_LOW.charAt(code - 0x20) : SYMBOL_HIGH.charAt(code - 0xa0);
  if (/^wingdings 2$/i.test(font)) return WINGDINGS_2[code] ?? '';
  if (/^wingdings$/i.test(font)) return WINGDINGS[code] ?? CIRCLED.charAt(code - 0x80);
  return /^(wingdings|webdings)/i.test(font) ? '' : undefined;
}

export const isSymbolFont = (font: string | undefined): boolean => /^(symbol|wingdings|webdings)/i.test(font ?? '');

/** A text in a font; that of fonts with letters stays. Their codes stand in a text as they are, or from U+F000 on. */
export function inFont(text: string, font: string | undefined): string {
  if (font === undefined || !isSymbolFont(font)) return text;
  return Array.from(text, (character) => {
    const code = character.codePointAt(0)!;
    if (/\s/.test(character) || (code > 0xff && (code < 0xf000 || code > 0xf0ff))) return character;
    return signOf(font, code & 0xff) ?? character;
  }).join('');
}

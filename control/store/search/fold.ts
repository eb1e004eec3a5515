/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ة: 'ه',
  ـ: '',
};

/**
 * A word as it is compared: lower case, without accents and vowel points. The vowel signs of Indian scripts and the
 * voicing marks of Japanese stay: without them it would be another word.
 */
export function fold(word: string): string {
  return word
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g, '')
    .replaceAll(/[ßøłđæœıςىةـ]/g, (letter) => LETTERS[letter]!)
    .normalize('NFC');
}

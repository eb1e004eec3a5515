import type { Arpabet } from './arpabet.ts';

/**
 * Maps IPA, which espeak-ng and some cloud voices report, to our phonemes, by the shape of the mouth. A rounded front
 * vowel becomes a rounded one; a click or a throat sound becomes the nearest open shape.
 */
const LETTERS: Readonly<Record<string, Arpabet>> = {
  // vowels
  a: 'aa',
  ɑ: 'aa',
  ɐ: 'ah',
  ä: 'aa',
  ɒ: 'ao',
  ɔ: 'ao',
  o: 'ow',
  æ: 'ae',
  ɛ: 'eh',
  ε: 'eh',
  e: 'ey',
  ɘ: 'eh',
  ə: 'ax',
  ɜ: 'er',
  ɚ: 'er',
  ɝ: 'er',
  ʌ: 'ah',
  ɤ: 'ah',
  ɪ: 'ih',
  ɨ: 'ih',
  i: 'iy',
  ʏ: 'uh',
  y: 'uw',
  ø: 'uh',
  œ: 'uh',
  ɵ: 'uh',
  ɞ: 'er',
  ʊ: 'uh',
  u: 'uw',
  ʉ: 'uw',
  ɯ: 'uh',
  ɶ: 'aa',
  // lips
  p: 'p',
  b: 'b',
  ɓ: 'b',
  m: 'm',
  ɱ: 'v',
  f: 'f',
  v: 'v',
  ɸ: 'f',
  β: 'v',
  ʋ: 'v',
  w: 'w',
  ʍ: 'w',
  ɥ: 'w',
  ʙ: 'b',
  // tongue at the teeth and behind them
  θ: 'th',
  ð: 'dh',
  t: 't',
  d: 'd',
  ʈ: 't',
  ɖ: 'd',
  ɗ: 'd',
  ɾ: 'd',
  n: 'n',
  ɳ: 'n',
  ɲ: 'n',
  s: 's',
  z: 'z',
  ʂ: 'sh',
  ʐ: 'zh',
  ʃ: 'sh',
  ʒ: 'zh',
  ɕ: 'sh',
  ʑ: 'zh',
  ɧ: 'sh',
  l: 'l',
  ɫ: 'l',
  ɭ: 'l',
  ʎ: 'l',
  ɬ: 'l',
  ɮ: 'l',
  ɹ: 'r',
  ɻ: 'r',
  r: 'r',
  ɽ: 'r',
  ʁ: 'r',
  ʀ: 'r',
  ʦ: 's',
  ʣ: 'z',
  ʧ: 'ch',
  ʤ: 'jh',
  // tongue further back, throat
  j: 'y',
  ʝ: 'y',
  ç: 'hh',
  c: 'k',
  ɟ: 'g',
  k: 'k',
  ɡ: 'g',
  g: 'g',
  ɠ: 'g',
  q: 'k',
  ɢ: 'g',
  ŋ: 'ng',
  ɴ: 'ng',
  x: 'hh',
  ɣ: 'g',
  χ: 'hh',
  h: 'hh',
  ɦ: 'hh',
  ħ: 'hh',
  ʕ: 'aa',
  ʔ: 'pau',
};

/** Two letters that make one sound. */
const PAIRS: Readonly<Record<string, Arpabet>> = {
  tʃ: 'ch',
  dʒ: 'jh',
  tɕ: 'ch',
  dʑ: 'jh',
  ts: 's',
  dz: 'z',
  aɪ: 'ay',
  aʊ: 'aw',
  ɔɪ: 'oy',
  oɪ: 'oy',
  eɪ: 'ey',
  oʊ: 'ow',
  əʊ: 'ow',
  ɔø: 'oy',
};

/** Length, tone, stress, aspiration and other marks, which do not change the mouth. */
const MARKS = /[\p{M}\p{Lm}\p{N}\p{S}\p{P}\s]/gu;

/**
 * @param ipa one sound as espeak-ng names it, e.g. 'oʊ', 'tʃʰ', 'ɛɹ'.
 * @returns the phonemes that it is made of, in order; empty for pure marks and language switches such as '(en)'.
 *   A letter outside the table counts as the weak vowel, so that the mouth moves.
 */
export function ipaToArpabet(ipa: string): Arpabet[] {
  if (ipa.startsWith('(')) return [];
  // Composed first: the table has letters such as 'ä' and 'ç'. Other marks, such as a tilde, are dropped.
  const letters = [...ipa.normalize('NFC')]
    .map((letter) => (LETTERS[letter] ? letter : letter.normalize('NFD').replace(MARKS, '')))
    .join('');
  const phonemes: Arpabet[] = [];
  const rest = [...letters];
  while (rest.length > 0) {
    const pair = PAIRS[rest.slice(0, 2).join('')];
    rest.splice(0, pair ? 2 : 1).forEach((letter, index) => {
      if (index === 0) phonemes.push(pair ?? LETTERS[letter] ?? 'ax');
    });
  }
  return phonemes;
}

import hongKong from 'opencc-js/dict/HKVariantsRev';
import taiwan from 'opencc-js/dict/TWVariantsRev';
import simplified from 'opencc-js/dict/TSCharacters';

/** Of OpenCC's lists: `from to|from to|…`. */
const listed = (pairs: string): Map<string, string> =>
  new Map(pairs.split('|').map((pair) => pair.split(' ') as [string, string]));
const VARIANTS = new Map([...listed(hongKong), ...listed(taiwan)]);
const SIMPLIFIED = listed(simplified);

/**
 * Chinese characters as they are compared: in their simplified form. Several traditional ones may have the same, so that
 * question and text find each other in whichever form they are written.
 */
export function foldHan(text: string): string {
  return text.replaceAll(/\p{sc=Han}/gu, (character) => {
    const usual = VARIANTS.get(character) ?? character;
    return SIMPLIFIED.get(usual) ?? usual;
  });
}

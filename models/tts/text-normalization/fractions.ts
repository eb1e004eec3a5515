import type { SpokenLocale } from './locale.ts';
import { MATH_SYMBOL_NAMES } from './math-symbol-names.ts';
import { sayInteger } from './numbers.ts';
import type { Rule } from './rule.ts';

/** Larger parts are said as two numbers: "120/80" is "one hundred twenty over eighty". */
const MOST_PARTS = 10;
/** Thirds of languages whose word for them is not the ordinal. */
const THIRDS: Readonly<Record<string, string>> = { es: 'tercio', fr: 'tiers', pt: 'terço' };
/** Two numbers one after the other: "24/7", "9/11", "50/50". */
const PAIRS: ReadonlySet<string> = new Set(['24/7', '9/11', '50/50', '7/24']);

/** Fractions and other pairs with a slash: "1/2", "2 1/4", "4/5", "24/7". */
export function fractionRules(locale: SpokenLocale): Rule[] {
  return [
    {
      pattern: /(?<![\p{L}\d.,:/$€£-])(?:(\d{1,3}) )?(\d{1,3})[/⁄](\d{1,3})(?![\p{L}\d:/%]|[.,]\d)/gu,
      say: ([text, whole, over, under]) => {
        if (PAIRS.has(text)) return `${sayInteger(over!, locale)} ${sayInteger(under!, locale)}`;
        const part = fraction(Number(over), Number(under), locale);
        if (part !== null)
          return whole === undefined ? part : `${sayInteger(whole, locale)} ${locale.words.and} ${part}`;
        const pair = `${sayInteger(over!, locale)} ${MATH_SYMBOL_NAMES[locale.language]!.over} ${sayInteger(under!, locale)}`;
        return whole === undefined ? pair : `${sayInteger(whole, locale)} ${pair}`;
      },
    },
  ];
}

/** @returns "three quarters"; null for what is no common fraction. */
function fraction(over: number, under: number, locale: SpokenLocale): string | null {
  const { words, language } = locale;
  if (over === 0 || over >= under || under > MOST_PARTS) return null;
  if (over === 1 && under === 2) return words.half;
  if (under === 4 && over !== 2) return over === 1 ? words.quarter : words.threeQuarters;
  if (under === 2 || under === 4) return null;
  const part = locale.ordinal(under, 'masculine');
  const count = over === 1 ? locale.one.masculine : sayInteger(String(over), locale);
  if (language === 'de') return `${count} ${part[0]!.toUpperCase()}${part.slice(1)}l`;
  const named = under === 3 ? (THIRDS[language] ?? part) : part;
  if (over === 1 || named.endsWith('s')) return `${count} ${named}`;
  return `${count} ${language === 'it' ? named.replace(/o$/, 'i') : `${named}s`}`;
}

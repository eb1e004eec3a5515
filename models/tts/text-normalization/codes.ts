import type { SpokenLocale } from './locale.ts';
import { sayDigits } from './numbers.ts';
import type { Rule } from './rule.ts';

const NAMES: Readonly<Record<string, string>> = {
  en: 'code|pin|passcode|zip|zip code|postcode|extension|ext\\.?',
  de: 'code|pin|plz|postleitzahl|durchwahl',
  es: 'código|pin|código postal|extensión',
  fr: 'code|pin|code postal',
  it: 'codice|pin|cap',
  pt: 'código|pin',
};

/** Numbers that are read digit by digit: "your code is 123456", "ext. 12". */
export function codeRules(locale: SpokenLocale): Rule[] {
  return [
    {
      pattern: new RegExp(
        `(?<=(?<!\\p{L})(?:${NAMES[locale.language]!})(?:(?: is| ist| lautet| es| est| è| é)?:? ))\\d{2,8}(?![\\p{L}\\d]|[.,:/-]\\d)`,
        'giu',
      ),
      say: ([digits]) => sayDigits(digits, locale),
    },
  ];
}

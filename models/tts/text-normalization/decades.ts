import { sayYear } from './dates.ts';
import type { SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

/** Decades: "the 1980s", "'90s", "in my 20s", "die 90er". Their "s" does not mean seconds. */
export function decadeRules(locale: SpokenLocale): Rule[] {
  const say = (digits: string): string =>
    digits.length === 4 ? sayYear(Number(digits), locale) : locale.cardinal(digits);
  switch (locale.language) {
    case 'en':
      return [
        {
          pattern:
            /(?<!(?:for|after|wait|every|within|takes|took|lasts|lasted) )(?<![\p{L}\d.,:/$])['’]?((?:1[1-9]|20)?\d0)['’]?s(?![\p{L}\d])/giu,
          say: ([, digits]) => (digits === '00' ? null : plural(say(digits!))),
        },
      ];
    case 'de':
      return [
        {
          pattern: /(?<![\p{L}\d.,:/-])((?:1[1-9]|20)?\d0)er(n?)(?![\p{L}\d])/gu,
          say: ([, digits, ending]) => (digits === '00' ? null : `${say(digits!)}er${ending}`),
        },
      ];
    default:
      return [];
  }
}

const plural = (number: string): string => (number.endsWith('y') ? `${number.slice(0, -1)}ies` : `${number}s`);

import type { SpokenLocale } from './locale.ts';
import { sayInteger } from './numbers.ts';
import type { Rule } from './rule.ts';

const TO: Readonly<Record<string, string>> = { en: 'to', de: 'zu', es: 'a', fr: 'à', it: 'a', pt: 'a' };

/** What looks like a time of the day and is none: ratios and scores, "16:9", "2:1". */
export function ratioRules(locale: SpokenLocale): Rule[] {
  return [
    {
      pattern: /(?<![\p{L}\d.,:/])(\d{1,3}):(\d{1,3})(?![\p{L}\d:]|[.,]\d)/gu,
      say: ([, first, second]) =>
        `${sayInteger(first!, locale)} ${TO[locale.language]!} ${sayInteger(second!, locale)}`,
    },
  ];
}

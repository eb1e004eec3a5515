import type { SpokenLocale } from './locale.ts';
import { sayUnit } from './measures.ts';
import type { Rule } from './rule.ts';

/** Durations: "1h 30m", "2h 5min 10s", "3m 20s". Here "m" means minutes. */
export function durationRules(locale: SpokenLocale): Rule[] {
  const say = (parts: readonly (readonly [digits: string | undefined, unit: string])[]): string =>
    parts.flatMap(([digits, unit]) => (digits === undefined ? [] : [sayUnit(digits, unit, locale)])).join(' ');
  return [
    {
      pattern: /(?<![\p{L}\d.,:/])(\d{1,3}) ?h ?(\d{1,2}) ?m(?:in)?(?: ?(\d{1,2}) ?s(?:ec)?)?(?![\p{L}\d])/gu,
      say: ([, hours, minutes, seconds]) =>
        say([
          [hours, 'hour'],
          [minutes, 'minute'],
          [seconds, 'second'],
        ]),
    },
    {
      pattern: /(?<![\p{L}\d.,:/])(\d{1,3}) ?m(?:in)? ?(\d{1,2}) ?s(?:ec)?(?![\p{L}\d])/gu,
      say: ([, minutes, seconds]) =>
        say([
          [minutes, 'minute'],
          [seconds, 'second'],
        ]),
    },
  ];
}

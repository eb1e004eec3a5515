import type { SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

/** Top-level domains that are not words of a sentence. */
const TOP_LEVEL = 'com|org|net|edu|gov|info|io|ai|app|dev|cloud|eu|uk|de|fr|es|it|pt|ch|at|nl|be|us|ca|au|br|mx';

/** E-mail and web addresses, as people say them: "jane dot doe at example dot com". */
export function addressRules(locale: SpokenLocale): Rule[] {
  const { words } = locale;
  const say = (address: string): string =>
    address
      .replaceAll('.', ` ${words.dot} `)
      .replaceAll('@', ` ${words.at} `)
      .replaceAll('-', ` ${words.dash} `)
      .replaceAll('_', ` ${words.underscore} `)
      .replaceAll('+', ` ${words.plus} `)
      .replaceAll('/', ` ${words.slash} `)
      .replaceAll(/\s+/g, ' ')
      .trim();
  return [
    {
      pattern: /(?<![\p{L}\d.@])[\p{L}\d][\p{L}\d._+-]{0,63}@(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}(?![\p{L}\d@])/giu,
      say: ([address]) => say(address),
    },
    {
      pattern: new RegExp(
        `(?<![\\p{L}\\d.@/])(?:[a-z\\d-]{1,63}\\.){1,8}(?:${TOP_LEVEL})(?:/[a-z\\d_-]{1,63}){0,8}(?![\\p{L}\\d@]|\\.\\p{L})`,
        'giu',
      ),
      say: ([address]) => say(address),
    },
  ];
}

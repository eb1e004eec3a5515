import type { SpokenLocale } from './locale.ts';
import type { Rule } from './rule.ts';

/** Signs between words and numbers: "2 + 2 = 4", "R & D", "3 x 4". */
export function signRules({ words }: SpokenLocale): Rule[] {
  const between = (sign: string, word: string): Rule => ({
    pattern: new RegExp(`(?<=[\\p{L}\\d.)] )${sign}(?= [\\p{L}\\d(])`, 'gu'),
    say: () => word,
  });
  return [
    between('\\+', words.plus),
    between('=', words.equals),
    between('&', words.and),
    { pattern: /(?<=\d) ?× ?(?=\d)|(?<=\d) x (?=\d)/gu, say: () => ` ${words.times} ` },
    { pattern: /(?<=\p{L})&(?=\p{L})/gu, say: () => ` ${words.and} ` },
    { pattern: /(?<=\d )[−-](?= \d)/gu, say: () => words.minus },
    { pattern: / ?(?:→|⇒|->|=>) ?/gu, say: () => ', ' },
  ];
}

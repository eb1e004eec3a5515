import type { SpokenLocale } from './locale.ts';
import { MATH_SYMBOL_NAMES } from './math-symbol-names.ts';
import type { Rule } from './rule.ts';

/** A number, a bracket, or a letter alone: what a sign stands between. */
const BEFORE = String.raw`(?<=[\d)²³%°]|(?<![\p{L}\d])\p{L})`;
const AFTER = String.raw`(?=[-−]?(?:[\d(√∛]|[\p{L}](?![\p{L}])))`;
/** Greek letters are named alike in the languages with rules. */
const GREEK: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  Δ: 'delta',
  ε: 'epsilon',
  θ: 'theta',
  λ: 'lambda',
  μ: 'mu',
  π: 'pi',
  ρ: 'rho',
  σ: 'sigma',
  Σ: 'sigma',
  τ: 'tau',
  φ: 'phi',
  ω: 'omega',
  Ω: 'omega',
};

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Formulas: "x^2", "√16", "a / b", "8 ÷ 2", "x ≤ 5", "3 < 5". */
export function mathRules(locale: SpokenLocale): Rule[] {
  const words = MATH_SYMBOL_NAMES[locale.language]!;
  const power = (exponent: string): string =>
    exponent === '2' ? ` ${words.squared}` : exponent === '3' ? ` ${words.cubed}` : ` ${words.power} ${exponent}`;
  // The same space on both sides: "I <3 you" compares nothing.
  const between = (sign: string, word: string): Rule => ({
    pattern: new RegExp(`${BEFORE}( ?)(?:${sign})\\1${AFTER}`, 'gu'),
    say: () => ` ${word} `,
  });
  const anywhere = (sign: string, word: string): Rule => ({
    pattern: new RegExp(` ?${sign} ?`, 'gu'),
    say: () => ` ${word} `,
  });
  return [
    {
      pattern: /(?<=[\p{L}\d)])\^(?:(\d{1,4}|\p{L}(?!\p{L}))|(?=[-−(]))/gu,
      say: ([, exponent]) => power(exponent ?? '').trimEnd() + (exponent === undefined ? ' ' : ''),
    },
    {
      pattern: /(?<=[\d)]|(?<!\p{L})\p{L}{1,3})([²³])(?![⁰¹⁴-⁹])/gu,
      say: ([, sign]) => power(sign === '²' ? '2' : '3'),
    },
    {
      pattern: /(?<=[\d)]|(?<!\p{L})\p{L}{1,2})(⁻?)([⁰¹²³⁴-⁹]{1,4})/gu,
      say: ([, sign, digits]) =>
        power(
          (sign === '' ? '' : `${locale.words.minus} `) +
            Array.from(digits!, (digit) => RAISED.indexOf(digit)).join(''),
        ),
    },
    { pattern: /√ ?(?=[\d(\p{L}])/gu, say: () => `${words.root} ` },
    { pattern: /∛ ?(?=[\d(\p{L}])/gu, say: () => `${words.cubeRoot} ` },
    { pattern: /(?<=\d) \/ (?=\d)/gu, say: () => ` ${words.dividedBy} ` },
    { pattern: new RegExp(`${BEFORE} / ${AFTER}`, 'gu'), say: () => ` ${words.over} ` },
    between('[×·⋅]', locale.words.times),
    between('÷', words.dividedBy),
    between('<', words.less),
    between('>', words.greater),
    between('≤|<=', words.atMost),
    between('≥|>=', words.atLeast),
    between('≠|!=', words.unequal),
    between('≈', words.about),
    between('==?', locale.words.equals),
    {
      pattern: /(?<=\) ?)[+](?= ?[\d(\p{L}])|(?<=[\d²³]|(?<!\p{L})\p{L})\+(?=[\d(]|\p{L}(?!\p{L}))/gu,
      say: () => ` ${locale.words.plus} `,
    },
    anywhere('±', words.plusMinus),
    anywhere('∞', words.infinity),
    {
      pattern: /(?<!\p{Script=Greek})\p{Script=Greek}(?!\p{Script=Greek})/gu,
      say: ([letter]) => (GREEK[letter] === undefined ? null : ` ${GREEK[letter]} `),
    },
  ];
}

import { withDigits } from '../numbers.ts';
import type { Answerer } from '../scene.ts';
import { wordsOf } from '../words.ts';

type Operator = '+' | '-' | '*' | '/';

const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/\b(plus|added to)\b/g, '+'],
  [/\b(minus)\b/g, '-'],
  [/\b(times|multiplied by)\b/g, '*'],
  [/\b(divided by|over)\b/g, '/'],
  [/(\d)\s*[x×]\s*(?=\d)/g, '$1 * '],
  [/\bpercent of\b|% of\b/g, '/ 100 *'],
  [/\bhalf of\b/g, '0.5 *'],
];

/** "What is twelve times seven plus one?" */
export const arithmetic: Answerer = (scene) => {
  const text = scene.said
    .toLowerCase()
    .replace(/,(?=\d{3}\b)/g, '')
    .replace(/[?=!]|\.(?!\d)/g, ' ');
  // Signs stay, and number words become digits.
  const digits = text
    .split(/\s*([-+*/×%()])\s*/)
    .map((part) => (/^[-+*/×%()]$/.test(part) ? ` ${part} ` : withDigits(wordsOf(part)).join(' ')))
    .join('');
  const spoken = SPOKEN.reduce((result, [pattern, sign]) => result.replace(pattern, sign), digits);
  const sum = /(?:^|\s)(\d+(?:\.\d+)?(?:\s*[-+*/]\s*\d+(?:\.\d+)?)+)\s*$/.exec(spoken)?.[1];
  if (sum === undefined) return null;
  const value = evaluate(sum);
  if (value === null) return { say: 'Nobody can divide by zero, not even me.' };
  return { say: `That makes ${Number(value.toFixed(4))}.` };
};

/** Multiplication and division before addition and subtraction. Null: division by zero. */
function evaluate(sum: string): number | null {
  const tokens = sum.match(/\d+(?:\.\d+)?|[-+*/]/g) ?? [];
  const terms: number[] = [Number(tokens[0])];
  for (let at = 1; at < tokens.length; at += 2) {
    const operator = tokens[at] as Operator;
    const value = Number(tokens[at + 1]);
    const last = terms.pop() ?? 0;
    if (operator === '*') terms.push(last * value);
    else if (operator === '/') terms.push(last / value);
    else terms.push(last, operator === '+' ? value : -value);
  }
  const total = terms.reduce((result, term) => result + term, 0);
  return Number.isFinite(total) ? total : null;
}

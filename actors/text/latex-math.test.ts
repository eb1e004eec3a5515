import { expect, test } from 'vitest';
import { withoutLatex } from './latex-math.ts';

const said = (text: string): string => withoutLatex(text).replaceAll(/\s+/g, ' ').trim();

test.each([
  [String.raw`It is \frac{1}{2} or \frac{a+b}{2c}.`, 'It is 1/2 or (a+b) / 2c.'],
  [String.raw`\(x^2 + y^{2} = z^{n+1}\)`, 'x^2 + y^2 = z^(n+1)'],
  [String.raw`$E = mc^2$ and $x$ and $a_1 \times b_{max}$`, 'E = mc^2 and x and a 1 × b max'],
  [String.raw`x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}`, 'x = (-b ± √(b^2 - 4ac)) / 2a'],
  [String.raw`\[ \sqrt{16} = 4 \]`, '√16 = 4'],
  [String.raw`$$2 \cdot 3 \leq 6$$`, '2 × 3 ≤ 6'],
  [String.raw`At $20^\circ$, \boxed{42} \text{ is it}`, 'At 20°, 42 is it'],
  [String.raw`\left(\frac{\pi}{2}\right)`, '(π / 2)'],
  [String.raw`\( 5\% \) and \sin x`, '5% and \\sin x'],
])('%s', (written, plain) => {
  expect(said(written)).toBe(plain);
});

test.each([
  'It costs $5 and $10.',
  'From $5 = €4.60 to $6.',
  'Between $5-$10, or US$3 and A$4.',
  String.raw`C:\Users\me\times\file_name.txt`,
  String.raw`a \* b`,
])('stays: %s', (written) => {
  expect(withoutLatex(written)).toBe(written);
});

test('a wall of half commands is read in linear time', () => {
  for (const part of [
    '$',
    '$a ',
    '\\(',
    '\\[',
    '\\frac{',
    '\\frac{1}{',
    '\\sqrt{',
    '^{',
    '_{',
    '{',
    '\\text{a',
    '\\times',
    '\\',
  ]) {
    const started = process.cpuUsage().user;
    withoutLatex(part.repeat(2_000));
    expect(process.cpuUsage().user - started).toBeLessThan(1_500_000);
  }
});

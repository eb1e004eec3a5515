import { expect, test } from 'vitest';
import { speakable } from './speakable.ts';

test.each([
  ['bold and italic', 'This is **very** *important* and __so__ is _this_.', 'This is very important and so is this.'],
  ['snake case stays', 'Call snake_case_name now.', 'Call snake_case_name now.'],
  ['a product of numbers', '2 * 3 is 6, 5*3 is 15', '2 × 3 is 6, 5×3 is 15'],
  ['a product of variables', '2*x * y*(1 + z) * 3 * 4', '2×x × y×(1 + z) × 3 × 4'],
  ['a power', '2**10 or 2 ** 8', '2^10 or 2^8'],
  ['stars around numbers', '**5** and *3* and **2** **10**', '5 and 3 and 2 10'],
  ['stars of hotels', '5* and 4* hotels', '5 and 4 hotels'],
  ['lonely stars', 'He said * this * is odd.', 'He said this is odd.'],
  ['a comparison', 'If a<b then c>d.', 'If a<b then c>d.'],
  ['character references', 'R&amp;D,&nbsp;&quot;now&quot;', 'R&D, "now"'],
  ['heading', '## Opening hours', 'Opening hours'],
  ['bullet', '- first thing', 'first thing'],
  ['task', '- [ ] buy milk', 'buy milk'],
  ['a formula', 'It is \\(\\frac{1}{2} \\times x_1\\), not $5.', 'It is 1/2 × x 1, not $5.'],
  ['inline code', 'Use `npm start` now.', 'Use npm start now.'],
  ['link', 'See [our site](https://example.com/a?b=c).', 'See our site.'],
  ['bare address', 'Go to https://www.example.com/a/b?c=d.', 'Go to example.com.'],
  ['picture', 'Look: ![a cat](cat.png)', 'Look: a cat'],
  ['emoji', 'Great! 🎉👍🏽 Yes 👨‍👩‍👧', 'Great! Yes'],
  ['digits are no emoji', 'Press 1 or #.', 'Press 1 or #.'],
  ['flags', 'From 🇩🇪 with love', 'From with love'],
  ['html', 'A<br/>B <b>bold</b>', 'A B bold'],
  ['table row', '| a | b |', 'a, b,'],
  ['only a rule', '---', ''],
  ['only emoji', '😀', ''],
  ['only punctuation', ' ...', ''],
  ['a citation', 'It is open【4:0†source】.', 'It is open.'],
  ['an address in Japanese', '詳しくはhttps://example.com/aをご覧ください', '詳しくはexample.comをご覧ください'],
  ['lines', 'one\n two', 'one two'],
  ['accents and other scripts', 'Čau, 你好，שלום', 'Čau, 你好，שלום'],
])('%s', (_, text, expected) => {
  expect(speakable(text)).toBe(expected);
});

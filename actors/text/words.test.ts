import { expect, test } from 'vitest';
import { countWords, joint, plainWords, wordSpans } from './words.ts';

test('words of any script are counted', () => {
  expect(countWords("Hello, it's me!")).toBe(3);
  expect(countWords('你好世界', 'zh')).toBe(2);
  expect(countWords('สวัสดีครับ', 'th')).toBe(2);
  expect(countWords(' … ')).toBe(0);
});

test('spans point into the text', () => {
  const text = 'One, two.';
  for (const span of wordSpans(text)) expect(text.slice(span.start, span.end)).toBe(span.text);
});

test('plain words compare without accents on Latin letters, case and typographic apostrophes', () => {
  expect(plainWords('Jà ’ s Ça c’est')).toEqual(plainWords("ja ' s ca c'est"));
  expect(plainWords('й')).toEqual(['й']);
});

test.each([
  ['Hello.', 'You', ' '],
  ['Hello. ', 'You', ''],
  ['', 'You', ''],
  ['你好。', '再见', ''],
  ['你好。', 'OK', ' '],
])('between "%s" and "%s" belongs "%s"', (before, after, expected) => {
  expect(joint(before, after)).toBe(expected);
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunked, textOf } from '../testing/chunked.ts';
import { SentenceSplitter } from './sentence-splitter.ts';

function split(chunks: readonly string[], language: string | null = 'en', shortFirst = false): string[] {
  const splitter = new SentenceSplitter({ language, shortFirst });
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

describe('sentences', () => {
  test.each<[string, string, string[], string?]>([
    ['two', 'Hello. How are you?', ['Hello. ', 'How are you?']],
    ['a title', 'This is Dr. Smith. Hi.', ['This is Dr. Smith. ', 'Hi.']],
    ['a decimal number', 'It is 3.5 metres. Yes.', ['It is 3.5 metres. ', 'Yes.']],
    ['initials', 'J. K. Rowling wrote it. Really.', ['J. K. Rowling wrote it. ', 'Really.']],
    ['ending in I', 'So do I. Then go.', ['So do I. ', 'Then go.']],
    ['an abbreviation in the middle', 'Fruit, e.g. apples, is good. Eat.', ['Fruit, e.g. apples, is good. ', 'Eat.']],
    ['an abbreviation at the end', 'We meet at 3 p.m. The door is open.', ['We meet at 3 p.m. ', 'The door is open.']],
    ['an abbreviation that goes on', 'We meet at 3 p.m. tomorrow. Bye.', ['We meet at 3 p.m. tomorrow. ', 'Bye.']],
    ['ellipsis that goes on', 'Well... maybe. No.', ['Well... maybe. ', 'No.']],
    ['ellipsis that ends', 'Well... Maybe not.', ['Well... ', 'Maybe not.']],
    ['quotes', 'He said "Go!" Then he left.', ['He said "Go!" ', 'Then he left.']],
    ['several marks', 'What?! No way!!! Yes.', ['What?! ', 'No way!!! ', 'Yes.']],
    ['lines', 'First line\n\nSecond line', ['First line\n\n', 'Second line']],
    ['a numbered list', '1. Open it.\n2. Close it.', ['1. Open it.\n', '2. Close it.']],
    ['a number at the end', 'There are 12. Take one.', ['There are 12. ', 'Take one.']],
    ['German ordinal', 'Am 3. Oktober ist frei. Gut.', ['Am 3. Oktober ist frei. ', 'Gut.'], 'de'],
    ['German abbreviation', 'Obst, z.B. Äpfel, ist gut. Ja.', ['Obst, z.B. Äpfel, ist gut. ', 'Ja.'], 'de'],
    ['Chinese', '你好。你叫什么名字？我叫小明。', ['你好。', '你叫什么名字？', '我叫小明。'], 'zh'],
    ['Japanese quotes', '「はい。」と言った。次です。', ['「はい。」', 'と言った。', '次です。'], 'ja'],
    ['Hindi', 'नमस्ते। आप कैसे हैं?', ['नमस्ते। ', 'आप कैसे हैं?'], 'hi'],
    ['Arabic', 'كيف حالك؟ أنا بخير.', ['كيف حالك؟ ', 'أنا بخير.'], 'ar'],
    ['an address', 'Go to example.com now. OK.', ['Go to example.com now. ', 'OK.']],
    ['a language that is not known', 'Das Fest ist am 3. Oktober. Gut.', ['Das Fest ist am 3. Oktober. ', 'Gut.'], ''],
  ])('%s', (_, text, expected, known = 'en') => {
    const language = known === '' ? null : known;
    expect(split([text], language)).toEqual(expected);
    expect(split([...text], language)).toEqual(expected);
  });

  test('the first piece may end at a comma, so that the voice can start', () => {
    const text = 'That is a very good question indeed, and I will answer it at once, if I may. Yes.';
    expect(split([text], 'en', true)).toEqual([
      'That is a very good question indeed, ',
      'and I will answer it at once, if I may. ',
      'Yes.',
    ]);
  });

  test('a character reference does not end a clause', () => {
    const text = 'Hello and welcome to all of R&amp; D; this is it.';
    expect(split([...text], 'en', true)).toEqual(['Hello and welcome to all of R&amp; D; ', 'this is it.']);
  });

  test('a first clause of a few letters is not worth a cut', () => {
    expect(split(['Well, it depends. Really.'], 'en', true)).toEqual(['Well, it depends. ', 'Really.']);
  });

  test('a sentence is given out as soon as the next one begins', () => {
    const splitter = new SentenceSplitter({ language: 'en' });
    expect(splitter.push('One two.')).toEqual([]);
    expect(splitter.push(' T')).toEqual(['One two. ']);
  });

  test('in a pause of the stream, what reads like a whole sentence is given out', () => {
    const splitter = new SentenceSplitter({ language: 'en' });
    splitter.push('One two. ');
    expect(splitter.settle()).toEqual(['One two. ']);
    splitter.push('This is Dr. ');
    expect(splitter.settle()).toEqual([]);
    splitter.push('Smith and');
    expect(splitter.settle()).toEqual([]);
    expect(splitter.end()).toEqual(['This is Dr. Smith and']);
  });

  test('where a stream was cut off, a number may be half of one', () => {
    const splitter = new SentenceSplitter({ language: 'en' });
    splitter.push('It weighs 3.');
    expect(splitter.settle(true)).toEqual([]);
    expect(splitter.settle()).toEqual(['It weighs 3.']);
  });

  test('a sentence without end is cut between words', () => {
    const pieces = split([`${'word '.repeat(200)}end`]);
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(301);
      expect(piece).not.toMatch(/^ord|wor$/);
    }
  });

  const pieces = [
    '. ',
    '.',
    '? ',
    '!',
    '。',
    '…',
    ' ',
    '\n',
    ', ',
    'Dr',
    'Hello',
    'word ',
    '3',
    '"',
    '(',
    ')',
    '😀',
    'e.g',
    'I',
    'am das 3',
    'a very long clause without any end ',
    '，',
    '; ',
  ];

  test('nothing is lost: the pieces joined give the text', () => {
    fc.assert(
      fc.property(chunked(textOf(pieces)), fc.boolean(), ({ text, chunks }, first) => {
        expect(split(chunks, 'en', first).join('')).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test('the result does not depend on where the stream was cut', () => {
    fc.assert(
      fc.property(
        chunked(textOf(pieces)),
        fc.boolean(),
        fc.constantFrom('en', null),
        ({ text, chunks }, first, language) => {
          expect(split(chunks, language, first)).toEqual(split([text], language, first));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunked, textOf } from '../testing/chunked.ts';
import { MarkupStripper } from './strip-markup.ts';

function strip(chunks: readonly string[]): string {
  const stripper = new MarkupStripper();
  return chunks.map((chunk) => stripper.push(chunk)).join('') + stripper.end();
}

describe('blocks that nobody can listen to', () => {
  test.each([
    ['fenced code', 'Try this:\n```js\nlet a = 1;\n```\nDone.', 'Try this:\n\nDone.'],
    ['unclosed fence', 'Try:\n```\ncode', 'Try:\n'],
    ['tool call tag', 'Wait.<tool_call>{"name":"x"}</tool_call> Done.', 'Wait. Done.'],
    ['function tag', '<function=get_time>{}</function>Now.', 'Now.'],
    ['tool call as a line of JSON', '{"name": "get_time", "arguments": {"zone": "}"}}\nIt is noon.', '\nIt is noon.'],
    ['what is done', '<action>waves</action> Hello. <Gesture>nods</Gesture>', ' Hello. '],
    ['what a tool answered', 'Sure. <tool_result>Sunny</tool_result>It is sunny.', 'Sure. It is sunny.'],
    ['what is done without an end', '<action>waves Hello.', '<action>waves Hello.'],
    ['another tag', 'Press <b>start</b> now.', 'Press <b>start</b> now.'],
    ['inline code stays for the sentence', 'Use `npm` now.', 'Use `npm` now.'],
    ['braces inside a sentence', 'A set like {"a"} is small.', 'A set like {"a"} is small.'],
    ['a name in braces', '{name} is here', '{name} is here'],
    ['less than', '1 < 2', '1 < 2'],
  ])('%s', (_, text, expected) => {
    for (const chunks of [[text], [...text]]) expect(strip(chunks)).toBe(expected);
  });

  test('the result does not depend on where the stream was cut', () => {
    const pieces = [
      '`',
      '```',
      '\n',
      '{',
      '}',
      '"a"',
      '{"name":',
      '[',
      ']',
      '<tool_call>',
      '</tool_call>',
      '<',
      'tool',
      'text ',
      '\\',
      '<function=x>',
      '</function>',
      '<action>',
      '</action>',
    ];
    fc.assert(
      fc.property(chunked(textOf(pieces)), ({ text, chunks }) => {
        expect(strip(chunks)).toBe(strip([text]));
      }),
      { numRuns: 2000 },
    );
  });

  test('what only begins like JSON is spoken once it is too long to be some', () => {
    const text = `{"${'a'.repeat(20_000)}`;
    for (const chunks of [[text], [...text]]) expect(strip([...chunks, '\nDone.'])).toBe(`${text}\nDone.`);
  });
});

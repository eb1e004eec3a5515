import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunked, textOf } from '../testing/chunked.ts';
import { CueStripper } from './strip-cues.ts';

/** Cues shown as ⟨tag⟩ at their place in the text. */
function strip(chunks: readonly string[]): string {
  const stripper = new CueStripper();
  return [...chunks.flatMap((chunk) => stripper.push(chunk)), ...stripper.end()]
    .map((part) => (part.kind === 'cue' ? `⟨${part.tag}⟩` : part.text))
    .join('');
}

describe('director cues inside the text', () => {
  test.each([
    ['at the start', '[happy] Hello!', '⟨happy⟩Hello!'],
    ['in the middle', 'Well [sad] that is bad.', 'Well ⟨sad⟩that is bad.'],
    ['at the end', 'Great! [laughter]', 'Great! ⟨laughter⟩'],
    ['any case', '[Happy]Hi', '⟨happy⟩Hi'],
    ['two in a row', '[warm][curious] Yes?', '⟨warm⟩⟨curious⟩Yes?'],
    ['stage direction', 'Oh [laughs softly] no.', 'Oh no.'],
    ['direction that is not known', '[dramatic tone] Oh no. [smug look] Yes!', 'Oh no. Yes!'],
    ['mood in a sentence', 'I know, [softly] but [very excited] so good.', 'I know, but so good.'],
    ['sound of another language', 'Oui [rire] et non.', 'Oui et non.'],
    ['key', 'Press [enter] to go on, or [Esc].', 'Press [enter] to go on, or [Esc].'],
    ['blank', 'Write "Dear [your name]".', 'Write "Dear [your name]".'],
    ['interval', 'It is in [0, 1].', 'It is in [0, 1].'],
    ['task', '- [x] done', '- done'],
    ['reference', 'It is so [1].', 'It is so .'],
    ['link', 'See [here](https://a.b).', 'See [here](https://a.b).'],
    ['ordinary brackets', 'The law [Section 5, as amended] says', 'The law [Section 5, as amended] says'],
    ['unclosed', 'A [happy', 'A [happy'],
    ['nothing inside', 'array[] is empty', 'array[] is empty'],
    ['the mark of an interruption', 'I said [interrupted]', 'I said '],
  ])('%s', (_, text, expected) => {
    for (const chunks of [[text], [...text]]) expect(strip(chunks)).toBe(expected);
  });

  test('a bracket longer than a tag may be is text', () => {
    const text = `[${'a'.repeat(70)}]`;
    expect(strip([text])).toBe(text);
  });

  test('the result does not depend on where the stream was cut', () => {
    const pieces = [
      '[',
      ']',
      '[happy]',
      '[laughs]',
      '[1]',
      '(',
      ' ',
      'word',
      '[sad',
      '[Two Words]',
      '](x)',
      '\n',
      '. ',
      '[enter]',
      '[softly]',
    ];
    fc.assert(
      fc.property(chunked(textOf(pieces)), ({ text, chunks }) => {
        expect(strip(chunks)).toBe(strip([text]));
      }),
      { numRuns: 2000 },
    );
  });
});

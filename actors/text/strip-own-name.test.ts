import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OwnNameStripper } from './strip-own-name.ts';

const NAMES = ['Elena Marsh (AI)', 'Elena Marsh', 'Elena'];

/** @param at where the stream is cut. */
function stripped(text: string, at: readonly number[] = []): string {
  const stripper = new OwnNameStripper(NAMES);
  const cuts = [0, ...at.map((place) => place % (text.length + 1)), text.length].toSorted((a, b) => a - b);
  return cuts.map((cut, index) => stripper.push(text.slice(cut, cuts[index + 1] ?? cut))).join('') + stripper.end();
}

describe('the own name before an answer', () => {
  test.each([
    ['Elena: On Friday.', ' On Friday.'],
    ['  elena marsh (ai): On Friday.', ' On Friday.'],
    ['Elena Marsh:', ''],
    ['On Friday.', 'On Friday.'],
    ['Elena thinks so.', 'Elena thinks so.'],
    ['Elena', 'Elena'],
    ['I am Elena: your guide.', 'I am Elena: your guide.'],
    ['Alice: On Friday.', 'Alice: On Friday.'],
    ['**Elena:** On Friday.', '** On Friday.'],
    ['**Elena**: On Friday.', ' On Friday.'],
    ['### Assistant: On Friday.', ' On Friday.'],
    ['### Response:\nOn Friday.', '\nOn Friday.'],
    ['AI: On Friday.', ' On Friday.'],
    ['model\nOn Friday.', 'On Friday.'],
    ['Assistant : Vendredi.', ' Vendredi.'],
    ['助手：星期五。', '星期五。'],
    ['Response: On Friday.', 'Response: On Friday.'],
    ['**On Friday**, Elena.', '**On Friday**, Elena.'],
    ['* Elena comes.', '* Elena comes.'],
    ['', ''],
  ])('%j: %j is said, wherever the stream is cut', (text, said) => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 6 }), (at) => {
        expect(stripped(text, at)).toBe(said);
      }),
    );
  });

  test('is no concern without names: nothing but the role of a template is held back', () => {
    expect(new OwnNameStripper([]).push('E')).toBe('E');
    const stripper = new OwnNameStripper([]);
    expect(stripper.push('Assist') + stripper.push('ant: Yes.')).toBe(' Yes.');
  });
});

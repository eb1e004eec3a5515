import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RepetitionStripper } from './strip-repetition.ts';

function rest(said: string, continuation: string | readonly string[]): string {
  const stripper = new RepetitionStripper(said);
  const chunks = typeof continuation === 'string' ? [continuation] : continuation;
  return chunks.map((chunk) => stripper.push(chunk)).join('') + stripper.end();
}

const SAID = 'Whales are mammals. They breathe air, and they sleep with one eye open.';

describe('the rest of an answer', () => {
  it.each([
    ['that goes on', SAID, 'Their calves drink milk.', 'Their calves drink milk.'],
    ['that begins anew', SAID, `${SAID} Their calves drink milk.`, 'Their calves drink milk.'],
    ['that is all of it again', SAID, SAID, ''],
    ['that stops in the middle of the repetition', SAID, 'Whales are mammals. They breathe', ''],
    [
      'that repeats the last sentence',
      SAID,
      'They breathe air, and they sleep with one eye open. Calves drink milk.',
      'Calves drink milk.',
    ],
    ['that repeats the last words', SAID, 'with one eye open. Calves drink milk.', 'Calves drink milk.'],
    ['in other marks', 'I’m sure: it’s fine', "**I'm sure, it's fine**, as I said.", 'as I said.'],
    ['in another case', 'IT IS LATE.', 'It is late. Sleep well.', 'Sleep well.'],
    ['that begins like it', SAID, 'Whales are also very old.', 'Whales are also very old.'],
    ['that begins like its last sentence', SAID, 'They breathe deeply.', 'They breathe deeply.'],
    ['that repeats one word', 'I am here with you', 'you and me', 'you and me'],
    ['that goes on with a longer word', 'This is a story about the whale', 'whales and men', 'whales and men'],
    ['with a sign before its first word', 'In the end it costs', 'In the end it costs $5 today.', '$5 today.'],
    ['of an answer in another script', '鲸鱼是哺乳动物。', '鲸鱼是哺乳动物。它们喝奶。', '它们喝奶。'],
    ['of which nothing was said', '', 'Whales are mammals.', 'Whales are mammals.'],
    ['that is empty', SAID, '', ''],
    ['of signs only', SAID, ' … ', ' … '],
  ])('%s', (_which, said, continuation, expected) => {
    expect(rest(said, continuation)).toBe(expected);
  });

  it('is handed on with its first word when that is no repetition', () => {
    const stripper = new RepetitionStripper(SAID);
    expect(stripper.push('Cal')).toBe('Cal');
    expect(stripper.push('ves')).toBe('ves');
  });
});

const word = fc.constantFrom('the', 'whale', 'sings', 'a', 'song', 'of', 'the', 'sea', 'and', 'sleeps');
const sentence = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => `${words.join(' ')}.`);
const text = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((sentences) => sentences.join(' '));
/** Where a text is cut into chunks. */
const cuts = fc.array(fc.nat(80), { maxLength: 6 });

function chunked(whole: string, at: readonly number[]): string[] {
  const places = [0, ...at.filter((place) => place <= whole.length).toSorted((a, b) => a - b), whole.length];
  return places.slice(1).map((place, index) => whole.slice(places[index], place));
}

const SPACES_AND_MARKS = /[\s.]+/g;
const bare = (some: string): string => some.replace(SPACES_AND_MARKS, ' ').trim();

it('costs little, however much was said and is said again', () => {
  const said = 'a '.repeat(16_000);
  const stripper = new RepetitionStripper(said);
  let longest = 0;
  for (let at = 0; at < said.length; at += 4) longest = Math.max(longest, stripper.push(said.slice(at, at + 4)).length);
  expect(longest).toBeGreaterThan(0);
}, 5_000);

describe('any continuation', () => {
  it('does not depend on how it was chunked', () => {
    fc.assert(
      fc.property(text, text, cuts, (said, more, at) => {
        expect(rest(said, chunked(more, at))).toBe(rest(said, more));
      }),
    );
  });

  it('loses words only at its beginning', () => {
    fc.assert(
      fc.property(text, text, (said, more) => {
        expect(bare(more).endsWith(bare(rest(said, more)))).toBe(true);
      }),
    );
  });

  it('that begins anew is said once', () => {
    fc.assert(
      fc.property(text, text, (said, more) => {
        // What follows may happen to begin with another repetition.
        expect(bare(`${said} ${more}`).endsWith(bare(rest(said, `${said} ${more}`)))).toBe(true);
        expect(bare(rest(said, `${said} ${more}`)).length).toBeLessThanOrEqual(bare(more).length);
      }),
    );
  });
});

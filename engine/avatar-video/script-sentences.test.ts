import { expect, test } from 'vitest';
import { PARAGRAPH_PAUSE_MS, SENTENCE_PAUSE_MS, scriptSentences } from './script-sentences.ts';

test('a script is spoken sentence by sentence, with longer pauses between paragraphs', () => {
  const sentences = scriptSentences(
    'Welcome to the hotel, dear guests. Your room is ready.\n\nBreakfast is at **seven**.',
    'en',
  );
  expect(sentences.map(({ text, pauseMs }) => [text, pauseMs])).toEqual([
    ['Welcome to the hotel, dear guests.', SENTENCE_PAUSE_MS],
    ['Your room is ready.', PARAGRAPH_PAUSE_MS],
    ['Breakfast is at seven.', PARAGRAPH_PAUSE_MS],
  ]);
});

test('directions are acted where they stand and not read out', () => {
  const [first, second] = scriptSentences('[happy] You won! We are [surprised] amazed.', 'en');
  expect(first).toMatchObject({ text: 'You won!', cues: [{ tag: 'happy', place: 0 }] });
  expect(second?.text).toBe('We are amazed.');
  expect(second?.cues[0]?.tag).toBe('surprised');
  expect(second?.cues[0]?.place).toBeCloseTo('We are'.length / 'We are amazed.'.length);
});

test('a script with nothing to say has no sentences', () => {
  expect(scriptSentences('\n \n🎉\n---\n', null)).toEqual([]);
});

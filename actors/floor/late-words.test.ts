import { expect, test } from 'vitest';
import { changesMeaning } from './late-words.ts';

test.each([
  ['what can you', 'What can you help me with?'],
  ['book a table', 'Book a table tomorrow.'],
  ['I want that', "I don't want that."],
  ['book it for 2', 'Book it for 12.'],
])('"%s" is another sentence than "%s"', (decidedOn, whole) => {
  expect(changesMeaning(decidedOn, whole, 'en')).toBe(true);
});

test.each([
  ['call them tomorrow', 'Call then tomorrow.'],
  ['what time is it', 'What time is it, please?'],
  ['tell me the weather', 'Oh, tell me the weather!'],
])('"%s" means the same as "%s"', (decidedOn, whole) => {
  expect(changesMeaning(decidedOn, whole, 'en')).toBe(false);
});

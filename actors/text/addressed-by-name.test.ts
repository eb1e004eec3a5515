import { expect, test } from 'vitest';
import { isAddressed } from './addressed-by-name.ts';

test.each([
  ['Hey Sophie, what do you think?', 'Sophie (AI)'],
  ['sofie can you say something', 'Sophie'],
  ['and what does Katrin say', 'Kathrin'],
  ["that is Max's turn", 'Max Mustermann (AI)'],
  ['max?', 'Max (AI)'],
  ['liam please', 'Liam'],
  ['ask alex ander', 'Alexander'],
  ['小明你怎么看', '小明'],
])('"%s" is meant for %s', (text, name) => {
  expect(isAddressed(text, name)).toBe(true);
});

test.each([
  ['the sofa is nice', 'Sophie'],
  ['maybe', 'Max'],
  ['mac and cheese', 'Max'],
  ['', 'Max'],
  ['hello', ''],
  ['aria was sung', 'Maria'],
])('"%s" is not meant for %s', (text, name) => {
  expect(isAddressed(text, name)).toBe(false);
});

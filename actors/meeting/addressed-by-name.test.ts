import { describe, expect, test } from 'vitest';
import { isAddressed, isSaidTo } from './addressed-by-name.ts';

test.each([
  ['Hey Sophie, what do you think?', 'Sophie (AI)'],
  ['sofie can you say something', 'Sophie'],
  ['and what does Katrin say', 'Kathrin'],
  ["that is Max's turn", 'Max Mustermann (AI)'],
  ['max?', 'Max (AI)'],
  ['liam please', 'Liam'],
  ['ask alex ander', 'Alexander'],
  ['小明你怎么看', '小明'],
  ['What does Hélène think', 'Helene (AI)'],
  ['alena what is next', 'Elena (AI)'],
  ['elina, are you there', 'ElenaAI'],
  ['kai are you there', 'Kai (AI)'],
  ['kai are you there', 'Kai'],
  ['doctor marsh what do you say', 'Dr. Marsh (AI)'],
  ['could stephen help', 'Steven (AI)'],
  ['elisabeth go on', 'Elizabeth'],
  ['parley guide can you help', 'Parley Guide (AI)'],
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
  ['are there any questions', 'Anna (AI)'],
  ['it is on the list', 'Lisa'],
  ['there are many of them', 'Mary'],
  ['we ship in june', 'Jane'],
  ['the cat is on the table', 'Kate'],
  ['he made a note', 'Mark'],
  ['pull the data', 'Paul'],
  ['the doctor said so', 'Dr. Marsh (AI)'],
  ['an ai would know', 'Elena (AI)'],
])('"%s" is not meant for %s', (text, name) => {
  expect(isAddressed(text, name)).toBe(false);
});

/** What PocketSphinx wrote when flite's voices (slt, rms, awb) said these names. */
describe('a name as a recognizer writes it', () => {
  test.each([
    ['helena what do you think about the plan', 'Elena (AI)'],
    ['helena what time is it', 'Elena (AI)'],
    ['what do you think ellen', 'Elena (AI)'],
    ['sophie can you help us', 'Sophie (AI)'],
    ['robert but do you think about the plan', 'Robert (AI)'],
    ['michael what time is it', 'Michael (AI)'],
    ['anna what time is a', 'Anna (AI)'],
  ])('"%s": %s was heard', (text, name) => {
    expect(isAddressed(text, name)).toBe(true);
  });

  test.each([
    ['though and what do you think about the plan', 'Elena (AI)'],
    ["i'll end up what do you think about the blonde", 'Elena (AI)'],
    ['so if they can you help us', 'Sophie (AI)'],
    ['my guild what time is it', 'Michael (AI)'],
    ['and what time is it', 'Anna (AI)'],
    ['hey dad can you help us', 'Ada (AI)'],
  ])('"%s": %s was lost, and no rule about letters finds it', (text, name) => {
    expect(isAddressed(text, name)).toBe(false);
  });
});

/** Known mistakes: each costs an answer that nobody wanted. */
test.each([
  ['the answer is json', 'Jason'],
  ['let us meet in july', 'Julia'],
  ['mark the date', 'Marco'],
])('"%s" is taken for %s', (text, name) => {
  expect(isAddressed(text, name)).toBe(true);
});

describe('somebody else with a similar name', () => {
  test.each([
    ['elena what do you think', 'Elena (AI)', ['Helena Berg'], true],
    ['helena what do you think', 'Elena (AI)', ['Helena Berg'], false],
    ['helena what do you think', 'Elena (AI)', ['Bob'], true],
    ['alena what do you think', 'Elena (AI)', ['Alena'], false],
    ['elena what do you think', 'Elena (AI)', ['Alena'], true],
    ['stephen what do you think', 'Steven (AI)', ['Stephan', 'Stephen'], false],
  ])('"%s" to %s beside %j: %s', (text, name, others, meant) => {
    expect(isAddressed(text, name, others)).toBe(meant);
  });

  test.each([
    ['max what do you think', 'Max Mustermann (AI)', false],
    ['max mustermann what do you think', 'Max Mustermann (AI)', true],
    ['max what do you think', 'Max (AI)', false],
    ['max ai what do you think', 'Max (AI)', true],
    ['max A.I. what do you think', 'Max (AI)', true],
  ])('with the same first name, "%s" to %s: %s', (text, name, meant) => {
    expect(isAddressed(text, name, ['Max Weber'])).toBe(meant);
  });
});

test.each([
  ['okay thanks Bob what do you think', true],
  ['Bob, your turn', true],
  ['what do you think bob?', true],
  ['I agree with what Bob said', false],
  ['what else', false],
  ['', false],
])('"%s" is said to Bob: %s', (text, said) => {
  expect(isSaidTo(text, ['Alice', 'Bob Miller', ''])).toBe(said);
});

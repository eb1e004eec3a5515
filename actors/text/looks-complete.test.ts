import { describe, expect, test } from 'vitest';
import { looksComplete } from './looks-complete.ts';

describe('a finished thought', () => {
  test.each([
    'what is the time',
    'what time is it',
    'where are you from',
    'what are you looking for',
    'how are you',
    'tell me a joke',
    'turn it on',
    'yes I will',
    'so do I',
    'I know',
    'yes',
    'five',
    'I have two dogs',
    'How much is it?',
    'I am done.',
    'that is how it is',
    'I know what it is',
    'what is going on',
    'please come in',
    "I don't want to",
    'I think so',
    'it is good I think',
    'what do I need',
    'how are you',
    'my number is five five five one two three four',
    '',
    'is that so',
    'I hope so',
    'tell me when',
    'no it is not',
    'of course it is not',
    'I hope it is not',
    'no, he was not',
    'what is it then',
    'I know what that is exactly',
    'it is better than it was then',
    'yes I have already',
    'where are they now',
    'what is it exactly',
    'why not',
    'no I am not',
    'whether it is or is not',
    'I do not know where',
    'ever since',
    'so do I',
    'where are you',
    'what do you need',
    'who should I talk to',
    'call me if you want to',
    'yes actually',
    'okay',
    'are you still',
    'more than you usually',
    'it starts at five p m',
    'plan b',
    'the code is one two three four five six seven',
    'my phone number is 555 123 4567',
    'the card number is 4111 1111 1111 1111',
    'my pin is 1234',
    'I was born in 1985',
    'the phone number is on the door and we came here in 1985',
    'it is spelled s m i t h',
    'I live at the station',
    'is that all I need',
    'no not really',
    'me too',
    'oh dear',
    'with my friends',
  ])('"%s"', (text) => {
    expect(looksComplete(text, 'en')).toBe(true);
  });

  test.each([
    ['de', 'wie spät ist es'],
    ['fr', 'quelle heure est-il'],
    ['fr', 'je ne sais pas où il est'],
    ['es', 'sí'],
    ['es', 'qué es'],
    ['pt', 'pois é'],
    ['it', 'sì'],
    ['de', 'mach das licht an'],
    ['de', 'wo ist er'],
    ['sv', 'hur mår du'],
    ['ja', 'こんにちは'],
    ['ja', '教えて'],
    ['zh', '是'],
    ['ko', '이게 뭐예요'],
    ['id', 'apa itu'],
    ['es', 'qué hora es ahora'],
    ['zh', '现在几点了'],
    ['ja', '今何時ですか'],
    ['ja', 'これは本です。'],
    ['ko', '지금 몇 시예요'],
    ['th', 'กี่โมงแล้ว'],
    ['ru', 'который сейчас час'],
  ])('in %s: "%s"', (language, text) => {
    expect(looksComplete(text, language)).toBe(true);
  });
});

test.each([
  'if you want',
  'when I get home',
  'if it rains we stay at home',
  'when I opened the box it was empty',
  'if the parcel comes back on Monday please call me',
  'unless the price was lower last week I do not want it',
  'when is the next train to the city',
  'what if the parcel comes back on Monday',
])('a condition that is an answer or has its main clause is whole: "%s"', (text) => {
  expect(looksComplete(text, 'en')).toBe(true);
});

describe('the speaker goes on', () => {
  test.each([
    'I would like to',
    'tell me about the',
    'what is',
    'can you',
    'because',
    'and then I went to the',
    'my name is',
    'my number is five five five',
    'my phone number is 555',
    'my phone number is 555 123',
    'the card number is 4111 1111 1111',
    'I think',
    'but I think',
    'I bought this on',
    'what I need is',
    'can you tell me',
    'what are',
    'well um',
    'I want to book a',
    'It depends,',
    'so I was like…',
    'it costs about -',
    'do you',
    'so',
    'okay so',
    'um well',
    'it broke down yesterday so',
    'it started when',
    'the shop where',
    'what do you',
    'how can I',
    'could I please',
    'can we also',
    'does she have',
    'I usually',
    'but they never',
    'what does it cost to',
    'how long does it take to',
    'a man called',
    'we left without',
    'my pin is four',
    'the name is spelled j o',
    'we live at forty two',
    'my mail is info at example dot',
    'and so my fellow Americans',
    'ladies and gentlemen',
    // In pauses of people's recordings, and taken for whole sentences by the end-of-turn model.
    'He was not.',
    'Mr. John Dashwood had then',
    'the time will be exactly',
    'the price is not',
    'we would also',
    'Unless to be rather cold-hearted and rather selfish.',
    'when I opened the box',
    'so if the parcel comes back on Monday',
    'although the price was lower last week',
  ])('"%s"', (text) => {
    expect(looksComplete(text, 'en')).toBe(false);
  });

  test.each([
    ['de', 'ich möchte'],
    ['de', 'kannst du mir die'],
    ['fr', 'je voudrais'],
    ['es', 'quiero ir a la'],
    ['it', 'voglio andare al'],
    ['pt', 'eu gostaria de'],
    ['nl', 'ik wil graag'],
    ['ru', 'я хочу'],
    ['pl', 'ponieważ'],
    ['tr', 'çünkü'],
    ['zh', '我想'],
    ['zh', '因为'],
    ['ja', '私は'],
    ['ja', 'それで'],
    ['ko', '그런데'],
    ['ar', 'أريد أن'],
    ['hi', 'क्योंकि'],
    ['th', 'เพราะ'],
  ])('in %s: "%s"', (language, text) => {
    expect(looksComplete(text, language)).toBe(false);
  });
});

test('an unknown language is guessed from the words', () => {
  expect(looksComplete('ich möchte', null)).toBe(false);
  expect(looksComplete('je voudrais aller dans la', null)).toBe(false);
  expect(looksComplete('私は', null)).toBe(false);
  expect(looksComplete('turn it on', null)).toBe(true);
});

test.each(['.', ' ', '。', '?', "'"])('a wall of %j is read once', (brick) => {
  expect(looksComplete(`はい${brick.repeat(200_000)}はい`, 'ja')).toBe(true);
  expect(looksComplete(`It${brick.repeat(200_000)} is done`, 'en')).toBe(true);
});

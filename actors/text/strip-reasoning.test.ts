import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunked, textOf } from '../testing/chunked.ts';
import { ReasoningStripper, type ReasoningPart } from './strip-reasoning.ts';

function strip(chunks: readonly string[], options?: { expectClosing: boolean }) {
  const stripper = new ReasoningStripper(options);
  const parts: ReasoningPart[] = [...chunks.flatMap((chunk) => stripper.push(chunk)), ...stripper.end()];
  let speech = '';
  let reasoning = '';
  for (const part of parts) {
    if (part.kind === 'retract') speech = '';
    else if (part.kind === 'speech') speech += part.text;
    else reasoning += part.text;
  }
  return {
    speech,
    reasoning,
    retracted: parts.some((part) => part.kind === 'retract'),
  };
}

describe('reasoning never reaches speech', () => {
  test.each([
    ['tagged block', '<think>The user greets.</think>\n\nHello!', 'Hello!', 'The user greets.'],
    ['thinking tag', '<thinking>a</thinking>b', 'b', 'a'],
    ['reasoning tag with attributes', '<reasoning effort="low">a</reasoning> b', 'b', 'a'],
    ['upper case', '<THINK>a</THINK>b', 'b', 'a'],
    ['in the middle', 'One. <think>hm</think>Two.', 'One. Two.', 'hm'],
    ['bracketed tag', '[THINK]a[/THINK]b', 'b', 'a'],
    ['unclosed block', 'Hi. <think>and then I', 'Hi. ', 'and then I'],
    ['empty block', '<think>\n\n</think>\n\nYes.', 'Yes.', '\n\n'],
    [
      'channels',
      '<|channel|>analysis<|message|>think<|end|><|start|>assistant<|channel|>final<|message|>Hello.<|return|>',
      'Hello.',
      'think',
    ],
    [
      'commentary channel',
      '<|channel|>commentary to=functions.x <|constrain|>json<|message|>{"a":1}<|call|>',
      '',
      '{"a":1}',
    ],
    ['final channel alone', '<|channel|>final<|message|>Hello.', 'Hello.', ''],
    ['channels whose marks were lost', 'analysisThe user says hi.assistantfinalHello!', 'Hello!', 'The user says hi.'],
    ['a monologue', '<inner_monologue>a</inner_monologue>b', 'b', 'a'],
    ['marks of a channel with an end', '<|thinking|>a<|/thinking|>b', 'b', 'a'],
    ['another text behind the end', 'b<|endoftext|>Human: a', 'b', 'Human: a'],
    ['a text that begins with the mark of its end', '<|endoftext|>b', 'b', ''],
    ['a second stray end', '<think>a</think>b</think>c', 'bc', 'a'],
  ])('%s', (_, text, speech, reasoning) => {
    for (const chunks of [[text], [...text]])
      expect(strip(chunks)).toMatchObject({ speech, reasoning, retracted: false });
  });

  test.each([
    ['a comparison', 'Is 3 < 4 and 5 > 4?'],
    ['the word analysis', 'analysis is my favourite subject'],
    ['a tag of another kind', 'Press <Enter> now.'],
    ['an unfinished tag at the end', 'I was about to <thi'],
    ['a bracket', 'Read [this] please'],
  ])('%s stays', (_, text) => {
    for (const chunks of [[text], [...text]]) expect(strip(chunks)).toMatchObject({ speech: text, reasoning: '' });
  });

  test('text before a stray closing tag is taken back', () => {
    // A template that ends in "<think>" makes the model begin inside the block: only its end is ever written.
    expect(strip(['The user wants ', 'the time.</thi', 'nk>It is noon.'])).toMatchObject({
      speech: 'It is noon.',
      retracted: true,
    });
  });

  test('a model known to do that is waited for, so nothing has to be taken back', () => {
    expect(strip(['The user wants ', 'the time.</thi', 'nk>It is noon.'], { expectClosing: true })).toEqual({
      speech: 'It is noon.',
      reasoning: 'The user wants the time.',
      retracted: false,
    });
  });

  test('waiting for a closing tag that never comes loses nothing', () => {
    expect(strip(['Hello ', 'there.'], { expectClosing: true })).toMatchObject({
      speech: 'Hello there.',
      reasoning: '',
    });
  });

  const pieces = [
    '<think>',
    '</think>',
    '<',
    '>',
    '</',
    'think',
    '<|channel|>',
    'analysis',
    'final',
    '<|message|>',
    '<|end|>',
    '[THINK]',
    '[/THINK]',
    'assistantfinal',
    ' ',
    'Hello. ',
    'a',
    '\n',
    '<reasoning x="1">',
    '</reasoning>',
  ];

  test('the result does not depend on where the stream was cut', () => {
    fc.assert(
      fc.property(chunked(textOf(pieces)), fc.boolean(), ({ text, chunks }, expectClosing) => {
        expect(strip(chunks, { expectClosing })).toEqual(strip([text], { expectClosing }));
      }),
      { numRuns: 2000 },
    );
  });

  test('no mark is ever spoken', () => {
    const whole = fc
      .array(
        fc.constantFrom(
          '<think>',
          '</think>',
          '<|channel|>analysis<|message|>',
          '<|end|>',
          '[THINK]',
          '[/THINK]',
          'Hello. ',
          'a',
          '\n',
          '<reasoning x="1">',
        ),
        { maxLength: 14 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(chunked(whole), ({ chunks }) => {
        expect(strip(chunks).speech).not.toMatch(/<\/?think>|\[\/?THINK\]|<\|channel\|>/);
      }),
      { numRuns: 2000 },
    );
  });

  test('from a model that only closes, what is too long to be spoken is reasoning', () => {
    const stripper = new ReasoningStripper({ expectClosing: true });
    const parts = [
      ...Array.from({ length: 1_000 }, () => 'a long thought ').flatMap((token) => stripper.push(token)),
      ...stripper.push('</think>Hello.'),
      ...stripper.end(),
    ];
    expect(parts.filter((part) => part.kind === 'speech')).toEqual([{ kind: 'speech', text: 'Hello.' }]);
    expect(
      parts
        .filter((part) => part.kind === 'reasoning')
        .map((part) => part.text)
        .join(''),
    ).toBe('a long thought '.repeat(1_000));
  });
});

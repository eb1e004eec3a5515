import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunked, textOf } from '../testing/chunked.ts';
import { ReplyText, type ReplyTextOptions, type ReplyTextOutput } from './reply-text.ts';

function run(chunks: readonly string[], options: ReplyTextOptions = { language: 'en' }): ReplyTextOutput[] {
  const reply = new ReplyText(options);
  return [...chunks.flatMap((chunk) => reply.push(chunk)), ...reply.end()];
}

function segments(outputs: readonly ReplyTextOutput[]): Extract<ReplyTextOutput, { kind: 'segment' }>[] {
  return outputs
    .slice(outputs.findLastIndex((output) => output.kind === 'retract') + 1)
    .filter((output) => output.kind === 'segment');
}

describe("a model's words on their way to the voice", () => {
  test('come out as segments that join into the message', () => {
    const said = segments(run(['Hel', 'lo there. ', '**How** are', ' you?']));
    expect(said.map((segment) => segment.text)).toEqual(['Hello there.', 'How are you?']);
    expect(said.map((segment) => segment.lead + segment.text).join('')).toBe('Hello there. How are you?');
  });

  test('Chinese sentences join without a space', () => {
    expect(segments(run(['你好。再见。'], { language: 'zh' })).map((segment) => segment.lead)).toEqual(['', '']);
  });

  test('a message that continues after a tool joins what was said before it', () => {
    expect(segments(run(['It is noon.'], { language: 'en', after: 'Let me check.' }))[0]?.lead).toBe(' ');
  });

  test('cues keep their place in the words', () => {
    const [first, second] = segments(run(['[happy] Hello there. I am **so** [sad] sorry.']));
    expect(first?.cues).toEqual([{ tag: 'happy', offset: 0 }]);
    expect(second?.cues).toEqual([{ tag: 'sad', offset: 'I am so'.length }]);
  });

  test('a cue before something unspeakable goes to the next segment', () => {
    expect(segments(run(['[happy]😀\nHello.']))).toMatchObject([
      { text: 'Hello.', cues: [{ tag: 'happy', offset: 0 }] },
    ]);
  });

  test('reasoning, code and tool calls written as text are not spoken', () => {
    const outputs = run(['<think>hm</think>Sure.\n```\nx=1\n```\n{"name":"f","arguments":{}}\nDone.']);
    expect(segments(outputs).map((segment) => segment.text)).toEqual(['Sure.', 'Done.']);
    expect(outputs[0]).toEqual({ kind: 'reasoning', text: 'hm' });
  });

  // Servers with the wrong template let the marks of turns through, and models go on with the words of somebody else.
  test.each([
    'Hello.<|im_end|>\n<|im_start|>user\nGoodbye.',
    '<|im_start|>assistant\nHello.',
    '<|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|>',
    '<start_of_turn>model\nHello.<end_of_turn>\n<start_of_turn>user\nGoodbye.',
    '<|START_THINKING|>Greet.<|END_THINKING|><|START_RESPONSE|>Hello.<|END_RESPONSE|>',
    '<|channel>thought\nGreet.<channel|>Hello.',
    'Hello.<｜end▁of▁sentence｜>',
    'Hello.[/INST]',
    'assistant\nHello.',
    'Assistant: Hello.',
  ])('marks of chat templates are not spoken: %j', (written) => {
    for (const chunks of [[written], [...written]])
      expect(segments(run(chunks)).map(({ text }) => text)).toEqual(['Hello.']);
  });

  test('JSON is not spoken, wherever it stands', () => {
    const written =
      'I found {"city": "Rome", "at": [1, 2]} there. Also [{"a": 1}, {"b": 2}]. Dear {name}, take {1, 2}.';
    for (const chunks of [[written], [...written]])
      expect(
        segments(run(chunks))
          .map(({ text }) => text)
          .join(' '),
      ).toBe('I found there. Also. Dear {name}, take {1, 2}.');
  });

  test('what is meant to be said stays, wherever the stream is cut', () => {
    const written = 'The result of 5*3 is 15, if a<b then c>d. Press [enter] &amp; wait: \\frac{1}{2}.';
    for (const chunks of [[written], [...written]])
      expect(segments(run(chunks)).map(({ text }) => text)).toEqual([
        'The result of 5×3 is 15, if a<b then c>d.',
        'Press [enter] & wait: 1/2.',
      ]);
  });

  test('a retracted beginning starts the message anew', () => {
    const outputs = run(['Thinking about it. Yes. ', '</think>', 'Hello.']);
    expect(outputs.some((output) => output.kind === 'retract')).toBe(true);
    expect(segments(outputs)).toMatchObject([{ text: 'Hello.', lead: '' }]);
  });

  test('what is spoken does not depend on where the stream was cut, and holds no markup', () => {
    const pieces = [
      'Hello. ',
      '<think>',
      '</think>',
      '[happy]',
      '**',
      '`',
      '```',
      '\n',
      'word ',
      '! ',
      '{"a":1}',
      '- ',
      '😀',
      ', ',
      '[',
      ']',
      '[enter]',
      '<b',
      '>',
      '&amp;',
      '&nbsp',
      ';',
      '5*3',
      '2 **10',
      '$x^2$',
      '\\frac{1}{2}',
      'am 3. ',
      'das ist ',
    ];
    fc.assert(
      fc.property(chunked(textOf(pieces)), fc.constantFrom('en', null), ({ text, chunks }, language) => {
        const said = segments(run(chunks, { language }));
        expect(said).toEqual(segments(run([text], { language })));
        for (const segment of said) expect(segment.text).not.toMatch(/\*\*|\n|^\s|\s$|^$/);
      }),
      { numRuns: 1000 },
    );
  });

  test('ends with the sentence that fills the room', () => {
    const reply = new ReplyText({ language: 'en', room: { characters: 10, segments: 9 } });
    const said = segments([...reply.push('Hello there. How are you? Fine. '), ...reply.end()]);
    expect(said.map((segment) => segment.text)).toEqual(['Hello there.']);
    expect(reply.isFull).toBe(true);
  });

  test('of many cues in one place the last one counts', () => {
    const [first] = segments(run([`${'[sad]'.repeat(5_000)}[happy] Hello there.`]));
    expect(first?.cues).toEqual([{ tag: 'happy', offset: 0 }]);
  });

  // Each of these texts was read from its beginning with every token, or once for each of its characters.
  test.each([' ', '.', '"', '\n', '{"\n', '{ ', '[', '[sad]', '<', '`', '\\', ', ', ',', 'a', '|', '😀'])(
    'a wall of %j is read once',
    (brick) => {
      const tokens = Array.from({ length: 50_000 }, () => brick);
      expect(run(['{', ...tokens]).length).toBeLessThan(10_000);
      expect(run([tokens.join('')]).length).toBeLessThan(10_000);
    },
  );
});

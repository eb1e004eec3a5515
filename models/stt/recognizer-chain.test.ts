import { describe, expect, test } from 'vitest';
import type { RecognitionOptions, SpeechRecognizer } from '../ports.ts';
import { createRecognizerChain } from './recognizer-chain.ts';

/** A recognizer whose answers the test gives itself. */
function recognizer(name: string, languages: readonly string[] | 'any') {
  const opened: { options: RecognitionOptions; calls: string[] }[] = [];
  const self = {
    name,
    languages,
    opened,
    refuses: false,
    open(options: RecognitionOptions) {
      if (self.refuses) throw new Error(`${name} refuses`);
      const calls: string[] = [];
      opened.push({ options, calls });
      return {
        write: () => void calls.push('write'),
        finish: () => void calls.push('finish'),
        reset: () => void calls.push('reset'),
        setLanguage: (code: string | null) => void calls.push(`language ${code}`),
        close: () => void calls.push('close'),
      };
    },
    close: async () => {},
  };
  return self satisfies SpeechRecognizer;
}

function setUp(...languages: (readonly string[] | 'any')[]) {
  const links = languages.map((codes, index) => recognizer(`r${index}`, codes));
  const clock = { now: 0 };
  const chain = createRecognizerChain(links, () => clock.now);
  const heard: string[] = [];
  const open = (language: string | null) =>
    chain.open({
      language,
      keyTerms: ['Parley'],
      handlers: {
        partial: () => {},
        final: (text) => heard.push(text),
        failed: ({ message }) => heard.push(message),
      },
    });
  return { links, clock, heard, chain, open, used: () => links.map(({ opened }) => opened.length) };
}

const sound = new Int16Array(160);

describe('several recognizers', () => {
  test('are asked in order, among those that understand the language', () => {
    const { open, links, used, chain } = setUp(['en'], 'any');
    open('en');
    expect(used()).toEqual([1, 0]);
    open('de');
    open(null);
    expect(used()).toEqual([1, 2]);
    expect(links[1]?.opened[0]?.options).toMatchObject({ language: 'de', keyTerms: ['Parley'] });
    expect(chain.languages).toBe('any');
  });

  test('take over from one that failed, and give it another chance later', () => {
    const { open, links, used, heard, clock } = setUp('any', 'any');
    open('en');
    links[0]?.opened[0]?.options.handlers.failed(new Error('gone'));
    expect(heard).toEqual(['gone']);
    open('en');
    expect(used()).toEqual([1, 1]);
    clock.now = 30_000;
    open('en');
    expect(used()).toEqual([2, 1]);
  });

  test('take over at once from one that does not open', () => {
    const { open, links, used } = setUp('any', 'any');
    links[0]!.refuses = true;
    open('en');
    expect(used()).toEqual([0, 1]);
    links[1]!.refuses = true;
    expect(() => open('en')).toThrow('refuses');
  });

  test('prefer one that failed to one that does not understand the language', () => {
    const { open, links, used } = setUp(['de'], ['en']);
    open('de');
    links[0]?.opened[0]?.options.handlers.failed(new Error('gone'));
    open('de');
    expect(used()).toEqual([2, 0]);
  });
});

describe('a stream whose language changes', () => {
  test('goes to another recognizer with the next utterance, once it owes nothing', () => {
    const { open, links, used, heard } = setUp(['en'], ['de']);
    const stream = open('en');
    const first = links[0]!.opened[0]!;
    stream.write(sound);
    stream.setLanguage('de');
    stream.write(sound);
    stream.finish();
    stream.write(sound);
    expect(used()).toEqual([1, 0]);
    stream.reset();
    first.options.handlers.final('hello', 'en');
    stream.write(sound);
    expect(used()).toEqual([1, 1]);
    expect(first.calls).toEqual(['write', 'language de', 'write', 'finish', 'write', 'reset', 'close']);
    expect(links[1]?.opened[0]).toMatchObject({ options: { language: 'de' }, calls: ['write'] });
    expect(heard).toEqual(['hello']);
  });

  test('stays where it is understood, or nowhere better', () => {
    const { open, used } = setUp('any', ['de']);
    const stream = open('en');
    stream.setLanguage('de');
    stream.write(sound);
    expect(used()).toEqual([1, 0]);
    const other = setUp(['en'], ['de']);
    const french = other.open('en');
    french.setLanguage('fr');
    french.write(sound);
    expect(other.used()).toEqual([1, 0]);
  });
});

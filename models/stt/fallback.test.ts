import { describe, expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { ProviderError, type RecognitionOptions, type SpeechRecognizer } from '../ports.ts';
import { CircuitBreaker } from '../circuit-breaker.ts';
import { createRecognizerFallback } from './fallback.ts';

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
  const clock = new SimulatedClock();
  const measured: string[] = [];
  const chain = createRecognizerFallback(
    links.map((link) => ({ provider: link.name, recognizer: link })),
    {
      circuits: new CircuitBreaker(() => clock.now()),
      timers: clock,
      measured: (result, provider, ms) => measured.push(`${provider} ${result} ${ms}`),
      failed: (provider, code) => measured.push(`${provider} failed ${code}`),
    },
  );
  const heard: string[] = [];
  const given: string[] = [];
  const open = (language: string | null, preferred: string | null = null) =>
    chain.open({
      language,
      preferred,
      keyTerms: ['Parley'],
      handlers: {
        partial: (text) => heard.push(`${text}…`),
        final: (text) => heard.push(text),
        failed: ({ message }) => heard.push(message),
        used: ({ provider, place }) => heard.push(`${provider}@${place}`),
        metered: ({ provider, place, amounts }) => given.push(`${provider}@${place} ${amounts.audioMs} ms`),
      },
    });
  /** What the nth stream of a recognizer was told, and how it answers. */
  const stream = (link: number, nth = 0) => links[link]!.opened[nth]!;
  return {
    links,
    clock,
    heard,
    given,
    measured,
    chain,
    open,
    stream,
    used: () => links.map(({ opened }) => opened.length),
  };
}

const sound = new Int16Array(160);

describe('several recognizers', () => {
  test('tell how much sound each was given, whatever became of it', () => {
    const { open, stream, given } = setUp('any', 'any');
    const user = open('en');
    const write = (times: number) => Array.from({ length: times }, () => user.write(sound));
    write(20);
    user.finish();
    stream(0).options.handlers.final('hello', 'en');
    write(30);
    // The next one gets all of it again.
    stream(0).options.handlers.failed(new ProviderError('r0', 'connect', 'lost'));
    write(10);
    user.close();
    expect(given).toEqual(['r0@0 200 ms', 'r0@0 300 ms', 'r1@1 400 ms']);
  });

  test('tell it from time to time while somebody speaks', () => {
    const { open, given } = setUp('any');
    const user = open('en');
    for (let ms = 0; ms < 12_000; ms += 10) user.write(sound);
    expect(given).toEqual(['r0@0 5000 ms', 'r0@0 5000 ms']);
  });

  test('are asked in order, among those that understand the language', () => {
    const { open, stream, used, chain } = setUp(['en'], 'any');
    open('en');
    expect(used()).toEqual([1, 0]);
    open('de');
    open(null);
    expect(used()).toEqual([1, 2]);
    expect(stream(1).options).toMatchObject({ language: 'de', keyTerms: ['Parley'] });
    expect(chain.languages).toBe('any');
  });

  test('begin with the one that is preferred, if it understands the language', () => {
    const { open, stream, used, heard } = setUp('any', 'any', ['en']);
    const user = open('de', 'r1');
    expect(used()).toEqual([0, 1, 0]);
    user.write(sound);
    user.finish();
    stream(1).options.handlers.final('hallo', 'de');
    // It stands in for nobody.
    expect(heard).toEqual(['r1@0', 'hallo']);
    open('de', 'r2');
    expect(used()).toEqual([1, 1, 0]);
  });

  test('give an utterance in which one dies to the next, from its beginning', () => {
    const { open, stream, heard, measured } = setUp('any', 'any');
    const user = open('en');
    user.write(sound);
    user.write(sound);
    stream(0).options.handlers.partial('what is');
    stream(0).options.handlers.failed(new Error('gone'));
    expect(stream(1).calls).toEqual(['write', 'write']);
    stream(1).options.handlers.partial('what');
    stream(1).options.handlers.partial('what is it');
    user.write(sound);
    user.finish();
    stream(1).options.handlers.final('what is it', 'en');
    stream(0).options.handlers.final('what', 'en');
    expect(heard).toEqual(['what is…', 'what is it…', 'r1@1', 'what is it']);
    expect(measured).toEqual(['r0 partial 0', 'r0 failed unavailable', 'r1 final 0']);
  });

  test('time the first words from the first sound, and the final from the end of the utterance', () => {
    const { open, stream, measured, clock } = setUp('any');
    const user = open('en');
    clock.increment(1_000);
    user.write(sound);
    clock.increment(400);
    stream(0).options.handlers.partial('');
    clock.increment(100);
    stream(0).options.handlers.partial('what');
    stream(0).options.handlers.partial('what is');
    user.finish();
    clock.increment(200);
    stream(0).options.handlers.final('what is it', 'en');
    expect(measured).toEqual(['r0 partial 500', 'r0 final 200']);
  });

  test('give all that has no final to the next, in order, and one final each', () => {
    const { open, stream, heard } = setUp('any', 'any');
    const user = open('en');
    user.write(sound);
    user.finish();
    user.write(sound);
    stream(0).options.handlers.failed(new Error('gone'));
    expect(stream(1).calls).toEqual(['write', 'finish', 'write']);
    stream(1).options.handlers.final('first', 'en');
    user.finish();
    stream(1).options.handlers.final('second', 'en');
    expect(heard).toEqual(['r1@1', 'first', 'r1@1', 'second']);
  });

  test('do not wait for one that hangs', () => {
    const { open, stream, heard, clock } = setUp('any', 'any');
    const user = open('en');
    user.write(sound);
    clock.increment(60_000);
    user.finish();
    clock.increment(3_999);
    expect(stream(0).calls).toEqual(['write', 'finish']);
    clock.increment(1);
    expect([stream(0).calls.at(-1), stream(1).calls]).toEqual(['close', ['write', 'finish']]);
    clock.increment(3_000);
    stream(1).options.handlers.final('hello', 'en');
    expect(heard).toEqual(['r1@1', 'hello']);
  });

  test('fail when none is left, once', () => {
    const { open, stream, heard } = setUp('any', 'any');
    const user = open('en');
    user.write(sound);
    user.finish();
    stream(0).options.handlers.failed(new Error('first gone'));
    stream(1).options.handlers.failed(new Error('second gone'));
    user.write(sound);
    expect(heard).toEqual(['second gone']);
  });

  test('rest after a failure, for all speakers, and are tried again by one of them', () => {
    const { open, stream, used, clock } = setUp('any', 'any');
    const user = open('en');
    user.write(sound);
    stream(0).options.handlers.failed(new Error('gone'));
    open('en');
    expect(used()).toEqual([1, 2]);
    clock.increment(5_000);
    user.finish();
    stream(1).options.handlers.final('one', 'en');
    user.write(sound);
    expect(used()).toEqual([2, 2]);
    open('en');
    expect(used()).toEqual([2, 3]);
    user.finish();
    stream(0, 1).options.handlers.final('two', 'en');
    open('en');
    expect(used()).toEqual([3, 3]);
  });

  test('rest for as long as they ask', () => {
    const { open, stream, used, clock } = setUp('any', 'any');
    open('en').write(sound);
    const limit = new ProviderError('r0', 'rate-limit', 'It has reached its limit.', { retryAfterMs: 60_000 });
    stream(0).options.handlers.failed(limit);
    clock.increment(59_999);
    open('en');
    expect(used()).toEqual([1, 2]);
    clock.increment(1);
    open('en');
    expect(used()).toEqual([2, 2]);
  });

  test('take over at once from one that does not open', () => {
    const { open, links, used } = setUp('any', 'any');
    links[0]!.refuses = true;
    open('en');
    expect(used()).toEqual([0, 1]);
    links[1]!.refuses = true;
    expect(() => open('en')).toThrow('No recognizer can be opened.');
  });

  test('never give a known language to one that does not understand it', () => {
    const { open, stream, used, heard } = setUp(['de'], ['en']);
    const user = open('de');
    user.write(sound);
    stream(0).options.handlers.failed(new Error('gone'));
    expect(heard).toEqual(['gone']);
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
    expect(heard).toEqual(['r0@0', 'hello']);
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

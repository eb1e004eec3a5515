import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TimedUnit } from '../../models/ports.ts';
import {
  abandoned,
  cut,
  due,
  EMPTY_LEDGER,
  failed,
  finished,
  resume,
  say,
  settle,
  spokenText,
  started,
  timed,
  type SpokenLedger,
} from './spoken-ledger.ts';

function ledgerOf(...texts: string[]): SpokenLedger {
  return texts.reduce(
    (ledger, text, at) => say(ledger, { segmentId: `s${at}`, text, lead: at === 0 ? '' : ' ' }),
    EMPTY_LEDGER,
  );
}

/** Words of 200 ms each with gaps of 50 ms. */
function evenWords(text: string): TimedUnit[] {
  return text.split(' ').map((word, at) => ({ text: word, startMs: at * 250, endMs: at * 250 + 200 }));
}

function withTimings(ledger: SpokenLedger, segmentId: string, text: string): SpokenLedger {
  const words = evenWords(text);
  return timed(ledger, { segmentId, words, durationMs: words.at(-1)?.endMs ?? 0, complete: true });
}

/**
 * Agents put the whole generated answer into the history although the user cut it after three words, and then refer to
 * things that nobody heard; others keep only whole sentences. What was heard is known to the word.
 */
const unspokenText = (ledger: SpokenLedger, at?: number): string =>
  ledger.segments
    .map(({ text }) => text)
    .join('')
    .slice(spokenText(ledger, at).length);

describe('only words that were heard enter the history', () => {
  const text = 'We are open from nine to five on weekdays.';
  const playing = started(withTimings(ledgerOf(text), 's0', text), 's0', 1000);

  test('a cut in mid-sentence keeps the words before it', () => {
    const after = cut(playing, 's0', 4 * 250 + 120);
    expect(spokenText(after)).toBe('We are open from nine');
    expect(unspokenText(after)).toBe(' to five on weekdays.');
  });

  test('a word counts once half of it was played', () => {
    expect(spokenText(cut(playing, 's0', 3 * 250 + 99))).toBe('We are open');
    expect(spokenText(cut(playing, 's0', 3 * 250 + 101))).toBe('We are open from');
  });

  test('a cut at the very start keeps nothing', () => {
    const after = cut(playing, 's0', 20);
    expect(spokenText(after)).toBe('');
  });

  test('segments behind the cut were not heard', () => {
    const ledger = cut(
      started(withTimings(ledgerOf('One two.', 'Three four.', 'Five.'), 's0', 'One two.'), 's0', 0),
      's0',
      230,
    );
    expect(spokenText(ledger)).toBe('One');
    expect(unspokenText(ledger)).toBe(' two. Three four. Five.');
  });

  test('a cut between two segments keeps all of the first', () => {
    const ledger = cut(finished(started(ledgerOf('One two.', 'Three.'), 's0', 0), 's0', 500), null, 0);
    expect(spokenText(ledger)).toBe('One two.');
  });

  test('without word times the words share the duration by their length', () => {
    const ledger = timed(started(ledgerOf('a bb cccccccccccccccccccc'), 's0', 0), {
      segmentId: 's0',
      words: [],
      durationMs: 1000,
      complete: true,
    });
    expect(spokenText(cut(ledger, 's0', 300))).toBe('a bb');
    expect(spokenText(cut(ledger, 's0', 1000))).toBe('a bb cccccccccccccccccccc');
  });

  test('before anything is known about times an ordinary rate of speech is assumed', () => {
    const ledger = cut(started(ledgerOf('one two three four five six seven eight nine ten'), 's0', 0), 's0', 1000);
    expect(spokenText(ledger)).toBe('one two three');
  });

  test('words that the synthesizer spells differently are found by their neighbors', () => {
    const words = [
      { text: 'it', startMs: 0, endMs: 100 },
      { text: 'costs', startMs: 100, endMs: 300 },
      { text: 'twenty', startMs: 300, endMs: 700 },
      { text: 'five', startMs: 700, endMs: 1000 },
      { text: 'dollars', startMs: 1000, endMs: 1500 },
    ];
    const ledger = timed(started(ledgerOf('It costs $25 dollars'), 's0', 0), {
      segmentId: 's0',
      words,
      durationMs: 1500,
      complete: true,
    });
    expect(spokenText(cut(ledger, 's0', 500))).toBe('It costs');
    expect(spokenText(cut(ledger, 's0', 900))).toBe('It costs $25');
  });

  test('Chinese has no spaces but words all the same', () => {
    const ledger = timed(started(ledgerOf('今天天气很好。'), 's0', 0), {
      segmentId: 's0',
      words: [],
      durationMs: 1200,
      complete: true,
    });
    const heard = spokenText(cut(ledger, 's0', 500));
    expect(heard.length).toBeGreaterThan(0);
    expect('今天天气很好。'.startsWith(heard)).toBe(true);
    expect(heard).not.toBe('今天天气很好。');
  });
});

/**
 * The network had died three seconds before that was noticed: sentences that were sent whole meanwhile counted as
 * heard.
 */
describe('what was sent and did not arrive was not heard', () => {
  const texts = ['One two three.', 'Four five six.', 'Seven eight nine.'] as const;
  /** Each sentence takes a second of 250 ms a word, one after the other; the third one is playing. */
  const sent = texts
    .slice(0, 2)
    .reduce(
      (ledger, text, at) =>
        finished(started(withTimings(ledger, `s${at}`, text), `s${at}`, at * 1000), `s${at}`, at * 1000 + 1000),
      withTimings(ledgerOf(...texts), 's2', texts[2]),
    );
  const speaking = started(sent, 's2', 2000);

  test('although its sentence was sent to the end', () => {
    expect(spokenText(cut(speaking, 's2', 800, 1400))).toBe('One two three. Four five');
    expect(spokenText(cut(speaking, 's2', 800, 1000))).toBe('One two three.');
    expect(spokenText(cut(speaking, 's2', 800, -1))).toBe('');
    expect(spokenText(cut(speaking, 's2', 800))).toBe('One two three. Four five six. Seven eight nine.');
  });

  test('nor does it count as played when the voice was stopped before', () => {
    expect(spokenText(cut(speaking, 's2', 150, 2900))).toBe('One two three. Four five six. Seven');
  });

  test('is said again, without its captions where they were given out', () => {
    const captioned = due(speaking, 2150);
    const lost = cut(captioned.ledger, 's2', 150, 1400);
    const { ledger, segments } = resume(lost, () => 'again');
    expect(segments.map((segment) => segment.text)).toEqual(['six.', 'Seven eight nine.']);
    expect(spokenText(lost)).toBe(captioned.chunk);
    expect(spokenText(ledger)).toBe(captioned.chunk);
  });
});

describe('captions in step with the sound', () => {
  test('come in groups of words while they are heard', () => {
    const text = 'We are open from nine to five on weekdays.';
    let ledger = started(withTimings(ledgerOf(text), 's0', text), 's0', 1000);
    const chunks: string[] = [];
    let at: number | null = 1000;
    while (at !== null) {
      const next = due(ledger, at);
      ledger = next.ledger;
      if (next.chunk !== '') chunks.push(next.chunk);
      at = next.nextAt;
    }
    expect(chunks.join('')).toBe(text);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.length).toBeLessThan(9);
    expect(chunks[1]).toMatch(/^ /);
  });

  test('what the end of a segment brings is everything that was missing', () => {
    const first = due(started(ledgerOf('Hello there.'), 's0', 0), 100);
    expect(due(finished(first.ledger, 's0', 900), 5000).chunk).toBe('Hello there.'.slice(first.chunk.length));
  });

  test('nothing is announced while nothing plays', () => {
    expect(due(ledgerOf('Hello.'), 1000)).toMatchObject({ chunk: '', nextAt: null });
  });
});

describe('an interruption that was none', () => {
  test('lets the sentence go on at the first word that was not heard', () => {
    const text = 'We are open from nine to five.';
    const stopped = cut(started(withTimings(ledgerOf(text, 'Come in.'), 's0', text), 's0', 0), 's0', 2 * 250 + 150);
    const { ledger, segments } = resume(stopped, () => `r${Math.random()}`);
    expect(segments.map((segment) => segment.text)).toEqual(['from nine to five.', 'Come in.']);
    const done = segments.reduce((now, segment) => finished(now, segment.segmentId, 5000), ledger);
    expect(spokenText(done)).toBe('We are open from nine to five. Come in.');
  });
});

describe('a sentence that the voice cannot say', () => {
  test('is left out when nothing was heard of it', () => {
    expect(spokenText(failed(ledgerOf('One two.', 'Three.'), 's0', 10))).toBe('');
    expect(unspokenText(failed(ledgerOf('One two.', 'Three.'), 's0', 10))).toBe(' Three.');
  });

  test('is over with what was heard when it breaks off', () => {
    const text = 'One two three four.';
    const broken = failed(started(withTimings(ledgerOf(text), 's0', text), 's0', 1000), 's0', 1000 + 400);
    expect(spokenText(broken, 99_999)).toBe('One two');
    expect(broken.segments.map((segment) => segment.state.kind)).toEqual(['finished']);
  });

  test('of many that are given up, what was given out stays', () => {
    const text = 'One two three four.';
    const playing = due(started(withTimings(ledgerOf(text, 'Five.'), 's0', text), 's0', 0), 400).ledger;
    expect(spokenText(abandoned(playing, 50_000), 99_999)).toBe('One two');
    expect(unspokenText(abandoned(playing, 50_000))).toBe('');
  });
});

describe('a message of hours', () => {
  test('is settled from its beginning, and what may still be lost is kept', () => {
    const texts = Array.from({ length: 40 }, (_, at) => `Sentence ${at}.`);
    let ledger = ledgerOf(...texts);
    let settled = '';
    texts.forEach((_, at) => {
      ledger = due(finished(started(ledger, `s${at}`, at * 1000), `s${at}`, at * 1000 + 900), at * 1000 + 900).ledger;
      const next = settle(ledger, at * 1000 + 900);
      ledger = next.ledger;
      settled += next.settled.map((segment) => segment.text).join('');
      expect(settled + spokenText(ledger)).toBe(texts.slice(0, at + 1).join(' '));
    });
    const left = ledger.segments.filter((segment) => segment.state.kind === 'finished').length;
    expect(left).toBeGreaterThanOrEqual(15);
    expect(left).toBeLessThan(24);
  });
});

describe('whatever happens', () => {
  const words = fc
    .array(fc.constantFrom('Hello', 'there,', 'I', 'am', 'fine.', '3.5', '“quoted”', 'слово', '你好', '—', 'e-mail'), {
      minLength: 1,
      maxLength: 8,
    })
    .map((list) => list.join(' '));
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('tick' as const), ms: fc.nat(900) }),
      fc.record({ kind: fc.constant('finish' as const) }),
      fc.record({ kind: fc.constant('time' as const), ms: fc.integer({ min: 1, max: 4000 }) }),
      fc.record({ kind: fc.constant('cut' as const), ms: fc.nat(3000) }),
    ),
    { maxLength: 20 },
  );

  test('spoken and unspoken make the whole, and captions are what was spoken', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 4 }), steps, (texts, moves) => {
        let ledger = ledgerOf(...texts);
        const whole = texts.join(' ');
        let now = 0;
        let playing = 0;
        let captions = '';
        let stopped = false;
        ledger = started(ledger, 's0', now);
        for (const move of moves) {
          if (move.kind === 'tick') now += move.ms;
          else if (move.kind === 'time')
            ledger = timed(ledger, { segmentId: `s${playing}`, words: [], durationMs: move.ms, complete: true });
          else if (move.kind === 'finish' && !stopped && playing < texts.length) {
            ledger = finished(ledger, `s${playing}`, now);
            playing += 1;
            ledger = started(ledger, `s${playing}`, now);
          } else if (move.kind === 'cut') {
            ledger = cut(ledger, playing < texts.length ? `s${playing}` : null, move.ms);
            stopped = true;
          }
          const next = due(ledger, now);
          ledger = next.ledger;
          captions += next.chunk;
          if (next.nextAt !== null) expect(next.nextAt).toBeGreaterThan(now);
          expect(spokenText(ledger, now) + unspokenText(ledger, now).slice(0)).toHaveLength(whole.length);
          expect(spokenText(ledger, now)).toBe(captions);
          if (stopped || playing === 0) expect(whole.startsWith(captions)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

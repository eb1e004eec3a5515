import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededIds } from '../kernel/seeded-ids.ts';
import {
  EMPTY_TALK_QUEUE,
  TALK_IDLE_MS,
  acceptChunk,
  acceptTalk,
  closeIdle,
  cutShort,
  dropAll,
  finishFront,
  frontStream,
  nextIdleAt,
  takePieces,
  type TalkChunk,
  type TalkQueue,
} from './talk-queue.ts';

const V4 = '0b9ad2b8-6b6e-4c1e-8a44-3a7c3a0d9f10';
const OTHER_V4 = '1c9ad2b8-6b6e-4c1e-9a44-3a7c3a0d9f11';

function rules(utterances = true) {
  return { ids: seededIds('test'), utterances };
}
function chunk(content: string, more: Partial<TalkChunk> = {}): TalkChunk {
  return { content, startOfSpeech: false, endOfSpeech: false, correlationId: 'a', utteranceId: null, ...more };
}
function feed(chunks: readonly TalkChunk[], utterances = true): TalkQueue {
  const shared = rules(utterances);
  return chunks.reduce((queue, item, at) => acceptChunk(queue, item, at * 100, shared), EMPTY_TALK_QUEUE);
}
function said(queue: TalkQueue): string {
  return takePieces(queue)
    .pieces.map((piece) => piece.text)
    .join('');
}

describe('talk streams', () => {
  test('keep their text in order and end with their last chunk', () => {
    const queue = feed([chunk('Hello ', { startOfSpeech: true }), chunk('there.'), chunk('', { endOfSpeech: true })]);
    expect(said(queue)).toBe('Hello there.');
    expect(frontStream(queue)).toMatchObject({ correlationId: 'a', end: 'closed' });
  });

  test('a chunk is taken once', () => {
    const { queue, pieces } = takePieces(feed([chunk('Hello ')]));
    expect(pieces).toHaveLength(1);
    expect(said(acceptChunk(queue, chunk('there.'), 1, rules()))).toBe('there.');
  });

  test('wait for each other in the order of their first chunks', () => {
    let queue = feed([chunk('one'), chunk('two', { correlationId: 'b' }), chunk(' more', { endOfSpeech: true })]);
    expect(said(queue)).toBe('one more');
    queue = finishFront(queue);
    expect(said(queue)).toBe('two');
  });

  test('an unknown id starts a stream even without startOfSpeech', () => {
    expect(said(feed([chunk('late start')]))).toBe('late start');
  });

  test('late chunks of a finished stream are dropped', () => {
    const finished = finishFront(feed([chunk('one', { endOfSpeech: true })]));
    expect(acceptChunk(finished, chunk('again', { startOfSpeech: true }), 5, rules())).toBe(finished);
  });

  test('chunks after the end of a stream are dropped', () => {
    expect(said(feed([chunk('one', { endOfSpeech: true }), chunk('two')]))).toBe('one');
  });

  test('a terminator of nothing is nothing', () => {
    expect(feed([chunk('', { endOfSpeech: true })])).toEqual(EMPTY_TALK_QUEUE);
  });

  /** Older client helpers send null as the correlation id. */
  test('chunks without an id continue the newest stream without one', () => {
    const queue = feed([
      chunk('one ', { correlationId: '', startOfSpeech: true }),
      chunk('two', { correlationId: '' }),
      chunk('three', { correlationId: '', startOfSpeech: true }),
    ]);
    expect(queue.streams.map((stream) => stream.pieces.map((piece) => piece.text).join(''))).toEqual([
      'one two',
      'three',
    ]);
    expect(queue.streams[0]?.correlationId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a talk command is a stream of its own, behind those before it', () => {
    const queue = acceptTalk(feed([chunk('first')]), 'Second.', 9, seededIds('x'));
    expect(queue.streams).toMatchObject([{ correlationId: 'a' }, { end: 'closed', pieces: [{ text: 'Second.' }] }]);
  });

  test('an interruption names every stream once and drops what comes late', () => {
    const { queue, interrupted } = dropAll(feed([chunk('one'), chunk('two', { correlationId: 'b' })]));
    expect(interrupted).toEqual(['a', 'b']);
    expect(said(acceptChunk(queue, chunk('late'), 9, rules()))).toBe('');
    expect(dropAll(queue).interrupted).toEqual([]);
  });

  test('more streams than anybody needs are not kept', () => {
    expect(
      feed(Array.from({ length: 200 }, (_, at) => chunk('x', { correlationId: `${at}` }))).streams.length,
    ).toBeLessThanOrEqual(64);
  });
});

describe('a stream without text', () => {
  test('is closed after 15 s', () => {
    const queue = acceptChunk(EMPTY_TALK_QUEUE, chunk('Hello'), 1000, rules());
    expect(nextIdleAt(queue)).toBe(1000 + TALK_IDLE_MS);
    expect(frontStream(closeIdle(queue, 1000 + TALK_IDLE_MS - 1))?.end).toBe('open');
    expect(frontStream(closeIdle(queue, 1000 + TALK_IDLE_MS))?.end).toBe('closed');
    expect(said(closeIdle(queue, 99_999))).toBe('Hello');
  });

  test('is not kept open by empty chunks', () => {
    const queue = acceptChunk(acceptChunk(EMPTY_TALK_QUEUE, chunk('Hello'), 1000, rules()), chunk(''), 9000, rules());
    expect(nextIdleAt(queue)).toBe(1000 + TALK_IDLE_MS);
  });

  test('with every stream closed there is nothing to wait for', () => {
    expect(nextIdleAt(feed([chunk('x', { endOfSpeech: true })]))).toBeNull();
  });
});

describe('too much text', () => {
  const page = 'x'.repeat(32 * 1024);

  test('closes the stream and is left out; what fits is kept', () => {
    const before = feed(Array.from({ length: 8 }, () => chunk(page)));
    expect(frontStream(before)).toMatchObject({ end: 'open', length: 256 * 1024 });
    const after = acceptChunk(before, chunk('One more.'), 1, { ids: seededIds('x'), utterances: true });
    expect(frontStream(after)).toMatchObject({ end: 'cut-short', length: 256 * 1024 });
    expect(said(after)).toBe(page.repeat(8));
    expect(cutShort(before, after).map((stream) => stream.correlationId)).toEqual(['a']);
    const later = acceptChunk(after, chunk('And more.'), 2, { ids: seededIds('x'), utterances: true });
    expect(cutShort(after, later)).toEqual([]);
  });

  test('in many streams is bounded together; there is room again when it is spoken', () => {
    const one = (correlationId: string) => Array.from({ length: 8 }, () => chunk(page, { correlationId }));
    const full = feed(['a', 'b', 'c', 'd'].flatMap(one));
    const before = feed([...['a', 'b', 'c', 'd'].flatMap(one), chunk('e', { correlationId: 'e' })]);
    expect(cutShort(full, before).map((stream) => stream.correlationId)).toEqual(['e']);
    expect(before.streams.at(-1)).toMatchObject({ correlationId: 'e', end: 'cut-short', pieces: [] });
    const spoken = finishFront(takePieces(full).queue);
    const after = acceptChunk(spoken, chunk('e', { correlationId: 'e' }), 1, rules());
    expect(after.streams.at(-1)).toMatchObject({ correlationId: 'e', end: 'open', length: 1 });
  });

  test('in utterances of a word each ends likewise', () => {
    const queue = feed(Array.from({ length: 1_500 }, () => chunk('word', { utteranceId: 'new' })));
    expect(frontStream(queue)?.end).toBe('cut-short');
    expect(takePieces(queue).pieces).toHaveLength(1_000);
  });
});

describe('utterances', () => {
  test('the first text of the second and later ones carries one joining space', () => {
    const queue = feed([
      chunk('One.', { utteranceId: V4 }),
      chunk(' Still one.'),
      chunk('Two.', { utteranceId: OTHER_V4 }),
    ]);
    expect(takePieces(queue).pieces).toEqual([
      { text: 'One. Still one.', utteranceId: V4, startsUtterance: true },
      { text: ' Two.', utteranceId: OTHER_V4, startsUtterance: true },
    ]);
  });

  test('a space that the client sent itself is not doubled', () => {
    expect(said(feed([chunk(' One.', { utteranceId: V4 }), chunk(' Two.', { utteranceId: OTHER_V4 })]))).toBe(
      'One. Two.',
    );
  });

  test('the terminator repeats the last id and starts nothing', () => {
    const queue = feed([chunk('One.', { utteranceId: V4 }), chunk('', { utteranceId: V4, endOfSpeech: true })]);
    expect(takePieces(queue).pieces).toHaveLength(1);
  });

  test.each(['ABC', V4.toUpperCase(), '0b9ad2b8-6b6e-1c1e-8a44-3a7c3a0d9f10', ''])(
    'the id "%s" is replaced by one of ours',
    (utteranceId) => {
      const [piece] = takePieces(feed([chunk('x', { utteranceId })])).pieces;
      expect(piece?.utteranceId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(piece?.utteranceId).not.toBe(utteranceId);
    },
  );

  test('older avatars know none: ids are dropped and the text stays as it is', () => {
    expect(
      takePieces(feed([chunk('One.', { utteranceId: V4 }), chunk(' Two.', { utteranceId: OTHER_V4 })], false)).pieces,
    ).toMatchObject([{ text: 'One. Two.', utteranceId: null }]);
  });
});

test('whatever arrives, streams are spoken whole, in order, and once', () => {
  const chunks = fc.array(
    fc.record({
      correlationId: fc.constantFrom('a', 'b', 'c'),
      content: fc.constantFrom('x', 'y', ''),
      startOfSpeech: fc.boolean(),
      endOfSpeech: fc.boolean(),
      utteranceId: fc.constant(null),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(chunks, (list) => {
      let queue = EMPTY_TALK_QUEUE;
      const spoken: string[] = [];
      const expected = new Map<string, string>();
      const closed = new Set<string>();
      for (const item of list) {
        if (
          !closed.has(item.correlationId) &&
          (expected.has(item.correlationId) || !(item.content === '' && item.endOfSpeech))
        ) {
          expected.set(item.correlationId, (expected.get(item.correlationId) ?? '') + item.content);
          if (item.endOfSpeech) closed.add(item.correlationId);
        }
        queue = acceptChunk(queue, item, 0, rules());
      }
      for (let front = frontStream(queue); front !== null; front = frontStream(queue)) {
        spoken.push(`${front.correlationId}:${said(queue)}`);
        queue = finishFront(queue);
      }
      expect(spoken).toEqual([...expected].map(([id, text]) => `${id}:${text}`));
    }),
  );
});

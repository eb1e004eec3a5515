import { array, assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerLimitError } from './answer-limits.ts';
import { UnitSplitter } from './unit-splitter.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text));
const text = (piece: Uint8Array): string => Buffer.from(piece).toString();
const units = (kind: 'event' | 'line', limits = { body: 1_000, unit: 100 }): UnitSplitter =>
  new UnitSplitter({ bodyBytes: limits.body, unit: { kind, bytes: limits.unit } });

describe('events of a stream', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\nda', ['data: a\n\ndata: b\n\n', 'da']],
    ['CR LF', 'data: a\r\n\r\nda', ['data: a\r\n\r\n', 'da']],
    ['CR alone', 'data: a\r\rda', ['data: a\r\r', 'da']],
    ['several lines', 'event: x\ndata: a\n\n', ['event: x\ndata: a\n\n', '']],
  ])('end with an empty line: %s', (_name, stream, [complete, rest]) => {
    const cut = units('event');
    expect(text(cut.take(bytes(stream)))).toBe(complete);
    expect(text(cut.rest())).toBe(rest);
  });

  it('are handed on whole, whatever pieces they come in', () => {
    const events = array(
      constantFrom('data: a\n\n', 'data: bc\ndata: d\n\n', ': ping\r\n\r\n', 'event: e\r\ndata: é\r\n\r\n'),
      { minLength: 1, maxLength: 8 },
    );
    assert(
      property(events, array(integer({ min: 1, max: 5 }), { minLength: 1 }), (sent, sizes) => {
        const stream = bytes(sent.join(''));
        const cut = units('event');
        const handed: string[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = sizes[turn % sizes.length] as number;
          handed.push(text(cut.take(stream.slice(at, at + size))));
          at += size;
        }
        expect(handed.join('')).toBe(sent.join(''));
        for (const piece of handed.filter((each) => each !== '')) expect(piece).toMatch(/\r?\n\r?\n$/);
      }),
    );
  });
});

describe('lines of a stream', () => {
  it('are handed on whole, the last one at the end', () => {
    const cut = units('line');
    expect(['{"a":', '1}\n{"b":2}\n{"c"', ':3}'].map((piece) => text(cut.take(bytes(piece))))).toEqual([
      '',
      '{"a":1}\n{"b":2}\n',
      '',
    ]);
    expect(text(cut.rest())).toBe('{"c":3}');
  });
});

describe('the limits', () => {
  const messageOf = (work: () => void): string => {
    try {
      work();
    } catch (error) {
      if (error instanceof AnswerLimitError) return error.message;
    }
    return 'accepted';
  };

  it('hold for a unit that does not end, and not for many that do', () => {
    const cut = units('event', { body: 100_000, unit: 4_096 });
    for (let at = 0; at < 20; at += 1) cut.take(bytes(`data: ${'x'.repeat(1_000)}\n\n`));
    expect(
      messageOf(() => {
        for (;;) cut.take(bytes('x'));
      }),
    ).toBe('sent an event of more than 4 KiB');
  });

  it('hold for the whole answer', () => {
    const cut = units('line', { body: 2 * 1024 * 1024, unit: 4_096 });
    expect(
      messageOf(() => {
        for (;;) cut.take(bytes('{}\n'.repeat(100)));
      }),
    ).toBe('sent more than 2 MiB');
  });
});

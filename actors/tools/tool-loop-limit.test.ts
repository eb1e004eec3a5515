import { describe, expect, test } from 'vitest';
import { CALLS_PER_TURN, IDENTICAL_CALLS, NEW_TOOL_LOOP, countToolCall } from './tool-loop-limit.ts';

function allowed(calls: readonly { name: string; arguments: string }[]): number {
  let loop = NEW_TOOL_LOOP;
  let count = 0;
  for (const call of calls) {
    const counted = countToolCall(loop, call);
    loop = counted.loop;
    if (!counted.allowed) return count;
    count += 1;
  }
  return count;
}

/** A model once called the hang-up tool 337 times in two and a half minutes, and nothing stopped it. */
describe('a model that calls without end is stopped', () => {
  test('after 10 calls of a turn', () => {
    expect(allowed(Array.from({ length: 337 }, (_, at) => ({ name: 't', arguments: `{"n":${at}}` })))).toBe(
      CALLS_PER_TURN,
    );
  });

  test('after 5 identical calls in a row', () => {
    expect(allowed(Array.from({ length: 337 }, () => ({ name: 'hang_up', arguments: '{}' })))).toBe(IDENTICAL_CALLS);
  });

  test('identical whatever the order of keys and the spaces', () => {
    const variants = ['{"a":1,"b":{"c":2,"d":3}}', '{ "b": {"d":3,"c":2}, "a": 1 }', '{"b":{"c":2,"d":3},"a":1.0}'];
    expect(allowed(Array.from({ length: 9 }, (_, at) => ({ name: 't', arguments: variants[at % 3] ?? '' })))).toBe(
      IDENTICAL_CALLS,
    );
  });

  test('no arguments and empty arguments are the same', () => {
    expect(allowed(Array.from({ length: 9 }, (_, at) => ({ name: 't', arguments: at % 2 === 0 ? '' : '{}' })))).toBe(
      IDENTICAL_CALLS,
    );
  });

  test('another call in between starts the count anew', () => {
    const same = { name: 't', arguments: '{}' };
    expect(allowed([same, same, same, same, { name: 'other', arguments: '{}' }, same, same, same, same, same])).toBe(
      10,
    );
  });

  test('arguments that are no JSON compare as text', () => {
    expect(allowed(Array.from({ length: 9 }, () => ({ name: 't', arguments: '{broken' })))).toBe(IDENTICAL_CALLS);
  });

  test('the order of a list matters', () => {
    expect(
      allowed(Array.from({ length: 9 }, (_, at) => ({ name: 't', arguments: at % 2 === 0 ? '[1,2]' : '[2,1]' }))),
    ).toBe(9);
  });
});

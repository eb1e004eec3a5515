import { expect, it } from 'vitest';
import { TextTail } from './text-tail.ts';

it('keeps the end of a text that comes in pieces', () => {
  const tail = new TextTail(5);
  for (const piece of ['one', 'two', 'three']) tail.add(Buffer.from(piece));
  expect(tail.text).toBe('three');
  tail.add(Buffer.from('x'.repeat(1_000)));
  expect(tail.text).toBe('xxxxx');
});

import { beforeEach, describe, expect, it } from 'vitest';
import { createAvatarMemory, type AvatarMemory } from './avatar-memory.ts';

describe('prepared avatars in memory', () => {
  let memory: AvatarMemory;
  let dropped: string[];
  const add = (key: string, bytes = 40): void => memory.add(key, bytes, () => dropped.push(key));
  beforeEach(() => {
    memory = createAvatarMemory(100);
    dropped = [];
  });

  it('stay within the limit: the one unused for longest goes', () => {
    for (const key of ['a', 'b', 'c', 'd']) add(key);
    expect(dropped).toEqual(['a', 'b']);
    expect(memory.bytes).toBe(80);
  });

  it('stay when they are asked for again', () => {
    add('a');
    add('b');
    memory.touch('a');
    add('c');
    expect(dropped).toEqual(['b']);
  });

  it('stay while a session shows them, and go once nobody does', () => {
    const first = memory.hold('a');
    const second = memory.hold('a');
    add('a');
    add('b');
    const third = memory.hold('b');
    add('c');
    expect(dropped, 'all of them are shown or new').toEqual([]);
    first();
    first();
    expect(dropped, 'somebody else shows it').toEqual([]);
    second();
    expect(dropped).toEqual(['a']);
    third();
    expect(memory.bytes).toBe(80);
  });

  it('keep the newest one even when it alone is too large', () => {
    add('huge', 500);
    expect(dropped).toEqual([]);
    add('small', 10);
    expect(dropped).toEqual(['huge']);
  });

  it('go when their avatar is deleted, whoever shows them', () => {
    const release = memory.hold('a');
    add('a');
    memory.forget('a');
    release();
    expect(dropped).toEqual(['a']);
    expect(memory.bytes).toBe(0);
  });
});

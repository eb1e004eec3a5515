import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breathGroups, splitForFirstSound } from './breath-groups.ts';

describe('a sentence is made in pieces', () => {
  it.each([
    ['How are you today?', ['How are you today?']],
    ['If you like, we can begin at once.', ['If you like, ', 'we can begin at once.']],
    // Too short to be said by themselves.
    ['Yes, of course I will.', ['Yes, of course I will.']],
    ['We can begin at once, yes.', ['We can begin at once, yes.']],
    ['It costs 1,234.50 in all countries', ['It costs 1,234.50 in all countries']],
    ['He said “begin at once,” and so we did.', ['He said “begin at once,” ', 'and so we did.']],
    ['', []],
  ])('%s', (text, groups) => {
    expect(breathGroups(text)).toEqual(groups);
  });

  it('that together are the text, and each have a word', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', '.', '”', 'é', '\n'), maxLength: 200 }),
        (text) => {
          const groups = breathGroups(text);
          expect(groups.join('')).toBe(text);
          if (text.trim() !== '') for (const group of groups) expect(group.trim()).not.toBe('');
        },
      ),
    );
  });

  it.each([
    ['How are you today?', ['How are you today?']],
    ['If you like, we can begin at once.', ['If you like, ', 'we can begin at once.']],
    [
      'The opening hours of the museum are posted at the entrance.',
      ['The opening hours ', 'of the museum are posted at the entrance.'],
    ],
    // The second piece was made for 3 s on a busy machine, and the first one was over after 0.8 s.
    [
      'Now I am going to tell you a long story about a small boat on a very wide and quiet river that nobody had seen.',
      [
        'Now I am going ',
        'to tell you a long story about a small boat ',
        'on a very wide and quiet river that nobody had seen.',
      ],
    ],
    [
      'Otorhinolaryngologists recommend regular examinations.',
      ['Otorhinolaryngologists ', 'recommend regular examinations.'],
    ],
    ['Donaudampfschifffahrtsgesellschaftskapitän', ['Donaudampfschifffahrtsgesellschaftskapitän']],
  ])('with few words at first when somebody waits: %s', (text, groups) => {
    expect(splitForFirstSound(text)).toEqual(groups);
    expect(groups.join('')).toBe(text);
  });
});

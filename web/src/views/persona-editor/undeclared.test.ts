import { expect, it } from 'vitest';
import { undeclaredNames } from './undeclared.ts';

it('names what texts say and nobody declares, once', () => {
  const texts = ['Hello {{guest}}, {{ room }}, {{room}}', null, '{{plan}} {{}} {{1a}}'];
  expect(undeclaredNames(texts, [{ name: 'guest' }])).toEqual(['room', 'plan']);
});

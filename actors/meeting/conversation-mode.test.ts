import { expect, test } from 'vitest';
import { conversationMode } from './conversation-mode.ts';

test.each([
  ['an ordinary session', null, 0, 'one-to-one'],
  ['groupCall: true', true, 0, 'group'],
  ['groupCall: true', true, 1, 'one-to-one'],
  ['groupCall: true', true, 2, 'group'],
  ['groupCall: true', true, 150, 'group'],
  ['groupCall: false', false, 0, 'one-to-one'],
  ['groupCall: false', false, 1, 'one-to-one'],
  ['groupCall: false', false, 2, 'one-to-one'],
  ['groupCall: false', false, 150, 'one-to-one'],
] as const)('%s (%s) with %d others: %s', (_, groupCall, others, mode) => {
  const meeting = groupCall === null ? null : { displayName: 'Elena (AI)', groupCall };
  expect(conversationMode(meeting, others)).toBe(mode);
});

import { expect, it } from 'vitest';
import { deliveryBadge, eventText } from './event-wording.ts';

it('says what happened, and shows a type that it does not know', () => {
  expect(eventText('voice.cloned')).toBe('voice.cloned');
  expect(eventText('tool.failed')).toBe('A tool call failed');
});

it('tells an event that waits for its first attempt from one that failed before', () => {
  expect(deliveryBadge({ status: 'pending', attempts: 0 }).text).toBe('Waits');
  expect(deliveryBadge({ status: 'pending', attempts: 2 }).text).toBe('Tried again later');
});

import { expect, it } from 'vitest';
import { linesWithCalls } from './lines-with-calls.ts';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const call = (toolName: string, seconds: number, status = 'completed') => ({
  toolCallId: `${toolName} ${seconds}`,
  toolName,
  status,
  startedAt: at(seconds),
  durationSeconds: 0.25,
});

/** Seen: the conversation left out what its answers came from. */
it('shows calls of tools where they were made', () => {
  const lines = linesWithCalls(
    [
      { role: 'user', message: 'Is a room free?', timestamp: at(10) },
      { role: 'persona', message: 'One is.', timestamp: at(12) },
      { role: 'user', message: 'Book it.', timestamp: at(20) },
    ],
    [{ toolCalls: [call('book', 22, 'failed'), call('free_rooms', 11)] }, {}],
  );
  expect(lines.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    'user: Is a room free?',
    'tool: free_rooms was called · 0.25 s',
    'persona: One is.',
    'user: Book it.',
    'tool: book failed · 0.25 s',
  ]);
});

it('keeps the order where no times are known', () => {
  const lines = linesWithCalls([{ role: 'user', message: 'Hello', timestamp: null }], [{ toolCalls: [call('x', 1)] }]);
  expect(lines.map(({ role }) => role)).toEqual(['user', 'tool']);
});

import type { LlmMessage, LlmRequest } from '../../ports.ts';

/** The shortest conversation: a system prompt and a question. */
export const QUESTION: LlmRequest = {
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello?' },
  ],
  tools: [],
  sessionId: 's',
  correlationId: 'c',
  language: null,
};

/**
 * A conversation that is hard to put into a form in which roles alternate: the persona begins, and calls two tools at
 * once, one with arguments that are not JSON; an instruction comes last.
 */
export function twoCalls(lookId: string, hearId: string, lookArguments: string): readonly LlmMessage[] {
  return [
    { role: 'assistant', content: 'Hi, I am Ada. ' },
    { role: 'user', content: 'Look!' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [
        { id: lookId, name: 'look', arguments: lookArguments },
        { id: hearId, name: 'hear', arguments: 'broken' },
      ],
    },
    { role: 'tool', toolCallId: lookId, content: 'blue' },
    { role: 'tool', toolCallId: hearId, content: 'birds' },
    { role: 'system', content: 'Be brief.' },
  ];
}

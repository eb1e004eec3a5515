import { expect, it } from 'vitest';
import { parseServerMessage } from '../../../clients/js/src/server-messages.ts';
import { describe as lineFor, timelineOf } from './timeline-event.ts';
import { EMPTY_TURN } from './turn-record.ts';

const message = (messageType: string, data: object) => parseServerMessage(JSON.stringify({ messageType, data }));
const speech = (role: string, last: boolean) =>
  message('speechText', { message_id: 'm', content: 'x', role, end_of_speech: last, interrupted: false });

it('writes a line of the timeline only for what marks a moment', () => {
  const lines = [
    message('userSpeechStarted', {}),
    speech('persona', false),
    speech('persona', true),
    message('toolCallCompleted', { tool_name: 'faq', documents_accessed: ['a.pdf'] }),
  ].map((one) => (one === null ? null : lineFor(one)));
  expect(lines).toEqual([
    { kind: 'user', label: 'You began to speak' },
    null,
    { kind: 'persona', label: 'Finished speaking' },
    { kind: 'tool', label: 'faq read a.pdf' },
  ]);
});

it("joins the service's log with what its turns say about the floor", () => {
  const turn = {
    ...EMPTY_TURN,
    turnIndex: 1,
    correlationId: 'c',
    userSpeechEndedAt: 1000,
    endOfTurnAt: 1400,
    speakingStartedAt: 1700,
    speakingEndedAt: 2000,
    finishReason: 'interrupted',
  } as const;
  const log = [
    { at: 10, kind: 'peer', label: 'connected (first)' },
    { at: 1500, kind: 'llm', label: 'tool call: faq' },
    { at: 1600, kind: 'something-new', label: '' },
  ];
  expect(timelineOf([turn], log).map(({ at, kind }) => [at, kind])).toEqual([
    [10, 'network'],
    [1400, 'floor'],
    [1500, 'persona'],
    [1600, 'service'],
    [1700, 'floor'],
    [2000, 'floor'],
  ]);
  expect(timelineOf([turn], log)[1]?.label).toContain('400 ms');
});

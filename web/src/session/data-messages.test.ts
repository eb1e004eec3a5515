import { expect, it } from 'vitest';
import { parseDataMessage } from './data-messages.ts';
import { floorAfter, floorAfterTyping, holderOf, QUIET_FLOOR } from './floor.ts';
import { describe as lineFor, timelineOf } from './timeline-event.ts';
import { EMPTY_TURN } from './turn-record.ts';

const message = (messageType: string, data: object) => parseDataMessage(JSON.stringify({ messageType, data }));
const speech = (role: string, last: boolean) =>
  message('speechText', {
    message_id: 'm',
    content: 'x',
    role,
    end_of_speech: last,
    interrupted: false,
    user_action_correlation_id: 'c',
  });

it('reads the messages of a conversation', () => {
  expect(
    message('speechText', {
      message_id: 'm',
      content: 'Hi',
      role: 'persona',
      end_of_speech: true,
      interrupted: true,
      user_action_correlation_id: 'c',
    }),
  ).toEqual({
    kind: 'speech',
    role: 'persona',
    messageId: 'm',
    text: 'Hi',
    last: true,
    interrupted: true,
    turn: 'c',
  });
  expect(
    message('toolCallFailed', {
      tool_call_id: 't',
      tool_name: 'faq',
      tool_type: 'server',
      arguments: { q: 1 },
      error_message: 'late',
    }),
  ).toMatchObject({ kind: 'tool', phase: 'failed', error: 'late', args: { q: 1 } });
  expect(message('toolCallCompleted', { tool_name: 'faq', documents_accessed: ['a.pdf', 7] })).toMatchObject({
    phase: 'completed',
    documents: ['a.pdf'],
    error: null,
  });
});

it('ignores what it does not know', () => {
  for (const text of [
    '',
    'null',
    '[]',
    '7',
    '{"messageType":"speechText"}',
    '{"messageType":"new","data":{}}',
    '{"messageType":5,"data":{}}',
    '{"data":{}}',
  ])
    expect(parseDataMessage(text)).toBeNull();
});

it('knows who has the floor', () => {
  const steps = [
    [message('userSpeechStarted', {}), 'you'],
    [message('userSpeechEnded', {}), 'thinking'],
    [speech('user', true), 'thinking'],
    [speech('persona', false), 'persona'],
    [message('userSpeechStarted', {}), 'both'],
    [speech('persona', true), 'you'],
    [message('userSpeechEnded', {}), 'thinking'],
    [speech('persona', false), 'persona'],
    [speech('persona', true), 'nobody'],
  ] as const;
  let floor = QUIET_FLOOR;
  for (const [step, holder] of steps) {
    if (step !== null) floor = floorAfter(floor, step);
    expect(holderOf(floor)).toBe(holder);
  }
  expect(holderOf(floorAfterTyping(QUIET_FLOOR))).toBe('thinking');
});

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

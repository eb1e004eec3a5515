import { describe, expect, test } from 'vitest';
import {
  EVENT_RESULT_MAX_BYTES,
  toolCallCompleted,
  toolCallFailed,
  toolCallStarted,
  type ToolCallIdentity,
} from './tool-events.ts';

const call: ToolCallIdentity = {
  sessionId: 's',
  callId: 'fc_1',
  tool: { name: 'weather', kind: 'webhook' },
  args: { city: 'Rome' },
  correlationId: 'u1',
  userActionTime: '2026-01-01T00:00:00.000Z',
};
const time = '2026-01-01T00:00:01.000Z';

describe('messages about a tool call', () => {
  test('started carries no outcome', () => {
    expect(toolCallStarted(call, time, 'e1')).toEqual({
      messageType: 'toolCallStarted',
      data: {
        event_uid: 'e1',
        session_id: 's',
        tool_call_id: 'fc_1',
        tool_name: 'weather',
        tool_type: 'server',
        tool_subtype: 'webhook',
        arguments: { city: 'Rome' },
        timestamp: time,
        timestamp_user_action: call.userActionTime,
        user_action_correlation_id: 'u1',
        used_outside_engine: true,
      },
    });
  });

  test('completed always has a result key, null when there is nothing', () => {
    expect(toolCallCompleted(call, time, 'e', { result: undefined }).data).toMatchObject({ result: null });
    expect(toolCallCompleted(call, time, 'e', { result: { a: 1 } }).data).toMatchObject({ result: { a: 1 } });
  });

  test('only knowledge tools name the documents', () => {
    expect(toolCallCompleted(call, time, 'e', { result: 'x', documentsAccessed: ['a.pdf'] }).data).not.toHaveProperty(
      'documents_accessed',
    );
    expect(
      toolCallCompleted({ ...call, tool: { name: 'k', kind: 'rag' } }, time, 'e', {
        result: 'x',
        documentsAccessed: ['a.pdf'],
      }).data,
    ).toMatchObject({ documents_accessed: ['a.pdf'], tool_type: 'server', tool_subtype: 'rag' });
  });

  test('failed has a message and no result', () => {
    const { data } = toolCallFailed(call, time, 'e', 'status 500');
    expect(data).toMatchObject({ error_message: 'status 500' });
    expect(data).not.toHaveProperty('result');
  });

  test.each([
    ['client', 'client', null],
    ['system', 'system', null],
    ['rag', 'server', 'rag'],
    ['webhook', 'server', 'webhook'],
  ] as const)('a %s tool is of type %s', (kind, type, subtype) => {
    expect(toolCallStarted({ ...call, tool: { name: 't', kind } }, time, 'e').data).toMatchObject({
      tool_type: type,
      tool_subtype: subtype,
    });
  });

  test('a message stays below 16 KiB whatever came back', () => {
    const big = { ...call, args: { text: 'é'.repeat(10_000) } };
    for (const result of [
      '漢'.repeat(20_000),
      '"'.repeat(20_000),
      '\u0001'.repeat(20_000),
      { rows: Array.from({ length: 3000 }, (_, at) => ({ at, name: 'é' })) },
    ]) {
      const message = toolCallCompleted(big, time, 'e', { result });
      expect(Buffer.byteLength(JSON.stringify(message.data))).toBeLessThan(16 * 1024);
      expect(Buffer.byteLength(String((message.data as { result: unknown }).result))).toBeLessThanOrEqual(
        EVENT_RESULT_MAX_BYTES,
      );
      expect(String((message.data as { result: unknown }).result)).not.toContain('\ufffd');
    }
  });

  test('a client tool gets its arguments whole, since it has to run with them', () => {
    const args = { text: 'x'.repeat(5000) };
    expect(toolCallStarted({ ...call, tool: { name: 't', kind: 'client' }, args }, time, 'e').data).toMatchObject({
      arguments: args,
    });
  });
});

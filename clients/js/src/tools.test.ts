import { beforeAll, expect, it, vi } from 'vitest';
import { Emitter } from './emitter.ts';
import type { ClientEvents } from './events.ts';
import type { ToolCall, ToolCallHandler } from './tool-call.ts';
import { liveClient } from './testing/live-client.ts';
import { Tools } from './tools.ts';

const reported = vi.fn();
beforeAll(() => void Object.assign(globalThis, { reportError: reported }));

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const call = (more: Partial<ToolCall> = {}): ToolCall => ({
  eventUid: 'e',
  sessionId: 's',
  toolCallId: 't',
  toolName: 'weather',
  toolType: 'client',
  arguments: { city: 'Paris' },
  timestamp: at(0),
  timestampUserAction: at(0),
  userActionCorrelationId: 'c',
  ...more,
});

function scene(handlers: Readonly<Record<string, ToolCallHandler>> = {}) {
  let now = 0;
  const events = new Emitter<ClientEvents>();
  const told: [string, Record<string, unknown>][] = [];
  for (const name of ['TOOL_CALL_STARTED', 'TOOL_CALL_COMPLETED', 'TOOL_CALL_FAILED'] as const)
    events.add(name, (payload) => told.push([name, { ...payload }]));
  const answers: unknown[] = [];
  const tools = new Tools({ events, answer: (_, outcome) => answers.push(outcome), now: () => now });
  for (const [name, handler] of Object.entries(handlers)) tools.register(name, handler);
  return { tools, told, answers, pass: (ms: number) => (now += ms), names: () => told.map(([name]) => name) };
}

it('gives the service what the handler returns, any JSON value', async () => {
  const onComplete = vi.fn();
  const { tools, answers, told, names } = scene({
    weather: { onStart: async ({ arguments: { city } }) => ({ city, sunny: true }), onComplete },
  });
  tools.take('started', call());
  await expect.poll(() => answers).toEqual([{ result: { city: 'Paris', sunny: true } }]);
  await expect.poll(() => onComplete.mock.calls).toHaveLength(1);
  expect(names()).toEqual(['TOOL_CALL_STARTED', 'TOOL_CALL_COMPLETED']);
  expect(told[1]?.[1]).toMatchObject({ result: { city: 'Paris', sunny: true }, toolCallId: 't' });
});

it('tells the service of what the handler throws', async () => {
  const onFail = vi.fn();
  const { tools, answers, names } = scene({
    weather: {
      onStart: () => {
        throw new Error('no network');
      },
      onFail,
    },
  });
  tools.take('started', call());
  await expect.poll(() => answers).toEqual([{ error: 'no network' }]);
  await expect.poll(() => onFail.mock.calls[0]?.[0]).toMatchObject({ errorMessage: 'no network' });
  expect(names()).toEqual(['TOOL_CALL_STARTED', 'TOOL_CALL_FAILED']);
});

/**
 * Such a result threw where it was to be sent, which nobody caught: the page got an unhandled rejection, and the persona
 * waited until the tool timed out.
 */
it.each([
  ['is no JSON', Object.assign([], { toJSON: () => BigInt(1) }), /BigInt/],
  ['is too long', 'x'.repeat(65_537), /at most/],
])('tells the service of a result that %s', async (_, result, message) => {
  const { client, world } = await liveClient();
  client.registerToolCallHandler('weather', { onStart: () => result });
  const channel = world.peers[0]!.channel;
  channel.receive('toolCallStarted', {
    tool_call_id: 't',
    tool_name: 'weather',
    tool_type: 'client',
    arguments: {},
    timestamp: at(0),
  });
  await expect.poll(() => channel.sent).toMatchObject([{ tool_call_id: 't', error: expect.stringMatching(message) }]);
});

it('answers success without content when the handler returns nothing', async () => {
  const { tools, answers } = scene({ weather: { onStart: () => undefined } });
  tools.take('started', call());
  await expect.poll(() => answers).toEqual([{}]);
});

it('drops a result that comes after the service has given up', async () => {
  const finish = Promise.withResolvers<string>();
  const { tools, answers, names } = scene({ weather: { onStart: () => finish.promise } });
  tools.take('started', call());
  await Promise.resolve();
  tools.take('failed', call({ errorMessage: 'no response', timestamp: at(10) }));
  finish.resolve('late');
  await finish.promise;
  await Promise.resolve();
  expect(answers).toEqual([]);
  expect(names()).toEqual(['TOOL_CALL_STARTED', 'TOOL_CALL_FAILED']);
});

it('runs a call once that the service repeats after an outage', async () => {
  const onStart = vi.fn(() => 'done');
  const { tools, answers } = scene({ weather: { onStart } });
  tools.take('started', call());
  tools.take('started', call());
  await expect.poll(() => answers).toHaveLength(1);
  expect(onStart).toHaveBeenCalledTimes(1);
});

it('only watches tools of the service, and says how long they took', async () => {
  const onStart = vi.fn(() => 'ignored');
  const { tools, answers, told } = scene({ '*': { onStart } });
  tools.take('started', call({ toolType: 'server' }));
  tools.take('completed', call({ toolType: 'server', result: 5, documentsAccessed: ['a.pdf'], timestamp: at(3) }));
  tools.take('failed', call({ toolType: 'server', errorMessage: 'late', timestamp: at(4) }));
  await expect.poll(() => onStart.mock.calls).toHaveLength(1);
  expect(told[1]?.[1]).toMatchObject({ result: 5, documentsAccessed: ['a.pdf'], executionTime: 3_000 });
  expect(told).toHaveLength(2);
  expect(answers).toEqual([]);
});

it('reports what onComplete throws to the page and goes on', async () => {
  const { tools } = scene({
    weather: {
      onComplete: () => {
        throw new Error('broken page');
      },
    },
  });
  tools.take('started', call({ toolType: 'server' }));
  tools.take('completed', call({ toolType: 'server', result: 1 }));
  await expect.poll(() => reported.mock.calls.flat()).toContainEqual(new Error('broken page'));
});

it('answers nothing once its handler was removed', async () => {
  const { tools, answers, names } = scene();
  tools.register('weather', { onStart: () => 'x' })();
  tools.take('started', call());
  await Promise.resolve();
  expect(answers).toEqual([]);
  expect(names()).toEqual(['TOOL_CALL_STARTED']);
});

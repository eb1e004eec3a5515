import { expect, it } from 'vitest';
import { runTool } from './tools.ts';

const call = (toolName: string, toolType: 'client' | 'server' = 'client') => ({
  eventUid: 'e',
  sessionId: 's',
  toolCallId: 't',
  toolName,
  toolType,
  arguments: { city: 'Paris' },
  timestamp: '',
  timestampUserAction: '',
  userActionCorrelationId: 'c',
});

it('gives a tool its arguments', () => {
  expect(runTool({ weather: ({ city }) => `Sunny in ${String(city)}` }, call('weather'))).toBe('Sunny in Paris');
});

it.each(['weather', 'toString'])('tells the LLM that the page has no tool %s', (name) => {
  expect(() => runTool({}, call(name))).toThrow(`no tool "${name}"`);
});

it('leaves the tools of the service alone', () => {
  expect(runTool({}, call('search', 'server'))).toBeUndefined();
});

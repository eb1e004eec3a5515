import { afterEach, expect, it } from 'vitest';
import type { LlmEvent, LlmRequest } from '../ports.ts';
import { createLanguageModel, EndpointLatencies } from './index.ts';
import { messageOf, namedEvents, stopOf, toolUseOf } from './testing/anthropic-events.ts';
import { delta, scriptedServer, sse, type Script, type ScriptedServer } from './testing/scripted-server.ts';
import { WireToolNames } from './wire-tool-names.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

it('are told apart, also when they become alike', () => {
  const names = new WireToolNames([{ name: 'maps.find' }, { name: 'maps_find' }, { name: 'maps-find' }]);
  const wire = ['maps.find', 'maps_find', 'maps-find'].map((name) => names.toWire(name));
  expect(wire).toEqual(['maps_find_2', 'maps_find', 'maps-find']);
  expect(wire.map((name) => names.fromWire(name))).toEqual(['maps.find', 'maps_find', 'maps-find']);
});

it('never begin with a digit, which Gemini refuses', () => {
  const names = new WireToolNames([{ name: '2weather' }]);
  expect([names.toWire('2weather'), names.fromWire('_2weather')]).toEqual(['_2weather', '2weather']);
});

it('may be of tools that the conversation no longer has', () => {
  const names = new WireToolNames([]);
  expect([names.toWire('maps.find'), names.fromWire('unknown')]).toEqual(['maps_find', 'unknown']);
});

it.each<[string, Script]>([
  [
    'openai',
    (response) =>
      sse(response, [
        delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'maps_find', arguments: '{}' } }] }, 'tool_calls'),
      ]),
  ],
  [
    'anthropic',
    (response) => namedEvents(response, [messageOf(), ...toolUseOf(0, 'c', 'maps_find', []), ...stopOf('tool_use')]),
  ],
])('go out and come back with %s', async (format, script) => {
  const server = await scriptedServer(script);
  servers.push(server);
  const model = createLanguageModel(
    { name: 'm', format, urls: [{ url: server.url }], modelName: 'm', secret: 's' },
    { latencies: new EndpointLatencies() },
  );
  const request: LlmRequest = {
    messages: [
      { role: 'user', content: 'Where?' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'b', name: 'maps.find', arguments: '{}' }] },
      { role: 'tool', toolCallId: 'b', content: 'Here.' },
    ],
    tools: [{ name: 'maps.find', description: 'Finds', parameters: { type: 'object' } }],
    sessionId: 's',
    correlationId: 'c',
    language: null,
  };
  const events: LlmEvent[] = [];
  for await (const event of model.stream(request, new AbortController().signal)) events.push(event);
  expect(events[0]).toMatchObject({ type: 'tool-call', call: { name: 'maps.find' } });
  const sent = JSON.stringify(server.seen[0]?.body);
  expect(sent.match(/maps_find/g)).toHaveLength(2);
  expect(sent).not.toContain('maps.find');
});

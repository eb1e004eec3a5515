import { expect, it, onTestFinished } from 'vitest';
import type { McpServer as Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { McpServer } from '../../../actors/session-config.ts';
import { createOfflineLlm } from '../../../models/llm/offline-llm.ts';
import { eventually } from '../../testing/eventually.ts';
import { listMcpTools } from '../../tools/mcp/list-mcp-tools.ts';
import { mcpService } from '../../tools/mcp/testing/mcp-service.ts';
import { asEvents, floodingServer, pings } from '../../tools/mcp/testing/flooding-server.ts';
import { openLiveEngine } from '../testing/live-engine.ts';

it('a persona answers with a tool of an MCP server, the client is told, and the connection ends with the session', async () => {
  const asked: unknown[] = [];
  const service = await mcpService((server: Server) => {
    server.registerTool(
      'check_weather',
      { description: 'Checks the weather in a city.', inputSchema: z.object({ city: z.string() }) },
      (args) => {
        asked.push(args);
        return { content: [{ type: 'text', text: 'Sunny and 21 degrees.' }], structuredContent: { degrees: 21 } };
      },
    );
  });
  onTestFinished(() => service.close());
  const server: McpServer = { id: 's', name: 'Sky', url: service.url, auth: { type: 'none' }, timeoutSeconds: 30 };
  const { tools } = await listMcpTools(server, fetch, new AbortController().signal);
  const live = await openLiveEngine({
    llm: createOfflineLlm(),
    config: {
      tools: tools.map(({ name, description, parameters }) => ({
        kind: 'mcp' as const,
        name: `Sky_${name}`,
        description,
        parameters,
        disableInterruptions: false,
        server,
        remoteName: name,
      })),
    },
  });
  onTestFinished(() => live.close());
  const client = await live.connect();

  client.say('Please check the weather in Lisbon.');
  await eventually(() => expect(asked).toEqual([{ city: 'Lisbon' }]));
  const events = () => client.messages.filter(({ messageType }) => messageType.startsWith('toolCall'));
  await eventually(() => expect(events().map(({ messageType }) => messageType)).toContain('toolCallCompleted'));
  expect(events()).toMatchObject([
    { messageType: 'toolCallStarted', data: { tool_name: 'Sky_check_weather', tool_type: 'server' } },
    { messageType: 'toolCallCompleted', data: { result: { degrees: 21 }, tool_subtype: null } },
  ]);
  const spoken = () =>
    live.entries.flatMap((entry) =>
      entry.kind === 'message' && entry.message.role === 'persona' ? [entry.message.text] : [],
    );
  await eventually(() => expect(spoken().join(' ')).toContain('21 degrees'));
  expect(live.entries).toContainEqual(
    expect.objectContaining({
      kind: 'toolCall',
      call: expect.objectContaining({ status: 'completed', toolName: 'Sky_check_weather', toolSubtype: null }),
    }),
  );

  live.engine.stopSession(live.sessionId, 'stopped_by_api');
  await eventually(() => expect(service.seen.filter((request) => request === 'DELETE')).toHaveLength(2));
});

/** Symptom: gaps of seconds in everybody's sound. The library answered 15,000 pings with a connection each. */
it('an MCP server that floods costs its own call, and the conversation goes on', async () => {
  const service = await floodingServer(asEvents(pings(15_000, 'ping')));
  onTestFinished(() => service.close());
  const live = await openLiveEngine({
    llm: createOfflineLlm(),
    config: {
      tools: [
        {
          kind: 'mcp',
          name: 'check_weather',
          description: 'Checks the weather.',
          parameters: { type: 'object' },
          disableInterruptions: false,
          server: { id: 's', name: 'Sky', url: service.url, auth: { type: 'none' }, timeoutSeconds: 30 },
          remoteName: 'flood',
        },
      ],
    },
  });
  onTestFinished(() => live.close());
  const client = await live.connect();
  client.say('Please check the weather.');
  await eventually(() =>
    expect(live.entries).toContainEqual(
      expect.objectContaining({
        kind: 'toolCall',
        call: expect.objectContaining({
          status: 'failed',
          errorMessage: 'The MCP server sent more than 32 requests during a call.',
        }),
      }),
    ),
  );
  expect(service.answers()).toBeLessThanOrEqual(32);
  expect(service.connections()).toBeLessThan(8);
  const replies = () =>
    live.entries.filter((entry) => entry.kind === 'message' && entry.message.role === 'persona').length;
  await eventually(() => expect(replies()).toBeGreaterThan(0));
  const before = replies();
  client.say('What is two plus two?');
  await eventually(() => expect(replies()).toBeGreaterThan(before));
});

it('missing tools of an MCP server are a warning for the client, and one in the report', async () => {
  const text = 'The MCP server "Sky" does not answer: its tools are missing.';
  const live = await openLiveEngine({ llm: createOfflineLlm(), warnings: [{ code: 'mcp_tools_missing', text }] });
  onTestFinished(() => live.close());
  const client = await live.connect();
  await eventually(() => expect(client.signals).toContain('warning'));
  expect(live.entries).toContainEqual(expect.objectContaining({ kind: 'warning', code: 'mcp_tools_missing' }));
});

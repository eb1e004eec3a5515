import { asEvents, floodingServer, pings, type Flood } from '../../../engine/tools/mcp/testing/flooding-server.ts';
import { callApi } from '../../lib/call-api.ts';
import type { Attack } from '../attack.ts';
import { counted } from '../counted.ts';

/** Calls one after the other: each is as long as an answer may be. */
const CALLS = 10;

/** An MCP server of the attacker. Everybody with a key may configure one. The calls go where those of sessions go. */
function mcpFlood(name: string, what: string, flood: Flood): Attack {
  return {
    name,
    what,
    prepare: async () => async (service) => {
      const server = await floodingServer(flood);
      const { id } = await callApi<{ id: string }>(service, 'POST', '/v1/mcp-servers', {
        name: 'Flood',
        url: server.url,
      });
      const outcomes: string[] = [];
      for (let call = 0; call < CALLS; call += 1) {
        const path = `/v1/mcp-servers/${id}/tools/test`;
        const request = { name: 'flood', arguments: {} };
        outcomes.push((await callApi<{ output: string }>(service, 'POST', path, request)).output);
      }
      const [answers, connections] = [server.answers(), server.connections()];
      server.close();
      return `${answers} answers over ${connections} connections; ${counted(outcomes)}`;
    },
  };
}

const message = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };

export const mcpFloods: readonly Attack[] = [
  mcpFlood('mcp-pings', 'an MCP server that sends 15,000 pings during a call', asEvents(pings(15_000, 'ping'))),
  mcpFlood('mcp-sampling', 'an MCP server that sends 3,000 sampling requests as a list', (answer) => ({
    type: 'application/json',
    body: JSON.stringify([...pings(3_000, 'sampling/createMessage'), answer]),
  })),
  mcpFlood(
    'mcp-messages',
    'an MCP server that sends 900 log messages during a call',
    asEvents(Array.from({ length: 900 }, () => message)),
  ),
];

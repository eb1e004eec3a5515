import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { McpServer } from '../../../actors/session-config.ts';
import type { McpToolList } from '../../ports.ts';
import { McpToolLists } from './mcp-tool-lists.ts';

const SERVER: McpServer = {
  id: 'a',
  name: 'Shop',
  url: 'https://shop.example.com/mcp',
  auth: { type: 'none' },
  timeoutSeconds: 30,
};
const LISTED: McpToolList = { ok: true, tools: [], leftOut: [], incomplete: null };

/** The list was given up with the first session, so a server that took four seconds to wake never had any tools. */
it('gives the tools of a server that wakes up slowly to the sessions after the first', async () => {
  const clock = new SimulatedClock();
  let awake: (list: McpToolList) => void = () => {};
  let asked = 0;
  const list = (): Promise<McpToolList> => {
    asked += 1;
    return new Promise((resolve) => (awake = resolve));
  };
  const lists = new McpToolLists({ list }, () => clock.now(), {
    setTimeout: (fn, ms) => clock.setTimeout(fn, ms),
    clearTimeout: (id) => clock.clearTimeout(id as never),
  });
  const first = lists.list(SERVER);
  clock.increment(3_000);
  expect(await first).toEqual({ ok: false, message: 'The MCP server did not answer in time.' });
  clock.increment(1_000);
  awake(LISTED);
  expect(await lists.list(SERVER)).toEqual(LISTED);
  expect(asked).toBe(1);
});

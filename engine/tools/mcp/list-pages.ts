import type { Client } from '@modelcontextprotocol/client';
import { mcpProblem } from './mcp-problem.ts';

type Listed = Awaited<ReturnType<Client['listTools']>>['tools'];

/** Pages of a list of tools. 100 tools can be used, which are 10 pages of servers with small ones. */
const MAX_PAGES = 32;

/**
 * The pages of a server's list, as far as they come: what was listed can be used even if the rest cannot.
 * @returns `incomplete` a sentence on what may be missing, for whoever configured the server. @throws what the first page throws.
 */
export async function listPages(
  client: Client,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<{ readonly tools: Listed; readonly incomplete: string | null }> {
  const tools: Listed = [];
  // Where a list changes meanwhile, or the server takes no notice of the cursor, tools come again.
  const known = new Set<string>();
  const asked = new Set<string>();
  for (let page = 1, cursor: string | undefined; page <= MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    let listed;
    try {
      listed = await client.request({ method: 'tools/list', params }, options);
    } catch (error) {
      if (page === 1) throw error;
      return {
        tools,
        incomplete: `Only ${pages(page - 1)} of the list of tools could be read. ${listingProblem(error, options)}`,
      };
    }
    const whole = listed.tools.map((tool) => ({ tool, text: JSON.stringify(tool) }));
    tools.push(...whole.filter(({ text }) => page === 1 || !known.has(text)).map(({ tool }) => tool));
    for (const { text } of whole) known.add(text);
    cursor = listed.nextCursor;
    if (cursor === undefined) return { tools, incomplete: null };
    if (asked.has(cursor))
      return { tools, incomplete: `The list of tools begins again behind ${pages(page)}: ${MISSING}.` };
    asked.add(cursor);
  }
  return { tools, incomplete: `The list of tools does not end: only ${pages(MAX_PAGES)} were read.` };
}

const MISSING = 'what the server would list after them is missing';

const pages = (count: number): string => (count === 1 ? 'the first page' : `the first ${count} pages`);

function listingProblem(error: unknown, { signal }: { readonly signal: AbortSignal }): string {
  if (signal.aborted) return 'The MCP server did not answer in time.';
  const { message, reason } = mcpProblem(error);
  return reason === null ? message : `The MCP server could not be reached: ${reason}.`;
}

import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import { AnswerLimitError } from '../../../models/http/answer-limits.ts';
import { connectionFailure } from '../../../models/http/connection-failure.ts';
import { REFUSED, STREAM_ENDED } from './mcp-transport.ts';

/** `message` is a sentence for the LLM and the client; `reason` is for the log, and names no host. */
export interface McpProblem {
  readonly message: string;
  readonly reason: string | null;
  /** Whether the connection is still good. */
  readonly connected: boolean;
}

const MAX_ERROR_CHARACTERS = 500;

/** Pages of a list of tools. 100 tools can be used, which are 10 pages of servers with small ones. */
export const MOST_PAGES = 32;

/** What a server of the older transport answers, and one that is not at this address. */
const NOT_STREAMABLE =
  'There is no MCP server with Streamable HTTP at this address. A server that speaks only the older SSE transport cannot ' +
  'be used; many have another address for Streamable HTTP, which often ends with /mcp';

/** Says in words why a request to an MCP server failed. */
export function mcpProblem(error: unknown): McpProblem {
  const exceeded = AnswerLimitError.in(error);
  if (exceeded !== null) return lost(`The MCP server ${exceeded.message}.`);
  if (error instanceof UnauthorizedError) return lost('The MCP server refused the credentials.');
  if (error instanceof SdkHttpError) {
    const refused = error.status === 401 || error.status === 403;
    if (error.status === 404 || error.status === 405) return lost(`${NOT_STREAMABLE} (status ${error.status}).`);
    return lost(
      refused
        ? `The MCP server refused the credentials (status ${error.status}).`
        : `The MCP server answered with status ${error.status}.`,
    );
  }
  if (error instanceof ProtocolError) {
    if (error.message.includes(STREAM_ENDED)) return lost('The answer of the MCP server broke off, or was too long.');
    const [, refused] = error.message.split(REFUSED);
    if (refused !== undefined) return lost(`The MCP server ${refused}.`);
    const message = `The MCP server answered: ${error.message.slice(0, MAX_ERROR_CHARACTERS)}`;
    return { message, reason: null, connected: true };
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent)
    return lost('This is not an MCP server: it answers in another format.');
  if (error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded)
    return lost(`The list of tools of the MCP server does not end: it has more than ${MOST_PAGES} pages.`);
  // Of recursion: nothing else here has a range.
  if (error instanceof RangeError) return lost('The MCP server sent something that is nested too deeply.');
  if (error instanceof Error && /Zod|Schema|Invalid/i.test(error.name + error.message))
    return lost('The MCP server sent something that is not as the protocol wants it.');
  return lost('The MCP server could not be reached.', connectionFailure(error));
}

/** Whether the server has forgotten this session, so that nothing was run and a new one may be begun. */
export function isForgotten(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404;
}

function lost(message: string, reason: string | null = null): McpProblem {
  return { message, reason, connected: false };
}

import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { isRecord } from '../../../actors/tools/schema/check.ts';
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

/** What a server of the older transport answers, and one that is not at this address. */
const NOT_STREAMABLE =
  'There is no MCP server with Streamable HTTP at this address. A server that speaks only the older SSE transport cannot ' +
  'be used; many have another address for Streamable HTTP, which often ends with /mcp';

/** Says in words why a request to an MCP server failed. */
export function mcpProblem(error: unknown): McpProblem {
  const exceeded = AnswerLimitError.in(error);
  if (exceeded !== null) return lost(`The MCP server ${exceeded.message}.`);
  if (error instanceof UnauthorizedError) return lost('The MCP server refused the credentials.');
  if (error instanceof InsufficientScopeError) {
    const missing = error.requiredScope === undefined ? 'a scope' : `the scope "${error.requiredScope}"`;
    return lost(`The MCP server refused the credentials: they lack ${missing}.`);
  }
  if (error instanceof SdkHttpError) return lost(httpProblem(error));
  if (error instanceof ProtocolError) {
    if (error.message.includes(STREAM_ENDED)) return lost('The answer of the MCP server broke off, or was too long.');
    const [, refused] = error.message.split(REFUSED);
    if (refused !== undefined) return lost(`The MCP server ${refused}.`);
    const message = `The MCP server answered: ${error.message.slice(0, MAX_ERROR_CHARACTERS)}`;
    return { message, reason: null, connected: true };
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent)
    return lost('This is not an MCP server: it answers in another format.');
  const [, version] = /protocol version is not supported: (.*)/.exec(error instanceof Error ? error.message : '') ?? [];
  if (version !== undefined)
    return lost(
      `The MCP server speaks the version "${version.slice(0, 40)}" of the protocol, which Parley does not know.`,
    );
  // Of recursion: nothing else here has a range.
  if (error instanceof RangeError) return lost('The MCP server sent something that is nested too deeply.');
  if (error instanceof Error && /Zod|Schema|Invalid/i.test(error.name + error.message))
    return lost('The MCP server sent something that is not as the protocol wants it.');
  return lost('The MCP server could not be reached.', connectionFailure(error));
}

function httpProblem(error: SdkHttpError): string {
  const { status } = error;
  if (status === 404 && hasForgotten(ownWords(error)))
    return 'The MCP server does not know the session that it has begun: do several of its processes share one address?';
  if (status === 404 || status === 405) return `${NOT_STREAMABLE} (status ${status}).`;
  if (status === 401 && error.code !== SdkErrorCode.ClientHttpAuthentication)
    return 'The MCP server wants credentials (status 401): say how Parley signs in.';
  const said = ownWords(error);
  if (status === 401 || (status === 403 && said === ''))
    return `The MCP server refused the credentials (status ${status}).`;
  return `The MCP server answered with status ${status}${said === '' ? '' : `: ${said}`}.`;
}

/** What a server says of an error in one sentence; pages of a proxy say nothing. */
function ownWords(error: SdkHttpError): string {
  const text = isRecord(error.data) && typeof error.data['text'] === 'string' ? error.data['text'] : '';
  const said = spoken(text);
  return /^\s*</.test(said)
    ? ''
    : said
        .trim()
        .replace(/[.\s]+$/, '')
        .slice(0, MAX_ERROR_CHARACTERS);
}

/** Of JSON-RPC, of FastAPI, of problem details, or plain text. */
function spoken(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (!isRecord(body)) return typeof body === 'string' ? body : '';
    const { error, message, detail, title } = body;
    const inner = isRecord(error) ? (error['message'] ?? error['code']) : error;
    return String(inner ?? message ?? (typeof detail === 'string' ? detail : title) ?? '');
  } catch {
    return text;
  }
}

/** How servers say that they do not know a session: 404 of the specification is the exception. */
const FORGOTTEN: readonly RegExp[] = [
  /session.*(?:not found|expired|invalid|unknown|missing|terminated)/i,
  /(?:no|in)\s?valid session|(?:missing|unknown|expired) session/i,
  /not initialized|before initialization/i,
];
const hasForgotten = (words: string): boolean => FORGOTTEN.some((pattern) => pattern.test(words));

/** Whether the server has forgotten this session, so that nothing was run and a new one may be begun. */
export function isForgotten(error: unknown): boolean {
  if (error instanceof SdkHttpError)
    return error.status === 404 || error.status === 410 || (error.status === 400 && hasForgotten(ownWords(error)));
  return error instanceof ProtocolError && hasForgotten(error.message);
}

/**
 * @returns which versions of the protocol a server speaks that refuses the one that it was asked for; null: it refuses
 * something else.
 */
export function refusedVersion(error: unknown): readonly string[] | null {
  const words =
    error instanceof SdkHttpError
      ? ownWords(error)
      : error instanceof ProtocolError
        ? `${error.message} ${JSON.stringify(error.data ?? '')}`
        : '';
  if (!/protocol.?version/i.test(words) || !/support|unknown|invalid/i.test(words)) return null;
  // The one that was asked for is named first, and is no good.
  const named = [...new Set(words.match(/\b20\d\d-\d\d-\d\d\b/g) ?? [])];
  const asked = /(?:version|requested)\W{0,4}(20\d\d-\d\d-\d\d)/i.exec(words)?.[1];
  return named.filter((version) => version !== asked);
}

const STARTING = new Set([429, 502, 503, 504]);

/** Whether the same request may be answered soon, and nothing was run. */
export function isStarting(error: unknown): boolean {
  return error instanceof SdkHttpError && STARTING.has(error.status);
}

function lost(message: string, reason: string | null = null): McpProblem {
  return { message, reason, connected: false };
}

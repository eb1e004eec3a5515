import { isRecord } from '../../../actors/tools/schema/check.ts';
import { cleanCallResult } from './clean-call-result.ts';
import { cleanToolList } from './clean-tool-list.ts';

/** The request that an answer belongs to. */
export interface Asked {
  readonly id: string | number;
  readonly method: string;
}

/** JSON-RPC: codes from -32000 on are defined by the implementation. */
const IMPLEMENTATION_ERROR = -32_000;
/** For a server that does not name its protocol version: the first version with this transport. */
const UNSAID_VERSION = '2025-03-26';

/**
 * Turns a server's message into the form that the MCP library accepts. The library refuses members that JSON-RPC or the
 * specification does not know, `null` for an absent member, and an answer without an id.
 * @param asked the requests that it may answer. @returns null if it is not a message.
 */
export function sanitizeMessage(message: unknown, asked: readonly Asked[]): Record<string, unknown> | null {
  if (!isRecord(message)) return null;
  const { id, method, params, error, result } = message;
  const jsonrpc = '2.0';
  if (typeof method === 'string') {
    const call = { jsonrpc, method, ...(isRecord(params) && { params }) };
    return id === undefined || id === null ? call : { ...call, id };
  }
  // Where there is no other request, a wrong id is a mistake.
  const request =
    asked.find((one) => String(one.id) === String(id)) ?? (id == null || asked.length === 1 ? asked[0] : undefined);
  const answered = request?.id ?? id;
  if (error !== undefined && error !== null) return { jsonrpc, id: answered, error: sanitizeError(error) };
  const given = 'result' in message ? result : isResult(message) ? message : undefined;
  if (given === undefined) return null;
  return { jsonrpc, id: answered, result: request === undefined ? given : sanitizeResult(request.method, given) };
}

function sanitizeError(error: unknown): Record<string, unknown> {
  if (!isRecord(error)) return { code: IMPLEMENTATION_ERROR, message: String(error) };
  const { code, message, data } = error;
  const said = typeof message === 'string' && message !== '' ? message : `an error ${String(code ?? '')}`.trim();
  return { code: Number.isInteger(code) ? code : IMPLEMENTATION_ERROR, message: said + detailsIn(data, said), data };
}

/** Longer details are stack traces. */
const MAX_DETAILS_LENGTH = 300;

/** "Invalid params" does not help an LLM, so the details are added: which of them, and why. */
function detailsIn(data: unknown, said: string): string {
  if (data === undefined || data === null) return '';
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return text === '' || text === '{}' || text.length > MAX_DETAILS_LENGTH || said.includes(text) ? '' : `: ${text}`;
}

/** Some servers send it without what JSON-RPC puts around it. */
const isResult = (value: Record<string, unknown>): boolean =>
  ['content', 'tools', 'protocolVersion'].some((name) => name in value);

/** Some servers send the result as JSON text. */
function plainResult(result: unknown): unknown {
  if (typeof result !== 'string' || !/^\s*\{/.test(result)) return result;
  try {
    const value: unknown = JSON.parse(result);
    return isRecord(value) && isResult(value) ? value : result;
  } catch {
    return result;
  }
}

function sanitizeResult(method: string, given: unknown): unknown {
  const result = plainResult(given);
  switch (method) {
    case 'initialize':
      return isRecord(result) ? cleanGreeting(result) : result;
    case 'tools/list':
      return cleanToolList(result);
    case 'tools/call':
      return cleanCallResult(result);
    default:
      return result;
  }
}

/** Parley only uses tools. A server that says nothing of them is asked for them, too. */
function cleanGreeting({ protocolVersion, serverInfo }: Record<string, unknown>): Record<string, unknown> {
  const { name, version } = isRecord(serverInfo) ? serverInfo : {};
  return {
    // Versions are dates: "1.0" is that of the server.
    protocolVersion: /^\d{4}-\d\d-\d\d$/.test(String(protocolVersion)) ? protocolVersion : UNSAID_VERSION,
    capabilities: { tools: {} },
    serverInfo: { name: String(name ?? ''), version: String(version ?? '') },
  };
}

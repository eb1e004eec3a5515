import {
  Client,
  ClientCredentialsProvider,
  SUPPORTED_PROTOCOL_VERSIONS,
  type AuthProvider,
} from '@modelcontextprotocol/client';
import type { McpAuth, McpServer } from '../../../actors/session-config.ts';
import { systemTimers } from '../../../runtime/clock.ts';
import type { Fetch } from '../../net/guarded-fetch.ts';
import { VERSION } from '../../../runtime/version.ts';
import { refusedVersion } from './mcp-problem.ts';
import { BoundedTransport } from './mcp-transport.ts';

/** The library's own time-out comes after those of whoever asks, which abort the request. */
export const LIBRARY_TIMEOUT_MS = 120_000;
/** How long a server may take to hear that its session is over. Nobody waits for it. */
const GOODBYE_MS = 2_000;

export interface McpConnection {
  readonly client: Client;
  /** Ends the session at the server and closes every socket. Never rejects. */
  close(): Promise<void>;
}

/**
 * Connects to an MCP server.
 * @param fetch reaches only public hosts: see `createGuardedFetch`.
 * @throws what the transport throws; `mcpProblem` says it in words.
 */
export async function connectMcp(server: McpServer, fetch: Fetch, signal: AbortSignal): Promise<McpConnection> {
  try {
    return await connect(server, fetch, signal, null);
  } catch (error) {
    // It should answer with a version that it speaks, and refuses what it does not know.
    const spoken = refusedVersion(error);
    const versions = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => spoken?.includes(version) === true);
    if (versions.length === 0) throw error;
    return connect(server, fetch, signal, versions);
  }
}

async function connect(
  server: McpServer,
  fetch: Fetch,
  signal: AbortSignal,
  versions: readonly string[] | null,
): Promise<McpConnection> {
  const transport = new BoundedTransport(new URL(server.url), fetch, authOf(server.auth));
  const client = new Client(
    { name: 'parley', version: VERSION },
    {
      capabilities: {},
      jsonSchemaValidator: { getValidator: () => unchecked },
      ...(versions !== null && { supportedProtocolVersions: [...versions] }),
    },
  );
  const closeNow = (): void => void client.close().catch(() => {});
  signal.throwIfAborted();
  signal.addEventListener('abort', closeNow, { once: true });
  try {
    await client.connect(transport, { signal, timeout: LIBRARY_TIMEOUT_MS });
  } catch (error) {
    closeNow();
    throw error;
  } finally {
    signal.removeEventListener('abort', closeNow);
  }
  return {
    client,
    async close() {
      const timer = systemTimers.setTimeout(closeNow, GOODBYE_MS);
      await transport.terminateSession().catch(() => {});
      systemTimers.clearTimeout(timer);
      await client.close().catch(() => {});
    },
  };
}

/**
 * Output schemas are not checked. The LLM reads any result, and a compiler of schemas takes code from strangers (see
 * `actors/tools/schema`).
 */
function unchecked(data: unknown) {
  return { valid: true as const, data: data as never, errorMessage: undefined };
}

function authOf(auth: McpAuth): AuthProvider | ClientCredentialsProvider | null {
  if (auth.type === 'none') return null;
  if (auth.type === 'bearer') return { token: async () => auth.token };
  const { clientId, clientSecret, issuer, scope } = auth;
  return new ClientCredentialsProvider({
    clientId,
    clientSecret,
    expectedIssuer: issuer,
    ...(scope !== undefined && { scope }),
  });
}

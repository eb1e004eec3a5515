import { everyRow, request } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import type { ToolTrial } from '../tools/tool-api.ts';

export interface McpServer {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly auth: {
    readonly type: 'none' | 'bearer' | 'client_credentials';
    readonly clientId?: string;
    readonly issuer?: string;
    readonly scope?: string;
  };
  readonly allowedTools: readonly string[] | null;
  readonly timeoutSeconds: number;
  readonly unreadable?: true;
  readonly updatedAt: string | null;
}

export interface McpInput {
  readonly name: string;
  readonly url: string;
  /** Absent: it stays as it is. */
  readonly auth?: Readonly<Record<string, string>>;
  readonly allowedTools: readonly string[] | null;
  readonly timeoutSeconds: number;
}

export interface McpTest {
  readonly ok: boolean;
  readonly message: string | null;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    /** JSON Schema of its arguments. */
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly allowed: boolean;
  }[];
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}

export const listMcpServers = () => request<Page<McpServer>>('GET', '/v1/mcp-servers?perPage=100');
export const listAllMcpServers = () => everyRow<McpServer>('/v1/mcp-servers');
export const getMcpServer = (id: string) => request<McpServer>('GET', `/v1/mcp-servers/${id}`);
export const createMcpServer = (server: McpInput) => request<McpServer>('POST', '/v1/mcp-servers', server);
export const updateMcpServer = (id: string, server: McpInput) =>
  request<McpServer>('PUT', `/v1/mcp-servers/${id}`, server);
export const testMcpServer = (id: string) => request<McpTest>('POST', `/v1/mcp-servers/${id}/test`);
export const tryMcpTool = (id: string, name: string, args: Readonly<Record<string, unknown>>) =>
  request<ToolTrial>('POST', `/v1/mcp-servers/${id}/tools/test`, { name, arguments: args });

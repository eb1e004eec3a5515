import type { McpServer } from '../../../actors/session-config.ts';
import type { ToolAnswer } from '../webhook.ts';
import type { McpListing } from './list-mcp-tools.ts';
import type { McpTool } from './mcp-calls.ts';

/** What the thread of MCP servers starts with. */
export interface McpWorkerData {
  /** `host` or `host:port` that it may reach although they are not public. */
  readonly allowedPrivateHosts: readonly string[];
}

/** `caller`: whose connections these are. */
export type ToMcpWorker =
  | { readonly type: 'list'; readonly id: number; readonly server: McpServer }
  | {
      readonly type: 'call';
      readonly id: number;
      readonly caller: number;
      readonly tool: McpTool;
      readonly args: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'close'; readonly caller: number };

/** `failure`: of a `McpListingError` or a `ToolFailure`. */
export type FromMcpWorker =
  | { readonly id: number; readonly value: McpListing | ToolAnswer }
  | { readonly id: number; readonly failure: { readonly message: string; readonly reason: string | null } };

import { everyRow, request } from '../../api/client.ts';
import type { KnowledgeGroup, Page, Tool } from '../../api/types.ts';

export interface ToolDetails extends Tool {
  readonly disableInterruptions: boolean;
  readonly usageCount: number;
  readonly updatedAt: string | null;
  /** Its configuration cannot be opened: the master key has changed. */
  readonly unreadable?: true;
}

export type ToolInput = Pick<ToolDetails, 'name' | 'description' | 'type' | 'config' | 'disableInterruptions'>;

export interface ToolTrial {
  readonly ok: boolean;
  readonly output: string;
  readonly documentsAccessed: readonly string[];
  readonly durationSeconds: number;
}

export const listTools = () => request<Page<ToolDetails>>('GET', '/v1/tools?perPage=100');
export const listAllTools = () => everyRow<ToolDetails>('/v1/tools');
export const getTool = (id: string) => request<ToolDetails>('GET', `/v1/tools/${id}`);
export const createTool = (tool: ToolInput) => request<ToolDetails>('POST', '/v1/tools', tool);
export const updateTool = (id: string, tool: ToolInput) => request<ToolDetails>('PUT', `/v1/tools/${id}`, tool);
export const tryTool = (id: string, args: Readonly<Record<string, unknown>>) =>
  request<ToolTrial>('POST', `/v1/tools/${id}/test`, { arguments: args });
export const listGroups = () => request<readonly KnowledgeGroup[]>('GET', '/v1/knowledge/groups');

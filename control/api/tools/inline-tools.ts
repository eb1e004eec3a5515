import { z } from 'zod';
import type { ToolDefinition } from '../../../actors/session-config.ts';
import { type Detail, detail } from '../../errors/http-error.ts';
import { JSON_LIMIT_BYTES, uuid } from '../../http/schemas.ts';
import { SYSTEM_ACTIONS } from '../../../actors/session-config.ts';
import { isSystemAction, SYSTEM_TOOLS } from '../../../actors/tools/system-tools.ts';
import { toolParameters } from './tool-parameters.ts';
import { timeoutSeconds, toolDescription, toolName, webhookHeaders, webhookMethod, webhookUrl } from './tool-schema.ts';
import { ANY_ARGUMENTS, webhookArguments } from './webhook-arguments.ts';

const TYPES = ['client', 'server', 'system'] as const;
const SUBTYPES = ['knowledge', 'rag', 'webhook'] as const;

/** What `missingFields` requires, for the API document. */
const server = { type: { const: 'server' } };
const FORMS = [
  { properties: { type: { const: 'client' } }, required: ['description'] },
  { properties: { type: { const: 'system' }, name: { enum: SYSTEM_ACTIONS } } },
  {
    properties: { ...server, subtype: { const: 'webhook' } },
    required: ['description', 'subtype', 'url', 'method'],
  },
  {
    properties: { ...server, subtype: { enum: ['knowledge', 'rag'] } },
    required: ['description', 'subtype', 'documentFolderIds'],
  },
];

/** A tool written into a persona configuration instead of being saved. */
export const inlineTool = z
  .object({
    type: z
      .string()
      .meta({ enum: TYPES })
      .transform((value) => value.toLowerCase())
      .pipe(z.enum(TYPES)),
    subtype: z
      .string()
      .meta({ enum: SUBTYPES })
      .transform((value) => value.toLowerCase())
      .pipe(z.enum(SUBTYPES))
      .optional(),
    name: toolName,
    description: toolDescription.optional(),
    parameters: toolParameters(JSON_LIMIT_BYTES).optional(),
    queryParameters: toolParameters(JSON_LIMIT_BYTES).optional(),
    url: webhookUrl.optional(),
    method: webhookMethod.optional(),
    headers: webhookHeaders.optional(),
    bodyTemplate: z.string().max(65_536).optional(),
    awaitResponse: z.boolean().optional(),
    documentFolderIds: z.array(uuid).min(1).max(100).optional(),
    awaitResult: z.boolean().optional(),
    toolTimeoutSeconds: timeoutSeconds.optional(),
    disableInterruptions: z.boolean().optional(),
  })
  .superRefine((tool, context) => {
    for (const { path, message } of missingFields(tool))
      context.addIssue({ code: 'custom', path: path.split('.'), message });
  })
  .meta({ id: 'InlineTool', anyOf: FORMS });
export type InlineTool = z.infer<typeof inlineTool>;

type Fields = Pick<InlineTool, 'type' | 'subtype' | 'name' | 'description' | 'url' | 'method' | 'documentFolderIds'>;

function missingFields(tool: Fields): Detail[] {
  if (tool.type === 'system')
    return isSystemAction(tool.name) ? [] : [detail('name', 'is not the name of a system tool')];
  const missing = tool.description === undefined ? [detail('description', 'Required')] : [];
  if (tool.type === 'client') return missing;
  if (tool.subtype === undefined) return [...missing, detail('subtype', 'is required for server tools')];
  if (tool.subtype === 'webhook') {
    if (tool.url === undefined) missing.push(detail('url', 'is required for webhook tools'));
    if (tool.method === undefined) missing.push(detail('method', 'is required for webhook tools'));
  } else if (tool.documentFolderIds === undefined) {
    missing.push(detail('documentFolderIds', 'is required for knowledge tools'));
  }
  return missing;
}

/** Longest wait for a client's answer, in seconds, when the tool does not say. */
export const CLIENT_TOOL_TIMEOUT_SECONDS = 10;
export const QUERY_ARGUMENT = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What to look up, in a few words or a question.' } },
  required: ['query'],
};

/** @param tool an inline tool that passed the schema. */
export function inlineDefinition(tool: InlineTool): ToolDefinition {
  const base = {
    name: tool.name,
    description: tool.description ?? '',
    disableInterruptions: tool.disableInterruptions ?? false,
  };
  if (tool.type === 'system' && isSystemAction(tool.name))
    return {
      ...base,
      ...SYSTEM_TOOLS[tool.name],
      ...(tool.description !== undefined && { description: tool.description }),
      kind: 'system',
      action: tool.name,
    };
  if (tool.type === 'client') {
    return {
      ...base,
      kind: 'client',
      parameters: tool.parameters ?? ANY_ARGUMENTS,
      awaitResult: tool.awaitResult ?? false,
      toolTimeoutSeconds: tool.toolTimeoutSeconds ?? CLIENT_TOOL_TIMEOUT_SECONDS,
    };
  }
  if (tool.subtype === 'webhook') {
    return {
      ...base,
      kind: 'webhook',
      parameters: webhookArguments(tool.parameters, tool.queryParameters),
      url: tool.url!,
      method: tool.method!,
      headers: tool.headers ?? {},
      bodyTemplate: tool.bodyTemplate ?? null,
      queryParameters: tool.queryParameters ?? null,
      awaitResponse: tool.awaitResponse ?? true,
    };
  }
  return {
    ...base,
    kind: 'rag',
    parameters: tool.parameters ?? QUERY_ARGUMENT,
    documentFolderIds: tool.documentFolderIds ?? [],
  };
}

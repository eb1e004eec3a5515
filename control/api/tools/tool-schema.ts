import { z } from 'zod';
import { pageMeta, pageQuery, searchQuery } from '../../http/paging.ts';
import { jsonObject, jsonWithin, timestamp, unreadableMark, uuid } from '../../http/schemas.ts';
import { SYSTEM_ACTIONS } from '../../../actors/session-config.ts';
import { toolParameters } from './tool-parameters.ts';

export const TOOL_TYPES = ['CLIENT', 'SERVER_RAG', 'SERVER_WEBHOOK', 'SYSTEM'] as const;
export type ToolType = (typeof TOOL_TYPES)[number];

export const toolName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-zA-Z0-9_.-]+$/, 'must consist of letters, digits, "_", "." and "-"');
export const toolDescription = z.string().min(1).max(1024);
/** Longest URL and longest header value of a webhook, in characters. */
const httpHeaderName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be a header name');
const httpHeaderValue = z
  .string()
  .max(4096)
  // A line end would begin a header of its own, and HTTP has no way to send letters beyond Latin-1.
  .regex(
    /^[\t\x20-\x7e\x80-\xff]*$/,
    'must be one line of Latin letters, digits and signs: a header cannot have line ends, control characters or other letters',
  );

export const timeoutSeconds = z.number().min(1).max(600);
export const webhookHeaders = z.record(httpHeaderName, httpHeaderValue);
export const webhookMethod = z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);
export const webhookUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(4096);

/** Largest JSON Schema of a saved tool, in bytes: 8,000 tokens of every prompt. Checking it takes 10 ms. */
const SAVED_PARAMETERS_BYTES = 32_768;

const clientConfig = z.object({
  parameters: toolParameters(SAVED_PARAMETERS_BYTES).optional().describe('JSON Schema of what the LLM fills in.'),
  awaitResult: z.boolean().optional(),
  toolTimeoutSeconds: timeoutSeconds.optional(),
});
const ragConfig = z.object({
  documentFolderIds: z.array(uuid).min(1).max(100),
  parameters: toolParameters(SAVED_PARAMETERS_BYTES).optional(),
});
const webhookConfig = z.object({
  url: webhookUrl,
  method: webhookMethod,
  headers: webhookHeaders.optional(),
  bodyTemplate: z.string().max(65_536).optional(),
  parameters: toolParameters(SAVED_PARAMETERS_BYTES).optional(),
  queryParameters: toolParameters(SAVED_PARAMETERS_BYTES).optional(),
  awaitResponse: z.boolean().optional(),
});
const systemConfig = z.object({
  action: z.enum(SYSTEM_ACTIONS).optional(),
  parameters: toolParameters(SAVED_PARAMETERS_BYTES).optional(),
});

export const CONFIGS = {
  CLIENT: clientConfig,
  SERVER_RAG: ragConfig,
  SERVER_WEBHOOK: webhookConfig,
  SYSTEM: systemConfig,
} as const;
export type ClientConfig = z.infer<typeof clientConfig>;
export type RagConfig = z.infer<typeof ragConfig>;
export type WebhookConfig = z.infer<typeof webhookConfig>;
export type SystemConfig = z.infer<typeof systemConfig>;
export type ToolConfig = ClientConfig | RagConfig | WebhookConfig | SystemConfig;

const type = z
  .string()
  .meta({ enum: TOOL_TYPES })
  .transform((value) => value.toUpperCase())
  .pipe(z.enum(TOOL_TYPES));

const config = jsonObject.describe('What it holds depends on the type; see the guide to tools.');

/** What the API document says of a new tool of a type, besides what all have in common. */
function formOfType(ofType: ToolType) {
  const { $schema: _, ...ofConfig } = z.toJSONSchema(CONFIGS[ofType], { io: 'input' });
  const form = { properties: { type: { const: ofType }, config: ofConfig } };
  if (ofType !== 'SYSTEM') return { ...form, required: ['config'] };
  const named = { properties: { name: { enum: SYSTEM_ACTIONS } } };
  return { ...form, anyOf: [named, { properties: { config: { required: ['action'] } }, required: ['config'] }] };
}

export const createTool = z
  .object({
    name: toolName,
    description: toolDescription,
    type,
    config: config.optional(),
    disableInterruptions: z.boolean().default(false).describe('The user cannot interrupt while the tool runs.'),
  })
  .meta({
    id: 'CreateTool',
    anyOf: TOOL_TYPES.map(formOfType),
    examples: [
      {
        name: 'show_map',
        description: 'Shows a place on the map beside the persona.',
        type: 'CLIENT',
        config: { parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] } },
      },
    ],
  });

export const updateTool = z
  .object({ name: toolName, description: toolDescription, type, config, disableInterruptions: z.boolean() })
  .partial()
  .meta({ id: 'UpdateTool' });

export const listTools = z.object({ ...pageQuery(), search: searchQuery.describe('In name, description or id.') });

export const toolResponse = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string(),
    type: z.enum(TOOL_TYPES),
    config: jsonObject,
    unreadable: unreadableMark,
    disableInterruptions: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp.nullable(),
    usageCount: z.number().int().describe('Personas that use it.'),
  })
  .meta({ id: 'Tool' });
export type ToolResponse = z.infer<typeof toolResponse>;

/** Largest arguments of a test run, in bytes of JSON. */
const TRIAL_ARGUMENTS_BYTES = 65_536;

export const tryTool = z
  .object({
    arguments: jsonWithin(TRIAL_ARGUMENTS_BYTES).default({}).describe('As the LLM would fill them in.'),
  })
  .meta({ id: 'TryTool', examples: [{ arguments: { query: 'When is breakfast?' } }] });

export const toolTrial = z
  .object({
    ok: z.boolean(),
    output: z.string().describe('What the LLM would read: the answer, or what went wrong.'),
    documentsAccessed: z.array(z.string()).describe('File names that a search found, the best one first.'),
    durationSeconds: z.number(),
  })
  .meta({ id: 'ToolTrial' });

/** Both spellings of paging that are in use. */
export const toolPage = z.object({
  data: z.array(toolResponse),
  meta: pageMeta.extend({ page: z.number().int(), totalPages: z.number().int() }).meta({ id: 'ToolPageMeta' }),
});

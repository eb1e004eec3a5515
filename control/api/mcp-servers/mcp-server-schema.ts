import { z } from 'zod';
import { pageQuery, searchQuery } from '../../http/paging.ts';
import { jsonObject, pastedKey, timestamp, unreadableMark, uuid } from '../../http/schemas.ts';
import { tryTool } from '../tools/tool-schema.ts';

const secret = pastedKey().regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces');
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(2048);
const scope = z.string().min(1).max(1024);
const clientId = z.string().min(1).max(1024);

export const mcpAuth = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('none') }),
    z.object({ type: z.literal('bearer'), token: secret }),
    z.object({
      type: z.literal('client_credentials'),
      clientId,
      clientSecret: secret,
      issuer: httpUrl.describe('The authorization server. The secret is sent to no other one.'),
      scope: scope.optional(),
    }),
  ])
  .describe('How Parley signs in. Secrets are stored encrypted and never returned.');

/** Longest name of a tool, in characters: what `listMcpTools` takes. */
const toolName = z.string().min(1).max(128);
/**
 * Of one server, and of all servers of a persona: as many as it can have of other tools, because every LLM request carries
 * them all. `listMcpTools` takes as many.
 */
export const MAX_TOOLS = 100;
/** A call that takes longer fails in any case: 60 s is what a webhook has. */
const MAX_CALL_SECONDS = 60;

const fields = {
  name: z.string().min(1).max(64).describe('The names of its tools begin with it.'),
  url: httpUrl.describe('Of its Streamable HTTP endpoint.'),
  auth: mcpAuth,
  allowedTools: z.array(toolName).max(MAX_TOOLS).nullable().describe('Only these tools are used. Null: all.'),
  timeoutSeconds: z.number().int().min(1).max(MAX_CALL_SECONDS).describe('Longest call. 30 unless set.'),
};

export const createMcpServer = z
  .object(fields)
  .partial()
  .required({ name: true, url: true })
  .meta({
    id: 'CreateMcpServer',
    examples: [
      {
        name: 'Shop',
        url: 'https://shop.example.com/mcp',
        auth: { type: 'bearer', token: 'a-token' },
        allowedTools: ['find_order'],
      },
    ],
  });
export const updateMcpServer = z.object(fields).partial().meta({ id: 'UpdateMcpServer' });
export type McpServerInput = z.infer<typeof updateMcpServer>;

export const listMcpServers = z.object({ ...pageQuery(), search: searchQuery.describe('In the name.') });

export const mcpServerResponse = z
  .object({
    id: uuid,
    name: z.string(),
    url: z.string(),
    auth: z.object({
      type: z.enum(['none', 'bearer', 'client_credentials']),
      clientId: z.string().optional(),
      issuer: z.string().optional(),
      scope: z.string().optional(),
    }),
    allowedTools: z.array(z.string()).nullable(),
    timeoutSeconds: z.number().int(),
    unreadable: unreadableMark,
    createdAt: timestamp,
    updatedAt: timestamp.nullable(),
  })
  .meta({ id: 'McpServer' });
export type McpServerResponse = z.infer<typeof mcpServerResponse>;

export const tryMcpTool = z
  .object({ name: toolName.describe('As the server calls it.'), ...tryTool.shape })
  .meta({ id: 'TryMcpTool', examples: [{ name: 'find_order', arguments: { number: 'A-17' } }] });

export const mcpServerTest = z
  .object({
    ok: z.boolean(),
    message: z
      .string()
      .nullable()
      .describe('What is wrong, when it is not ok; otherwise what may be missing, where the list of tools broke off.'),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        parameters: jsonObject,
        allowed: z.boolean().describe('Whether personas use it: see `allowedTools`.'),
      }),
    ),
    leftOut: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .describe('Tools that cannot be used, and why.'),
  })
  .meta({ id: 'McpServerTest' });

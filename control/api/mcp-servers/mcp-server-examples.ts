import { ERRORS } from '../../errors/http-error.ts';
import { metaOf } from '../../http/paging.ts';
import type { Examples } from '../../http/resource.ts';
import { mcpServerErrors } from './mcp-server-errors.ts';
import type { McpServerResponse } from './mcp-server-schema.ts';

const shop: McpServerResponse = {
  id: '0f3a7c52-55f5-4a0e-8f0e-0d8d4a3b8f11',
  name: 'Shop',
  url: 'https://shop.example.com/mcp',
  auth: { type: 'bearer' },
  allowedTools: ['find_order'],
  timeoutSeconds: 30,
  createdAt: '2026-11-21T00:55:09.774Z',
  updatedAt: null,
};

export const mcpServerExamples: Examples = {
  'DELETE /v1/mcp-servers/{id}': { refusals: [ERRORS.inUse] },
  'GET /v1/mcp-servers': { answer: { data: [shop], meta: metaOf({ page: 1, perPage: 10 }, 1) } },
  'POST /v1/mcp-servers': { answer: shop },
  'GET /v1/mcp-servers/{id}': { answer: shop },
  'PUT /v1/mcp-servers/{id}': {
    request: { timeoutSeconds: 20 },
    answer: { ...shop, timeoutSeconds: 20, updatedAt: '2026-11-21T00:55:09.774Z' },
  },
  'POST /v1/mcp-servers/{id}/test': {
    refusals: [ERRORS.unreadableSecret],
    answer: {
      ok: true,
      message: null,
      tools: [
        {
          name: 'find_order',
          description: 'Finds an order by its number.',
          parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
          allowed: true,
        },
      ],
      leftOut: [],
    },
  },
  'POST /v1/mcp-servers/{id}/tools/test': {
    answer: { ok: true, output: 'Order A-17 was sent on Monday.', documentsAccessed: [], durationSeconds: 0.214 },
    refusals: [mcpServerErrors.mcpToolNotFound, ERRORS.unreadableSecret],
  },
};

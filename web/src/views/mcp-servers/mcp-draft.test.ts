import { expect, it } from 'vitest';
import type { McpServer } from './mcp-api.ts';
import { draftOf, inputOf } from './mcp-draft.ts';

const shop: McpServer = {
  id: 'm',
  name: 'Shop',
  url: 'https://shop.example.com/mcp',
  auth: { type: 'bearer' },
  allowedTools: ['find_order'],
  timeoutSeconds: 20,
  updatedAt: null,
};

it('leaves the stored token alone until another one is entered', () => {
  expect(inputOf(draftOf(shop), shop)).toEqual({
    name: 'Shop',
    url: 'https://shop.example.com/mcp',
    allowedTools: ['find_order'],
    timeoutSeconds: 20,
  });
  expect(inputOf({ ...draftOf(shop), secret: 't' }, shop).auth).toEqual({ type: 'bearer', token: 't' });
  expect(inputOf({ ...draftOf(shop), authType: 'none' }, shop).auth).toEqual({ type: 'none' });
});

import { expect, it } from 'vitest';
import { draftOf, headersOf, inputOf } from './tool-draft.ts';
import type { ToolDetails } from './tool-api.ts';

const tool = (config: Record<string, unknown>): ToolDetails => ({
  id: 't',
  name: 'rooms',
  description: 'Free rooms',
  type: 'SERVER_WEBHOOK',
  config,
  disableInterruptions: false,
  usageCount: 0,
  updatedAt: null,
});

it('sends a webhook back as it came, also what the form cannot show', () => {
  const config = {
    url: 'https://hooks.example.com/rooms',
    method: 'POST',
    headers: { 'X-Key': 'a:b' },
    awaitResponse: false,
    parameters: { type: 'object', properties: { days: { type: 'array' } } },
    queryParameters: { type: 'object', properties: { page: { type: 'integer' } } },
    bodyTemplate: '{"days": {{days}}}',
  };
  expect(inputOf(draftOf(tool(config))).config).toEqual(config);
});

it('names what cannot be read', () => {
  expect(() => headersOf('X-Key: k\nwrong')).toThrow('"wrong"');
  expect(() => inputOf({ ...draftOf(null), parameters: null, schemaText: '{' })).toThrow('config.parameters');
});

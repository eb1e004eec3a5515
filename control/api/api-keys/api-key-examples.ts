import type { Examples } from '../../http/resource.ts';
import { apiKeyErrors } from './api-key-errors.ts';
import type { ApiKeyResponse } from './api-key-schema.ts';

const webSite: ApiKeyResponse = {
  id: '5c9a2f4e-6f61-4c57-9e0d-0b9f3b0d4a55',
  name: 'Web site',
  scopes: ['sessions', 'personas:read'],
  isThisKey: false,
  createdAt: '2026-11-21T00:55:09.774Z',
  lastUsedAt: '2026-11-22T10:12:00.000Z',
  revokedAt: null,
};

export const apiKeyExamples: Examples = {
  'GET /v1/api-keys': {
    answer: {
      data: [webSite],
      grantableScopes: ['personas', 'tools', 'sessions'],
      defaultScopes: ['personas', 'tools', 'sessions'],
    },
  },
  'POST /v1/api-keys': {
    answer: { ...webSite, lastUsedAt: null, key: 'parley_Hk0XJ3Yw1mT8n4sVQe2Zc7RbLd5Gf9Aq6UpKx0iNoWs' },
  },
  'DELETE /v1/api-keys/{id}': { refusals: [apiKeyErrors.ownApiKey] },
};
